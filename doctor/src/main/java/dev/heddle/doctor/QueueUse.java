package dev.heddle.doctor;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which queues and channels a method takes from, and to which it gives.
///
/// A queue is known by the field or the local variable from which it was loaded, so the same queue under two names is
/// not recognised. That is in favour of the program.
///
/// @param taken the queues that something is taken from
/// @param given the queues that something is put into
record QueueUse(Set<String> taken, Set<String> given) {

    private static final Set<String> TAKES =
            Set.of("take", "takeFirst", "takeLast", "poll", "pollFirst", "pollLast", "receive");

    private static final Set<String> GIVES = Set.of(
            "put",
            "putFirst",
            "putLast",
            "offer",
            "offerFirst",
            "offerLast",
            "add",
            "addFirst",
            "addLast",
            "push",
            "send");

    /// How many loads before a call may have loaded the queue or the entry.
    private static final int LOADS = 4;

    /// Reads one method's code. What is given only under a condition is left out: a worker may put a task back that
    /// has failed, and is no holder for that. A check for null is no condition.
    ///
    /// @param method a name for it: local variables of two methods differ
    static QueueUse of(String method, List<CodeElement> code) {
        QueueUse use = new QueueUse(new HashSet<>(), new HashSet<>());
        Deque<String> loads = new ArrayDeque<>();
        int lastTake = 0;
        for (int i = 0; i < code.size(); i++) {
            switch (code.get(i)) {
                case LoadInstruction load -> push(loads, method + "#" + load.slot());
                case FieldInstruction field -> {
                    if (field.opcode() == Opcode.GETFIELD) {
                        loads.pollLast(); // the object that has the field
                    }
                    push(
                            loads,
                            field.owner().asInternalName() + "." + field.name().stringValue());
                }
                case InvokeInstruction invoke
                when isQueue(invoke.owner().asInternalName()) && !loads.isEmpty() -> {
                    String name = invoke.name().stringValue();
                    if (TAKES.contains(name)) {
                        lastTake = i;
                        use.taken.addAll(isPlain(name) ? List.of(loads.getLast()) : loads);
                    } else if (GIVES.contains(name) && !isConditional(code, lastTake, i)) {
                        use.given.addAll(loads);
                    }
                    loads.clear();
                }
                default -> {}
            }
        }
        return use;
    }

    private static void push(Deque<String> loads, String name) {
        loads.addLast(name);
        if (loads.size() > LOADS) {
            loads.removeFirst();
        }
    }

    /// Whether the method of this name has no parameters, so that the queue is what was loaded last.
    private static boolean isPlain(String name) {
        return name.equals("take") || name.equals("receive");
    }

    /// Whether a conditional jump between the two elements leads beyond the second one.
    private static boolean isConditional(List<CodeElement> code, int from, int to) {
        Set<Label> passed = new HashSet<>();
        for (int i = from; i < to; i++) {
            if (code.get(i) instanceof BranchInstruction branch && isCondition(branch.opcode())) {
                passed.add(branch.target());
            }
        }
        for (int i = from; i < to; i++) {
            if (code.get(i) instanceof LabelTarget target) {
                passed.remove(target.label());
            }
        }
        return !passed.isEmpty();
    }

    private static boolean isCondition(Opcode opcode) {
        return switch (opcode) {
            case GOTO, GOTO_W, IFNULL, IFNONNULL -> false;
            default -> true;
        };
    }

    private static boolean isQueue(String owner) {
        return owner.equals("dev/heddle/Chan")
                || (owner.startsWith("java/util/concurrent/") && (owner.endsWith("Queue") || owner.endsWith("Deque")));
    }

    /// Adds what another method uses.
    void add(QueueUse other) {
        taken.addAll(other.taken);
        given.addAll(other.given);
    }

    /// Whether something is given to a queue that something is taken from.
    boolean givesBack() {
        return taken.stream().anyMatch(given::contains);
    }
}
