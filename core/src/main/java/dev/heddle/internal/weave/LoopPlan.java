package dev.heddle.internal.weave;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the loops of one method are, and which kind of preemption point each gets.
///
/// Positions are indexes into the elements of the method's code.
final class LoopPlan {
    /*
     * A loop is a backward branch. Its point goes in front of the branch: the operand stack is unchanged there, no new
     * branch target is needed, and the stack map frames stay as they are.
     *
     * The JIT compiler turns an innermost counted loop without calls, `for (int i = a; i < n; i++)`, into vector
     * instructions. A point that reads any variable would prevent that. Such a loop is cut into strips instead: an
     * outer loop is put around it, and the point is in the outer loop. While points are shut, a strip is as long as the
     * whole loop. Only javac's form of such a loop is recognised: the condition comes first, and the limit is a
     * constant, a local, or the length of an array in a local that the loop does not change.
     */

    /// A counted loop to be cut: the label of its condition, the instructions that push the limit, the branch that
    /// leaves it, and the branch back.
    record Strip(int header, int counter, List<Instruction> limit, int limitFrom, int exit, Label after, int back) {

        boolean isLimit(int position) {
            return position >= limitFrom && position < exit;
        }
    }

    private static final int MAX_STEP = 4096;

    private final List<CodeElement> elements;
    private final Map<Label, Integer> positions = new HashMap<>();
    private final Map<Label, Integer> references = new HashMap<>();
    private final BitSet points = new BitSet();
    private final Map<Integer, Strip> strips = new HashMap<>();

    private LoopPlan(CodeModel code) {
        elements = code.elementList();
    }

    static LoopPlan of(CodeModel code) {
        LoopPlan plan = new LoopPlan(code);
        plan.findLoops();
        return plan;
    }

    boolean isEmpty() {
        return points.isEmpty() && strips.isEmpty();
    }

    int pointCount() {
        return points.cardinality() + strips.size();
    }

    int stripCount() {
        return strips.size();
    }

    /// Whether a point goes in front of the branch at this position.
    boolean isPoint(int position) {
        return points.get(position);
    }

    /// The loop to be cut whose condition begins here.
    @Nullable
    Strip stripAt(int header) {
        return strips.get(header);
    }

    private void findLoops() {
        List<Integer> backs = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof LabelTarget target) {
                positions.put(target.label(), i);
            } else if (refersBackwards(elements.get(i))) {
                backs.add(i);
            }
        }
        for (int back : backs) {
            Strip strip = counted(back, backs);
            if (strip == null) {
                points.set(back);
            } else {
                strips.put(strip.header(), strip);
            }
        }
    }

    /// Counts the references to labels, and says whether one of them leads backwards, from a branch.
    private boolean refersBackwards(CodeElement element) {
        return switch (element) {
            case BranchInstruction branch -> refer(branch.target());
            case TableSwitchInstruction table -> refer(table.defaultTarget()) | refer(table.cases());
            case LookupSwitchInstruction lookup -> refer(lookup.defaultTarget()) | refer(lookup.cases());
            case ExceptionCatch handler -> {
                refer(handler.tryStart());
                refer(handler.tryEnd());
                refer(handler.handler());
                yield false;
            }
            default -> false;
        };
    }

    private boolean refer(List<SwitchCase> cases) {
        boolean backwards = false;
        for (SwitchCase one : cases) {
            backwards |= refer(one.target());
        }
        return backwards;
    }

    private boolean refer(Label label) {
        references.merge(label, 1, Integer::sum);
        return positions.containsKey(label);
    }

    // ---- counted loops

    private @Nullable Strip counted(int back, List<Integer> backs) {
        if (!(elements.get(back) instanceof BranchInstruction branch) || !isGoto(branch)) {
            return null;
        }
        int header = position(branch.target());
        boolean alone = references.getOrDefault(branch.target(), 0) == 1;
        boolean innermost = backs.stream().noneMatch(it -> it >= header && it < back);
        if (!alone
                || !innermost
                || !(instructionBefore(back) instanceof IncrementInstruction step)
                || step.constant() <= 0
                || step.constant() > MAX_STEP) {
            return null;
        }
        Strip strip = condition(header, step.slot(), back);
        return strip != null && isLightAndSteady(strip, step) ? strip : null;
    }

    private static boolean isGoto(BranchInstruction branch) {
        return branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
    }

    private int position(Label label) {
        return positions.getOrDefault(label, -1);
    }

    private @Nullable Instruction instructionBefore(int position) {
        for (int i = position - 1; i >= 0; i--) {
            if (elements.get(i) instanceof Instruction instruction) {
                return instruction;
            }
        }
        return null;
    }

    /// `iload counter; push of the limit; if_icmpge after`, at the header.
    private @Nullable Strip condition(int header, int counter, int back) {
        int at = nextInstruction(header);
        if (!(elements.get(at) instanceof LoadInstruction load)
                || load.typeKind() != TypeKind.INT
                || load.slot() != counter) {
            return null;
        }
        int from = nextInstruction(at);
        int exit = from;
        List<Instruction> limit = new ArrayList<>();
        while (limit.size() <= 2 && !(elements.get(exit) instanceof BranchInstruction)) {
            limit.add((Instruction) elements.get(exit));
            exit = nextInstruction(exit);
        }
        return exit < back
                        && elements.get(exit) instanceof BranchInstruction leave
                        && leave.opcode() == Opcode.IF_ICMPGE
                        && position(leave.target()) > back
                        && isSimpleLimit(limit)
                        && hasNoLabelBetween(at, exit)
                ? new Strip(header, counter, limit, from, exit, leave.target(), back)
                : null;
    }

    private int nextInstruction(int position) {
        int next = position + 1;
        while (!(elements.get(next) instanceof Instruction)) {
            next++; // ends: code does not end with a label
        }
        return next;
    }

    private boolean hasNoLabelBetween(int from, int to) {
        for (int i = from; i < to; i++) {
            if (elements.get(i) instanceof LabelTarget target && references.containsKey(target.label())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSimpleLimit(List<Instruction> limit) {
        return switch (limit.size()) {
            case 1 ->
                (limit.getFirst() instanceof LoadInstruction load && load.typeKind() == TypeKind.INT)
                        || (limit.getFirst() instanceof ConstantInstruction constant
                                && constant.typeKind() == TypeKind.INT);
            case 2 ->
                limit.getFirst() instanceof LoadInstruction load
                        && load.typeKind() == TypeKind.REFERENCE
                        && limit.getLast() instanceof OperatorInstruction operator
                        && operator.opcode() == Opcode.ARRAYLENGTH;
            default -> false;
        };
    }

    /// No call inside, and nothing that changes the counter, but for the step, or the limit.
    private boolean isLightAndSteady(Strip strip, IncrementInstruction step) {
        int limitSlot = strip.limit().getFirst() instanceof LoadInstruction load ? load.slot() : -1;
        for (int i = strip.header(); i < strip.back(); i++) {
            boolean disturbs = switch (elements.get(i)) {
                case InvokeInstruction _, InvokeDynamicInstruction _ -> true;
                case IncrementInstruction other ->
                    other.slot() == limitSlot || (other.slot() == strip.counter() && other != step);
                case StoreInstruction store -> touches(store, strip.counter()) || touches(store, limitSlot);
                default -> false;
            };
            if (disturbs) {
                return false;
            }
        }
        return true;
    }

    private static boolean touches(StoreInstruction store, int slot) {
        return store.slot() == slot || (store.typeKind().slotSize() == 2 && store.slot() + 1 == slot);
    }
}
