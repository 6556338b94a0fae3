package dev.heddle.testkit.internal.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;

/// Sends reads of the clock, and `Thread.onSpinWait`, to the hooks.
///
/// Without this there is no virtual time: `Thread.sleep` and every timed wait of java.util.concurrent read the clock
/// again after the park, and wait for the rest.
final class ClockEdits implements CodeTransform {

    private static final MethodTypeDesc LONG = MethodTypeDesc.of(ConstantDescs.CD_long);
    private static final MethodTypeDesc LONG_TO_LONG = MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long);

    private final ClassEdits.Count count;
    private final boolean alsoSpinWait;

    /// @param alsoSpinWait not in the JDK, whose loops are short
    ClockEdits(ClassEdits.Count count, boolean alsoSpinWait) {
        this.count = count;
        this.alsoSpinWait = alsoSpinWait;
    }

    /// Whether the class may read the clock: a cheap test before the class is parsed.
    static boolean mayApply(byte[] classFile) {
        String text = new String(classFile, StandardCharsets.ISO_8859_1);
        return text.contains("nanoTime") || text.contains("currentTimeMillis") || text.contains("onSpinWait");
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        if (!(element instanceof InvokeInstruction call) || call.opcode() != Opcode.INVOKESTATIC) {
            code.with(element);
            return;
        }
        switch (call.owner().asInternalName() + "." + call.name().stringValue()) {
            case "java/lang/System.nanoTime" -> replace(code, "nanoTime", LONG);
            case "java/lang/System.currentTimeMillis" -> replace(code, "currentTimeMillis", LONG);
            case "jdk/internal/misc/VM.getNanoTimeAdjustment" -> replace(code, "nanoTimeAdjustment", LONG_TO_LONG);
            case "java/lang/Thread.onSpinWait" -> {
                if (alsoSpinWait) {
                    replace(code, "spinWait", ConstantDescs.MTD_void);
                } else {
                    code.with(element);
                }
            }
            default -> code.with(element);
        }
    }

    private void replace(CodeBuilder code, String hook, MethodTypeDesc signature) {
        count.edits++;
        code.invokestatic(HookGate.NAME, hook, signature);
    }
}
