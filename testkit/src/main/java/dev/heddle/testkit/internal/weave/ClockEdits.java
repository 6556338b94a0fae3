package dev.heddle.testkit.internal.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Sends reads of the clock, and `Thread.onSpinWait`, to the hooks: calls of them, and references such as
/// `System::nanoTime`, which libraries pass around as their clock.
///
/// Without this there is no virtual time: `Thread.sleep` and every timed wait of java.util.concurrent read the clock
/// again after the park, and wait for the rest.
final class ClockEdits implements CodeTransform {

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
        switch (element) {
            case InvokeInstruction call when call.opcode() == Opcode.INVOKESTATIC -> call(code, call);
            case InvokeDynamicInstruction site -> link(code, site);
            default -> code.with(element);
        }
    }

    private void call(CodeBuilder code, InvokeInstruction call) {
        String hook = hookInsteadOf(call.owner().asInternalName(), call.name().stringValue());
        if (hook == null) {
            code.with(call);
        } else {
            count.edits++;
            code.invokestatic(HookGate.NAME, hook, call.typeSymbol());
        }
    }

    /// A method reference is an argument of the call site that makes its object.
    private void link(CodeBuilder code, InvokeDynamicInstruction site) {
        DynamicCallSiteDesc linked = site.invokedynamic().asSymbol();
        ConstantDesc[] arguments = linked.bootstrapArgs();
        boolean isChanged = false;
        for (int i = 0; i < arguments.length; i++) {
            MethodHandleDesc instead = arguments[i] instanceof DirectMethodHandleDesc method ? insteadOf(method) : null;
            if (instead != null) {
                arguments[i] = instead;
                isChanged = true;
            }
        }
        if (isChanged) {
            count.edits++;
            code.invokedynamic(linked.withArgs(arguments));
        } else {
            code.with(site);
        }
    }

    private @Nullable MethodHandleDesc insteadOf(DirectMethodHandleDesc method) {
        String owner = method.owner().descriptorString();
        String hook = method.kind() == DirectMethodHandleDesc.Kind.STATIC
                ? hookInsteadOf(owner.substring(1, owner.length() - 1), method.methodName())
                : null;
        return hook == null
                ? null
                : MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC,
                        HookGate.NAME,
                        hook,
                        MethodTypeDesc.ofDescriptor(method.lookupDescriptor()));
    }

    /// The hook of the same type that stands for a static method; null if none does.
    private @Nullable String hookInsteadOf(String owner, String method) {
        return switch (owner + "." + method) {
            case "java/lang/System.nanoTime" -> "nanoTime";
            case "java/lang/System.currentTimeMillis" -> "currentTimeMillis";
            case "jdk/internal/misc/VM.getNanoTimeAdjustment" -> "nanoTimeAdjustment";
            case "java/lang/Thread.onSpinWait" -> alsoSpinWait ? "spinWait" : null;
            default -> null;
        };
    }
}
