package dev.heddle;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The public API as text: a line for each public or protected type, and below it an indented line for each member that
/// its users can name. Lines are sorted, so that equal APIs have equal texts.
///
/// A line has everything that a user may depend on: modifiers, type parameters, nullness, checked exceptions, values of
/// constants. Names of parameters and bodies are left out.
final class ApiListing {

    private static final String INDENT = "    ";

    /// Modifiers of the implementation. Two of them have the bits of varargs and bridge methods.
    private static final int IRRELEVANT =
            Modifier.SYNCHRONIZED | Modifier.NATIVE | Modifier.STRICT | Modifier.TRANSIENT | Modifier.VOLATILE;

    private ApiListing() {}

    /// The packages that the module exports to all, as its compiled descriptor below `classes` says.
    static Set<String> exportedPackages(Path classes) {
        try (InputStream descriptor = Files.newInputStream(classes.resolve("META-INF/versions/11/module-info.class"))) {
            Set<String> names = new TreeSet<>();
            for (ModuleDescriptor.Exports each :
                    ModuleDescriptor.read(descriptor).exports()) {
                if (!each.isQualified()) {
                    names.add(each.source());
                }
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The lines of all types of the exported packages, which are read from the folder of compiled classes.
    static List<String> ofExported(Path classes) {
        List<Class<?>> types = new ArrayList<>();
        for (String name : exportedPackages(classes)) {
            try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
                files.map(it -> it.getFileName().toString())
                        .filter(it -> it.endsWith(".class") && !it.equals("package-info.class"))
                        .map(it -> name + "." + it.substring(0, it.length() - ".class".length()))
                        .sorted()
                        .forEach(it -> types.add(load(it)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return of(types);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, /* initialize= */ false, ApiListing.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The lines of those of these types that users can name.
    static List<String> of(List<Class<?>> types) {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : types) {
            if (isVisible(type)) {
                lines.add(header(type));
                members(type).forEach(it -> lines.add(INDENT + it));
            }
        }
        return lines;
    }

    private static boolean isVisible(Class<?> type) {
        boolean isNamed = !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic();
        Class<?> outer = type.getEnclosingClass();
        return isNamed && isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    // ---- types

    private static String header(Class<?> type) {
        StringBuilder line = new StringBuilder();
        line.append(
                modifiers(type.getModifiers() & ~(type.isInterface() ? Modifier.INTERFACE | Modifier.ABSTRACT : 0)));
        line.append(type.isSealed() ? "sealed " : "").append(kind(type)).append(' ');
        line.append(type.getName().replace('$', '.')).append(parameters(type));
        Set<String> parents = parents(type);
        line.append(parents.isEmpty() ? "" : parents.stream().collect(joining(", ", " extends ", "")));
        if (type.isSealed()) {
            line.append(Arrays.stream(type.getPermittedSubclasses())
                    .filter(ApiListing::isVisible)
                    .map(it -> it.getName().replace('$', '.'))
                    .sorted()
                    .collect(joining(", ", " permits ", "")));
        }
        return line.toString();
    }

    /// Visible supertypes, classes and interfaces, directly or through hidden ones.
    private static Set<String> parents(Class<?> type) {
        Set<String> parents = new LinkedHashSet<>();
        Stream.concat(Stream.ofNullable(type.getAnnotatedSuperclass()), Stream.of(type.getAnnotatedInterfaces()))
                .filter(it -> it.getType() != Object.class)
                .forEach(it -> {
                    Class<?> raw = (Class<?>)
                            (it.getType() instanceof ParameterizedType generic ? generic.getRawType() : it.getType());
                    parents.addAll(isVisible(raw) ? Set.of(text(it)) : parents(raw));
                });
        return parents;
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        return type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    // ---- members

    private static Set<String> members(Class<?> type) {
        Set<String> lines = new TreeSet<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible((Member) constructor)) {
                lines.add(executable(constructor, type.getSimpleName()));
            }
        }
        for (Class<?> owner : owners(type)) {
            for (Field field : owner.getDeclaredFields()) {
                if (isVisible((Member) field)) {
                    lines.add(field(field));
                }
            }
            for (Method method : owner.getDeclaredMethods()) {
                if (isVisible((Member) method)) {
                    lines.add(executable(method, method.getName()));
                }
            }
        }
        return lines;
    }

    private static boolean isVisible(Member member) {
        return isVisible(member.getModifiers()) && !member.isSynthetic();
    }

    /// The type, and its hidden parents: their members are visible only as members of the type.
    private static Set<Class<?>> owners(Class<?> type) {
        Set<Class<?>> owners = new LinkedHashSet<>(List.of(type));
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .filter(it -> !isVisible(it))
                .forEach(it -> owners.addAll(owners(it)));
        return owners;
    }

    private static String field(Field field) {
        return modifiers(field.getModifiers() & ~IRRELEVANT) + text(field.getAnnotatedType()) + " " + field.getName()
                + value(field);
    }

    /// Compilers copy constants into the classes that use them.
    private static String value(Field field) {
        Class<?> owner = field.getDeclaringClass();
        String file = owner.getName().substring(owner.getPackageName().length() + 1) + ".class";
        try (InputStream in = owner.getResourceAsStream(file)) {
            return ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes()).fields().stream()
                    .filter(it -> it.fieldName().equalsString(field.getName()))
                    .flatMap(it -> it.findAttribute(Attributes.constantValue()).stream())
                    .map(it -> " = " + it.constant().constantValue())
                    .collect(joining());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String executable(Executable member, String name) {
        String types = parameters(member);
        StringBuilder line = new StringBuilder(modifiers(member.getModifiers() & ~IRRELEVANT));
        line.append(member instanceof Method method && method.isDefault() ? "default " : "");
        line.append(types).append(types.isEmpty() ? "" : " ");
        if (member instanceof Method) {
            line.append(text(member.getAnnotatedReturnType())).append(' ');
        }
        String arguments = list("", member.getAnnotatedParameterTypes());
        if (member.isVarArgs()) {
            arguments = arguments.substring(0, arguments.length() - 2) + "...";
        }
        line.append(name).append('(').append(arguments).append(')');
        return line.append(list(" throws ", member.getAnnotatedExceptionTypes()))
                .toString();
    }

    // ---- words

    private static String modifiers(int modifiers) {
        String words = Modifier.toString(modifiers);
        return words.isEmpty() ? "" : words + " ";
    }

    private static String parameters(GenericDeclaration declaration) {
        TypeVariable<?>[] variables = declaration.getTypeParameters();
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(it -> it.getName() + bounds(it.getAnnotatedBounds()))
                        .collect(joining(", ", "<", ">"));
    }

    private static String bounds(AnnotatedType[] bounds) {
        String text = Arrays.stream(bounds).map(ApiListing::text).collect(joining(" & "));
        return text.equals("java.lang.Object") ? "" : " extends " + text;
    }

    private static String list(String word, AnnotatedType[] types) {
        return types.length == 0
                ? ""
                : Arrays.stream(types).map(ApiListing::text).collect(joining(", ", word, ""));
    }

    private static String text(@Nullable AnnotatedType type) {
        return String.valueOf(type)
                .replace("@org.jspecify.annotations.Nullable() ", "@Nullable ")
                .replace('$', '.');
    }
}
