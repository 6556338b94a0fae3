package dev.heddle.internal.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The calls of VarHandles and MethodHandles in the class files of whole packages. The JVM links each of them once per
/// class, name and types.
final class HandleCalls {

    private HandleCalls() {}

    /// Each call as its name, a space, and the descriptor of its types. The packages are those of `members`.
    static Set<String> of(Class<?>... members) throws IOException, URISyntaxException {
        Set<String> calls = new TreeSet<>();
        for (Class<?> member : members) {
            Path root = Path.of(
                    member.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path folder = root.resolve(member.getPackageName().replace('.', '/'));
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".class")).forEach(file -> collect(file, calls));
            }
        }
        return calls;
    }

    private static void collect(Path file, Set<String> calls) {
        ClassModel model;
        try {
            model = ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        model.methods()
                .forEach(method -> method.code()
                        .ifPresent(code -> code.elementStream()
                                .filter(InvokeInstruction.class::isInstance)
                                .map(call -> ((InvokeInstruction) call).method())
                                .filter(HandleCalls::isLinkedByItsTypes)
                                .forEach(call -> calls.add(call.name().stringValue() + " "
                                        + call.type().stringValue()))));
    }

    /// Whether the method is declared with the types `Object...`: then each call has types of its own.
    private static boolean isLinkedByItsTypes(MemberRefEntry call) {
        return Stream.of(VarHandle.class, MethodHandle.class)
                .filter(type ->
                        call.owner().asInternalName().equals(type.getName().replace('.', '/')))
                .flatMap(type -> Stream.of(type.getMethods()))
                .anyMatch(method -> method.getName().equals(call.name().stringValue())
                        && method.isVarArgs()
                        && method.getParameterCount() == 1
                        && !MethodTypeDesc.ofDescriptor(call.type().stringValue())
                                .descriptorString()
                                .startsWith("([Ljava/lang/Object;)"));
    }
}
