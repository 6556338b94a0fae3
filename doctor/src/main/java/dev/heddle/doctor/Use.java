package dev.heddle.doctor;

import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call, and the field that holds the object it is called on.
///
/// @param call  the call
/// @param field the field, as `package.Class.name`; null if the object comes from elsewhere, a local variable for
///              example
record Use(Call call, @Nullable String field) {

    /// How many elements before a call may have loaded its object: the arguments are in between.
    private static final int ELEMENTS = 24;

    /// The call at this index.
    static Use of(List<CodeElement> code, int index) {
        InvokeInstruction invoke = (InvokeInstruction) code.get(index);
        String type = "L" + invoke.owner().asInternalName() + ";";
        String field = null;
        for (int i = index - 1; i >= Math.max(0, index - ELEMENTS) && field == null; i--) {
            if (code.get(i) instanceof FieldInstruction load && load.type().equalsString(type)) {
                field = load.owner().asInternalName().replace('/', '.')
                        + "."
                        + load.name().stringValue();
            }
        }
        return new Use(Call.of(invoke), field);
    }

    /// Whether both may be of the same object. If the field of one is not known, they may.
    boolean mayBeOf(@Nullable String other) {
        return field == null || other == null || field.equals(other);
    }
}
