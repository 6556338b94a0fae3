package dev.heddle.doctor;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// What a thread may still do in the method of one of its frames, and what it has done there before.
///
/// It knows only the line. What may still come is what stands behind that line, and the loops around it. What was
/// before is what stands before that line.
final class CodePosition {

    /// The depth to which calls within the program are followed.
    private static final int DEPTH = 4;

    private final CodeReader code;
    private final Frame frame;

    CodePosition(CodeReader code, Frame frame) {
        this.code = code;
        this.frame = frame;
    }

    /// The calls that may still come, with those of callees and of lambdas that are made here: a lambda may
    /// be started as a thread.
    Set<Use> ahead() {
        Set<Use> uses = new LinkedHashSet<>();
        for (List<CodeElement> elements : bodies()) {
            int from = indexOfLine(elements);
            for (int[] loop : CodeReader.loops(elements)) {
                if (CodeReader.hasLine(elements.subList(loop[0], loop[1] + 1), frame.line())) {
                    from = Math.min(from, loop[0]);
                }
            }
            collect(elements.subList(from, elements.size()), DEPTH, uses, new HashSet<>());
        }
        return uses;
    }

    /// The calls of the method at this very line, without those of callees.
    List<Use> here() {
        List<Use> uses = new ArrayList<>();
        for (List<CodeElement> elements : bodies()) {
            int line = -1;
            for (int i = 0; i < elements.size(); i++) {
                if (elements.get(i) instanceof LineNumber number) {
                    line = number.line();
                } else if (line == frame.line() && elements.get(i) instanceof InvokeInstruction) {
                    uses.add(Use.of(elements, i));
                }
            }
        }
        return uses;
    }

    /// Whether the method has taken something before this line and not given it back: the last such call
    /// before the line takes, itself or through its callees, and does not give.
    boolean holds(Predicate<Use> takes, Predicate<Use> gives) {
        for (List<CodeElement> elements : bodies()) {
            boolean holds = false;
            for (int i = 0; i < indexOfLine(elements); i++) {
                if (elements.get(i) instanceof InvokeInstruction invoke) {
                    Set<Use> uses = new LinkedHashSet<>(Set.of(Use.of(elements, i)));
                    follow(Call.of(invoke), DEPTH, uses, new HashSet<>());
                    boolean isGiving = uses.stream().anyMatch(gives);
                    holds = !isGiving && (holds || uses.stream().anyMatch(takes));
                }
            }
            if (holds) {
                return true;
            }
        }
        return false;
    }

    /// Whether the innermost loop around this line takes something in each round and gives nothing back: then a thread
    /// at this line holds what it took in earlier rounds.
    boolean gathers(Predicate<Use> takes, Predicate<Use> gives) {
        for (List<CodeElement> elements : bodies()) {
            for (int[] loop : CodeReader.loops(elements).reversed()) { // innermost first
                List<CodeElement> body = elements.subList(loop[0], loop[1] + 1);
                if (frame.line() >= 0 && CodeReader.hasLine(body, frame.line())) {
                    Set<Use> uses = new LinkedHashSet<>();
                    collect(body, DEPTH, uses, new HashSet<>());
                    return uses.stream().anyMatch(takes) && uses.stream().noneMatch(gives);
                }
            }
        }
        return false;
    }

    /// Whether the method makes such a call before this line, itself or through its callees.
    boolean hasCalled(Predicate<Use> wanted) {
        return before().stream().anyMatch(wanted);
    }

    /// The calls that the method makes before this line, with those of callees.
    Set<Use> before() {
        Set<Use> uses = new LinkedHashSet<>();
        bodies().forEach(it -> collect(it.subList(0, indexOfLine(it)), DEPTH, uses, new HashSet<>()));
        return uses;
    }

    /// Whether the method makes such a call behind this line, itself or through its callees; loops do not count.
    boolean behind(Predicate<Use> wanted) {
        return bodies().stream().anyMatch(elements -> {
            Set<Use> uses = new LinkedHashSet<>();
            collect(elements.subList(endOfLine(elements), elements.size()), DEPTH, uses, new HashSet<>());
            return uses.stream().anyMatch(wanted);
        });
    }

    /// The classes that this line initialises if they are not yet: of static methods, static fields and new
    /// objects.
    Set<String> classesNeeded() {
        Set<String> classes = new LinkedHashSet<>();
        for (List<CodeElement> elements : bodies()) {
            int line = -1;
            for (CodeElement element : elements) {
                if (element instanceof LineNumber number) {
                    line = number.line();
                } else if (line == frame.line()) {
                    String needed = switch (element) {
                        case InvokeInstruction invoke
                        when invoke.opcode() == Opcode.INVOKESTATIC ->
                            invoke.owner().asInternalName();
                        case FieldInstruction field
                        when field.opcode() == Opcode.GETSTATIC || field.opcode() == Opcode.PUTSTATIC ->
                            field.owner().asInternalName();
                        case NewObjectInstruction made -> made.className().asInternalName();
                        default -> "";
                    };
                    if (!needed.isEmpty()) {
                        classes.add(needed.replace('/', '.'));
                    }
                }
            }
        }
        return classes;
    }

    /// Whether the line is inside a `synchronized` block or method, and not only about to enter it.
    ///
    /// @param isTop whether the frame is the innermost one: a thread that waits to enter a synchronized method
    ///              already shows it
    boolean isInMonitor(boolean isTop) {
        boolean isMethod = code.methods(frame.className(), frame.method(), null).stream()
                .anyMatch(it -> it.flags().has(AccessFlag.SYNCHRONIZED));
        return (isMethod && !isTop)
                || bodies().stream().anyMatch(elements -> {
                    int depth = 0;
                    for (CodeElement element : elements.subList(0, endOfLine(elements))) {
                        if (element instanceof MonitorInstruction monitor) {
                            depth += monitor.opcode() == Opcode.MONITORENTER ? 1 : -1;
                        }
                    }
                    return depth > 0;
                });
    }

    /// Whether a loop is around this line.
    boolean isInLoop() {
        return bodies().stream()
                .anyMatch(elements -> CodeReader.loops(elements).stream()
                        .anyMatch(it -> CodeReader.hasLine(elements.subList(it[0], it[1] + 1), frame.line())));
    }

    /// The code of the method that has the line, not of another one of that name; of all if no one has it.
    private List<List<CodeElement>> bodies() {
        List<List<CodeElement>> all = code.methods(frame.className(), frame.method(), null).stream()
                .map(it -> it.code().map(CodeModel::elementList).orElse(List.of()))
                .toList();
        List<List<CodeElement>> withLine =
                all.stream().filter(it -> CodeReader.hasLine(it, frame.line())).toList();
        return withLine.isEmpty() ? all : withLine;
    }

    /// Where the line begins; 0 if it is not known.
    private int indexOfLine(List<CodeElement> elements) {
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof LineNumber number && number.line() == frame.line()) {
                return i;
            }
        }
        return 0;
    }

    /// Where the line ends, if its code is in one piece; 0 if it is not known.
    private int endOfLine(List<CodeElement> elements) {
        int begin = indexOfLine(elements);
        for (int i = begin; i < elements.size(); i++) {
            if (elements.get(i) instanceof LineNumber number && number.line() != frame.line()) {
                return begin == 0 && frame.line() < 0 ? 0 : i;
            }
        }
        return begin == 0 ? 0 : elements.size();
    }

    private void collect(List<CodeElement> elements, int depth, Set<Use> into, Set<Call> visited) {
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof InvokeInstruction invoke) {
                into.add(Use.of(elements, i));
                follow(Call.of(invoke), depth, into, visited);
            } else if (elements.get(i) instanceof InvokeDynamicInstruction dynamic) {
                dynamic.bootstrapArgs().stream()
                        .filter(DirectMethodHandleDesc.class::isInstance)
                        .map(it -> Call.of((DirectMethodHandleDesc) it))
                        .forEach(it -> {
                            into.add(new Use(it, null));
                            follow(it, depth, into, visited);
                        });
            }
        }
    }

    private void follow(Call call, int depth, Set<Use> into, Set<Call> visited) {
        if (depth > 0 && visited.add(call)) {
            for (MethodModel callee : code.methods(call.owner(), call.method(), call.descriptor())) {
                callee.code().ifPresent(it -> collect(it.elementList(), depth - 1, into, visited));
            }
        }
    }
}
