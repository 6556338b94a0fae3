package dev.heddle.testkit.internal.weave;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Changes the code of one class, method by method. Loads no class: what has to be known about others is read from
/// their class files.
final class ClassEdits {

    /// Counts what was changed in a class.
    static final class Count {
        int edits;
    }

    /// Makes the change of one method; null leaves the method as it is.
    interface MethodEdits {
        @Nullable
        CodeTransform of(MethodModel method, Count count);
    }

    private ClassEdits() {}

    /// The changed class; null if nothing was changed.
    static byte @Nullable [] apply(byte[] classFile, Function<String, @Nullable InputStream> files, MethodEdits edits) {
        ClassHierarchyResolver hierarchy = ClassHierarchyResolver.ofResourceParsing(type -> {
                    String descriptor = type.descriptorString();
                    return files.apply(descriptor.substring(1, descriptor.length() - 1) + ".class");
                })
                .orElse(ClassHierarchyResolver.defaultResolver());
        ClassFile context = ClassFile.of(
                ClassFile.ClassHierarchyResolverOption.of(hierarchy),
                ClassFile.StackMapsOption.STACK_MAPS_WHEN_REQUIRED);
        ClassModel model = context.parse(classFile);
        Count count = new Count();
        byte[] changed = context.transformClass(model, (builder, element) -> {
            CodeTransform change =
                    element instanceof MethodModel method && method.code().isPresent() ? edits.of(method, count) : null;
            if (change == null) {
                builder.with(element);
            } else {
                builder.transformMethod((MethodModel) element, MethodTransform.transformingCode(change));
            }
        });
        return count.edits == 0 ? null : changed;
    }
}
