package dev.heddle.doctor;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;

/// A method that waits, and whether it only reads the state that it waits for.
///
/// @param code  the program's classes
/// @param frame the frame of the waiting method
record WatchingMethod(CodeReader code, Frame frame) {

    /// Whether the wait is in a loop that reads a state, and the method changes nothing: it writes no field and makes
    /// no call but to methods that wait, lock, ask for a state or tell the time.
    boolean onlyReads() {
        List<MethodModel> methods = code.methods(frame.className(), frame.method(), null);
        return methods.size() == 1
                && new CodePosition(code, frame).isInLoop()
                && onlyReads(
                        methods.getFirst().code().map(CodeModel::elementList).orElse(List.of()));
    }

    private static boolean onlyReads(List<CodeElement> elements) {
        boolean reads = false;
        for (CodeElement element : elements) {
            if (element instanceof FieldInstruction field) {
                if (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC) {
                    return false;
                }
                reads |= field.type().stringValue().length() == 1; // a flag or a number: locks are objects
            } else if (element instanceof InvokeInstruction invoke) {
                Call call = Call.of(invoke);
                if (!isHarmless(call)) {
                    return false;
                }
                reads |= call.asksState();
            }
        }
        return reads;
    }

    private static boolean isHarmless(Call call) {
        Use use = new Use(call, null);
        return call.isNeutral()
                || HeldByCode.locks(use)
                || HeldByCode.unlocks(use)
                || WaitKind.CONDITION.isWait(use)
                || WaitKind.MONITOR.isWait(use)
                || (call.asksState() && !takes(call));
    }

    /// Whether the call takes what it asks for.
    private static boolean takes(Call call) {
        return call.method().startsWith("poll")
                || call.method().startsWith("try")
                || call.method().equals("compareAndSet");
    }
}
