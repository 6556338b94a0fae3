package dev.heddle.heap;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A class in a heap dump: the layout of its instances, and the references that the class itself holds.
final class ClassShape {

    /// A field of the instances.
    ///
    /// @param name   the name of the field
    /// @param offset the offset from the first field that this class adds to its superclass's
    /// @param isReference whether the field refers to an object
    private record Field(String name, int offset, boolean isReference) {}

    final String name;
    final @Nullable ClassShape superclass;

    /// The references of the class itself: static fields and class loader, for example.
    final List<Long> references;

    private final List<Field> fields = new ArrayList<>();
    private int bytes;
    private int @Nullable [] referenceOffsets;

    ClassShape(String name, @Nullable ClassShape superclass, List<Long> references) {
        this.name = name;
        this.superclass = superclass;
        this.references = references;
    }

    void addField(String field, int length, boolean isReference) {
        fields.add(new Field(field, bytes, isReference));
        bytes += length;
    }

    /// The offset of a field from the beginning of an instance's fields; -1 if there is no such field. A
    /// class's own fields come first, then its superclass's.
    int offsetOf(String field) {
        int before = 0;
        for (ClassShape at = this; at != null; at = at.superclass) {
            for (Field candidate : at.fields) {
                if (candidate.name.equals(field)) {
                    return before + candidate.offset;
                }
            }
            before += at.bytes;
        }
        return -1;
    }

    /// The offsets of the references that keep their targets alive.
    int[] referenceOffsets() {
        int[] known = referenceOffsets;
        if (known == null) {
            List<Integer> offsets = new ArrayList<>();
            int weak = isKindOf("java/lang/ref/WeakReference")
                            || isKindOf("java/lang/ref/PhantomReference")
                            || isKindOf("java/lang/ref/FinalReference")
                    ? offsetOf("referent")
                    : -1;
            int before = 0;
            for (ClassShape at = this; at != null; at = at.superclass) {
                for (Field field : at.fields) {
                    if (field.isReference && before + field.offset != weak) {
                        offsets.add(before + field.offset);
                    }
                }
                before += at.bytes;
            }
            known = offsets.stream().mapToInt(Integer::intValue).toArray();
            referenceOffsets = known;
        }
        return known;
    }

    boolean isKindOf(String className) {
        for (ClassShape at = this; at != null; at = at.superclass) {
            if (at.name.equals(className)) {
                return true;
            }
        }
        return false;
    }
}
