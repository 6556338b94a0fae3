package dev.heddle.testkit.internal.weave;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;

/// Recognises the stores by which JaCoCo counts what was executed. They are no part of the program: with points before
/// them, a test would have other schedules, and other replay codes, when its coverage is measured.
///
/// A method begins with `probes = $jacocoInit()`, or with the same as a dynamic constant. A probe is
/// `probes[number] = true`. One instance reads one method, instruction by instruction.
final class CoverageProbes {

    private static final String INIT = "$jacocoInit";
    private static final String DATA = "$jacocoData";
    private static final int NO_SLOT = -1;

    /// Instructions of a probe: load of the array, its index, the value, the store.
    private static final int BEFORE_STORE = 3;

    private int slot = NO_SLOT; // the local variable that has the array
    private boolean isArrayOnStack;
    private int seen; // instructions of a probe in a row

    /// Whether a method is JaCoCo's own.
    static boolean isOwn(String methodName) {
        return methodName.equals(INIT);
    }

    /// Reads the next element. Whether it is the store of a probe.
    boolean isProbe(CodeElement element) {
        if (!(element instanceof Instruction instruction)) {
            return false; // labels and line numbers
        }
        boolean isStore = seen == BEFORE_STORE
                && instruction instanceof ArrayStoreInstruction store
                && store.opcode() == Opcode.BASTORE;
        if (isArrayOnStack && instruction instanceof StoreInstruction store) {
            slot = store.slot();
        }
        isArrayOnStack = givesArray(instruction) || (isArrayOnStack && instruction instanceof TypeCheckInstruction);
        if (instruction instanceof LoadInstruction load && load.opcode().name().startsWith("ALOAD")) {
            seen = load.slot() == slot ? 1 : 0;
        } else {
            seen = seen > 0 && instruction instanceof ConstantInstruction ? seen + 1 : 0;
        }
        return isStore;
    }

    private static boolean givesArray(Instruction instruction) {
        return switch (instruction) {
            case InvokeInstruction call -> call.name().equalsString(INIT);
            case ConstantInstruction.LoadConstantInstruction load ->
                load.constantEntry() instanceof ConstantDynamicEntry dynamic
                        && dynamic.name().equalsString(DATA);
            default -> false;
        };
    }
}
