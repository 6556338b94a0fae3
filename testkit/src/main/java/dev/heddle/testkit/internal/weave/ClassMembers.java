package dev.heddle.testkit.internal.weave;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the members of other classes are like, read from their class files. For one class that is being woven.
final class ClassMembers {

    private final Function<String, @Nullable InputStream> files;
    private final Map<String, Optional<ClassModel>> read = new HashMap<>();

    ClassMembers(Function<String, @Nullable InputStream> files) {
        this.files = files;
    }

    private @Nullable ClassModel model(String internalName) {
        return read.computeIfAbsent(internalName, name -> {
                    try (InputStream in = isOfJdk(name) ? null : files.apply(name + ".class")) {
                        return in == null
                                ? Optional.empty()
                                : Optional.of(ClassFile.of().parse(in.readAllBytes()));
                    } catch (IOException | IllegalArgumentException _) {
                        return Optional.empty(); // an optional library, or a class that is made at run time
                    }
                })
                .orElse(null);
    }

    private static boolean isOfJdk(String internalName) {
        return internalName.startsWith("java/") || internalName.startsWith("[") || internalName.startsWith("jdk/");
    }

    /// Whether a field is known to be final: no thread can notice when it is read.
    boolean isFinalField(String owner, String name) {
        for (ClassModel model = model(owner); model != null; model = superclass(model)) {
            for (FieldModel field : model.fields()) {
                if (field.fieldName().equalsString(name)) {
                    return field.flags().has(AccessFlag.FINAL);
                }
            }
        }
        return owner.equals("java/lang/System");
    }

    /// Whether a method is known to be synchronized.
    boolean isSynchronized(String owner, String name, String descriptor) {
        for (ClassModel model = model(owner); model != null; model = superclass(model)) {
            for (MethodModel method : model.methods()) {
                if (method.methodName().equalsString(name)
                        && method.methodType().equalsString(descriptor)) {
                    return method.flags().has(AccessFlag.SYNCHRONIZED);
                }
            }
        }
        return false;
    }

    private @Nullable ClassModel superclass(ClassModel model) {
        return model.superclass().map(type -> model(type.asInternalName())).orElse(null);
    }
}
