package dev.heddle.doctor;

import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds loops that do nothing but read a state until another thread changes it: `while (!ready) {}`,
/// `while (!busy.compareAndSet(false, true)) {}`.
final class SpinLoop {

    private SpinLoop() {}

    /// The loop around this frame's line that only reads a state, and what it reads; null if there is none, or if it
    /// does anything else.
    static @Nullable AskingLoop around(Frame frame, CodeReader code) {
        if (frame.line() < 0) {
            return null;
        }
        for (MethodModel method : code.methods(frame.className(), frame.method(), null)) {
            List<CodeElement> elements =
                    method.code().map(it -> it.elementList()).orElse(List.of());
            for (int[] range : CodeReader.loops(elements).reversed()) { // innermost first
                List<CodeElement> body = elements.subList(range[0], range[1] + 1);
                if (CodeReader.hasLine(body, frame.line())) {
                    Set<String> reads = reads(body);
                    return reads.isEmpty()
                            ? null
                            : new AskingLoop(
                                    frame.className() + "." + frame.method() + ", line " + frame.line(), reads);
                }
            }
        }
        return null;
    }

    /// What the loop reads; nothing if it does more than that.
    private static Set<String> reads(List<CodeElement> body) {
        Set<String> reads = new LinkedHashSet<>();
        for (CodeElement element : body) {
            switch (element) {
                case FieldInstruction field
                when field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC -> {
                    return Set.of();
                }
                case FieldInstruction field -> {
                    if (field.type().stringValue().length() == 1) { // a flag or a number
                        reads.add("the field " + field.name().stringValue());
                    }
                }
                case InvokeInstruction invoke -> {
                    Call call = Call.of(invoke);
                    if (call.asksState()) {
                        reads.add(call.toString());
                    } else if (!call.isNeutral() && !call.method().equals("onSpinWait")) {
                        return Set.of();
                    }
                }
                case IncrementInstruction _,
                        StoreInstruction _,
                        ArrayStoreInstruction _,
                        NewObjectInstruction _,
                        InvokeDynamicInstruction _ -> {
                    return Set
                            .of(); // it counts, computes or makes something; an operator alone tests a bit of the state
                }
                default -> {}
            }
        }
        return reads;
    }
}
