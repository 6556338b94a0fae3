package dev.heddle.testkit.internal.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts points before all that other threads can notice: accesses to fields and arrays, atomics, locks, and calls into
/// java.util.concurrent and Heddle's API. Sends `notify` and `notifyAll` to the hooks.
///
/// An uncontended lock does not park. Without points nothing could come between two locks, or between a read and a
/// write.
final class PointEdits implements CodeTransform {

    private static final MethodTypeDesc POINT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    /// Methods of Thread that act on another thread, or depend on one.
    private static final Set<String> THREAD_CALLS =
            Set.of("start", "interrupt", "isInterrupted", "interrupted", "isAlive", "getState", "startVirtualThread");

    private static final MethodTypeDesc NOTIFY =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_int);

    private final int classNumber;
    private final ClassMembers members;
    private final ClassEdits.Count count;
    private final CoverageProbes probes = new CoverageProbes();

    private PointEdits(String owner, ClassMembers members, ClassEdits.Count count) {
        this.classNumber = WovenClasses.numberOf(owner.replace('/', '.'));
        this.members = members;
        this.count = count;
    }

    /// The points of one method; null if it has none: no other thread sees an object while it is made, and a
    /// class initialiser is pinned.
    static @Nullable CodeTransform of(MethodModel method, ClassMembers members, ClassEdits.Count count) {
        if (CoverageProbes.isOwn(method.methodName().stringValue())
                || method.methodName().equalsString(ConstantDescs.INIT_NAME)
                || method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)) {
            return null;
        }
        String owner = method.parent().orElseThrow().thisClass().asInternalName();
        return new PointEdits(owner, members, count);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        String hook = element instanceof InvokeInstruction call ? hookInsteadOf(call) : null;
        if (hook != null) {
            count.edits++;
            code.loadConstant(classNumber).invokestatic(HookGate.NAME, hook, NOTIFY);
            return;
        }
        if (!probes.isProbe(element) && isPoint(element)) {
            count.edits++;
            code.loadConstant(classNumber).invokestatic(HookGate.NAME, "point", POINT);
        }
        code.with(element);
    }

    /// The hook that chooses whom to wake, if the call is `notify` or `notifyAll`; otherwise null.
    private static @Nullable String hookInsteadOf(InvokeInstruction call) {
        if (call.opcode() != Opcode.INVOKEVIRTUAL || !call.owner().name().equalsString("java/lang/Object")) {
            return null;
        }
        return switch (call.name().stringValue()) {
            case "notify" -> "notifyOne";
            case "notifyAll" -> "notifyEach";
            default -> null;
        };
    }

    private boolean isPoint(CodeElement element) {
        return switch (element) {
            case FieldInstruction field ->
                !members.isFinalField(
                        field.owner().asInternalName(), field.name().stringValue());
            case ArrayLoadInstruction _, ArrayStoreInstruction _ -> true;
            case MonitorInstruction monitor -> monitor.opcode() == Opcode.MONITORENTER;
            case InvokeInstruction call -> isShared(call);
            default -> false;
        };
    }

    private boolean isShared(InvokeInstruction call) {
        String called = call.owner().asInternalName();
        String name = call.name().stringValue();
        if (name.equals(ConstantDescs.INIT_NAME)) {
            return false;
        }
        if (called.startsWith("java/util/concurrent/")) {
            return !called.equals("java/util/concurrent/TimeUnit");
        }
        if (called.startsWith("dev/heddle/") && !called.startsWith("dev/heddle/testkit/")) {
            return called.indexOf('/', "dev/heddle/".length()) < 0 || isSynchronized(call);
        }
        return called.equals("java/lang/invoke/VarHandle")
                || (called.equals("java/lang/Thread") && THREAD_CALLS.contains(name))
                || isSynchronized(call);
    }

    private boolean isSynchronized(InvokeInstruction call) {
        return members.isSynchronized(
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue());
    }
}
