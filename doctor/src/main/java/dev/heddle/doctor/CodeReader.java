package dev.heddle.doctor;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.OperatorInstruction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads the program's class files: which calls a method makes, and which of them are in a loop.
///
/// It does not analyse values. It uses only names and jumps, and decides in favour of the program when in doubt.
final class CodeReader {

    /// The depth to which calls within the program are followed.
    private static final int DEPTH = 4;

    /// Users of a field, for display.
    private static final int USERS = 4;

    private final Map<String, ClassModel> classes = new HashMap<>();

    CodeReader(Map<String, byte[]> classFiles) {
        classFiles.forEach((name, bytes) -> {
            try {
                classes.put(name, ClassFile.of().parse(bytes));
            } catch (IllegalArgumentException _) {
                // a later class file version, or rewritten by a tool: an unreadable class is not a finding
            }
        });
    }

    Collection<ClassModel> classes() {
        return classes.values();
    }

    /// The loop around this frame's line that polls and never waits; null if there is none or the code is not
    /// known.
    @Nullable
    AskingLoop askingLoop(Frame frame) {
        for (MethodModel method : methods(frame.className(), frame.method(), null)) {
            Optional<CodeModel> code = method.code();
            if (code.isPresent()) {
                AskingLoop loop = askingLoop(frame, code.get());
                if (loop != null) {
                    return loop;
                }
            }
        }
        return null;
    }

    private @Nullable AskingLoop askingLoop(Frame frame, CodeModel code) {
        List<CodeElement> elements = code.elementList();
        for (int[] loop : loops(elements)) {
            List<CodeElement> body = elements.subList(loop[0], loop[1] + 1);
            if (!hasLine(body, frame.line())) {
                continue;
            }
            Set<Call> calls = new LinkedHashSet<>();
            collect(body, DEPTH, calls, new HashSet<>());
            Set<String> asks = new LinkedHashSet<>();
            calls.stream().filter(Call::asks).forEach(it -> asks.add(it.toString()));
            if (!asks.isEmpty() && calls.stream().noneMatch(Call::mayWait)) {
                String line = frame.line() < 0 ? "" : ", line " + frame.line();
                return new AskingLoop(frame.className() + "." + frame.method() + line, asks);
            }
        }
        return null;
    }

    /// The innermost loop around this frame's line that only asks for something and passes the time until it
    /// asks again; null if there is none or the code is not known.
    ///
    /// A loop that takes from a queue without waiting polls, whatever it does with what it finds. A loop that
    /// asks for another state, such as a flag, polls if it does nothing else: otherwise it does its work at
    /// intervals until it is told to end.
    ///
    /// @param pauses recognises the calls that pass the time
    @Nullable
    PollingLoop pollingLoop(Frame frame, Predicate<Call> pauses) {
        for (MethodModel method : methods(frame.className(), frame.method(), null)) {
            List<CodeElement> elements =
                    method.code().map(CodeModel::elementList).orElse(List.of());
            for (int[] range : loops(elements).reversed()) { // innermost first
                List<CodeElement> body = elements.subList(range[0], range[1] + 1);
                if (hasLine(body, frame.line())) {
                    PollingLoop loop = pollingLoop(frame, body, pauses);
                    if (loop != null) {
                        return loop;
                    }
                }
            }
        }
        return null;
    }

    private @Nullable PollingLoop pollingLoop(Frame frame, List<CodeElement> body, Predicate<Call> pauses) {
        Set<Call> calls = new LinkedHashSet<>();
        collect(body, DEPTH, calls, new HashSet<>());
        Set<String> passing = new LinkedHashSet<>();
        Set<String> asks = new LinkedHashSet<>();
        boolean doesMore = false;
        for (Call call : calls) {
            if (pauses.test(call)) {
                passing.add(call.toString());
            } else if (call.asksState()) {
                asks.add(call.toString());
            } else if (!call.isNeutral()
                    && (call.isLibrary()
                            || methods(call.owner(), call.method(), null).isEmpty())) {
                doesMore = true;
            }
        }
        // What a callee asks may be a part of the loop's work, and the pause one between two pieces of work.
        Set<Call> own = new LinkedHashSet<>();
        collect(body, 0, own, new HashSet<>());
        if (passing.isEmpty() || (doesMore && own.stream().noneMatch(Call::asks))) {
            return null;
        }
        if (asks.isEmpty()) {
            String field = fieldRead(body);
            if (field == null) {
                return null;
            }
            asks.add(field);
        }
        String line = frame.line() < 0 ? "" : ", line " + frame.line();
        return new PollingLoop(frame.className() + "." + frame.method() + line, asks, passing);
    }

    /// A field that the loop reads and does not write; null if it counts or computes.
    private static @Nullable String fieldRead(List<CodeElement> body) {
        String read = null;
        for (CodeElement element : body) {
            switch (element) {
                case FieldInstruction field
                when field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC -> {
                    return null;
                }
                case FieldInstruction field ->
                    read = "the field " + field.name().stringValue();
                case OperatorInstruction _, IncrementInstruction _ -> {
                    return null;
                }
                default -> {}
            }
        }
        return read;
    }

    /// The calls that the innermost loop around this frame's line makes itself; none if there is no loop.
    Set<Call> loopCalls(Frame frame) {
        Set<Call> calls = new LinkedHashSet<>();
        for (MethodModel method : methods(frame.className(), frame.method(), null)) {
            List<CodeElement> elements =
                    method.code().map(CodeModel::elementList).orElse(List.of());
            for (int[] range : loops(elements).reversed()) { // innermost first
                List<CodeElement> body = elements.subList(range[0], range[1] + 1);
                if (calls.isEmpty() && hasLine(body, frame.line())) {
                    collect(body, 0, calls, new HashSet<>());
                }
            }
        }
        return calls;
    }

    /// The calls in this frame's method itself.
    Set<Call> ownCalls(Frame frame) {
        Set<Call> calls = new LinkedHashSet<>();
        for (MethodModel method : methods(frame.className(), frame.method(), null)) {
            method.code().ifPresent(it -> collect(it.elementList(), 0, calls, new HashSet<>()));
        }
        return calls;
    }

    /// Whether any known method of the program that uses this field makes such a call itself.
    ///
    /// @param field the field, as `package.Class.name`
    boolean anyCallBesides(String field, Predicate<Call> wanted) {
        int dot = field.lastIndexOf('.');
        String owner = field.substring(0, Math.max(0, dot)).replace('.', '/');
        String name = field.substring(dot + 1);
        for (ClassModel model : classes.values()) {
            for (MethodModel method : model.methods()) {
                List<CodeElement> body =
                        method.code().map(CodeModel::elementList).orElse(List.of());
                boolean uses = body.stream()
                        .anyMatch(it -> it instanceof FieldInstruction use
                                && use.owner().asInternalName().equals(owner)
                                && use.name().equalsString(name));
                Set<Call> calls = new LinkedHashSet<>();
                if (uses) {
                    collect(body, 0, calls, new HashSet<>());
                }
                if (calls.stream().anyMatch(wanted)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The methods that use this field, and their callers: a thread-local is mostly behind a method of its
    /// own. Static initialisers are left out.
    ///
    /// @param field the field, as `package.Class.name`
    List<String> usersOf(String field) {
        Set<String> users = new LinkedHashSet<>();
        int dot = field.lastIndexOf('.');
        String owner = field.substring(0, Math.max(0, dot)).replace('.', '/');
        String name = field.substring(dot + 1);
        addMethodsWith(
                it -> it instanceof FieldInstruction use
                        && use.owner().asInternalName().equals(owner)
                        && use.name().equalsString(name),
                users);
        Set<String> direct = Set.copyOf(users);
        addMethodsWith(
                it -> it instanceof InvokeInstruction invoke
                        && direct.contains(invoke.owner().asInternalName().replace('/', '.')
                                + "."
                                + invoke.name().stringValue()),
                users);
        return users.stream().limit(USERS).toList();
    }

    private void addMethodsWith(Predicate<CodeElement> wanted, Set<String> into) {
        for (Map.Entry<String, ClassModel> each : classes.entrySet()) {
            for (MethodModel method : each.getValue().methods()) {
                boolean hasIt = method.code().stream()
                        .flatMap(it -> it.elementList().stream())
                        .anyMatch(wanted);
                if (hasIt && !method.methodName().equalsString("<clinit>")) {
                    into.add(each.getKey() + "." + method.methodName().stringValue());
                }
            }
        }
    }

    /// Whether any known class of the program makes such a call.
    boolean anyCall(Predicate<Call> wanted) {
        Set<Call> calls = new LinkedHashSet<>();
        for (ClassModel model : classes.values()) {
            for (MethodModel method : model.methods()) {
                method.code().ifPresent(it -> collect(it.elementList(), 0, calls, new HashSet<>()));
            }
        }
        return calls.stream().anyMatch(wanted);
    }

    /// Whether this frame's method calls a method of that class, other than the one that waits, which wakes a
    /// waiter; itself or through callees, such as a `close`.
    boolean callsWakingMethod(Frame frame, Frame waiting) {
        return calls(frame).stream()
                .filter(it ->
                        it.owner().equals(waiting.className()) && !it.method().equals(waiting.method()))
                .flatMap(it -> methods(it.owner(), it.method(), it.descriptor()).stream())
                .anyMatch(method -> {
                    Set<Call> calls = new LinkedHashSet<>();
                    method.code().ifPresent(it -> collect(it.elementList(), 0, calls, new HashSet<>()));
                    return calls.stream()
                            .anyMatch(it -> it.method().startsWith("notify")
                                    || it.method().startsWith("signal"));
                });
    }

    /// Whether this frame's method polls, directly or through its callees.
    boolean asks(Frame frame) {
        return calls(frame).stream().anyMatch(Call::asks);
    }

    /// Whether this frame's method polls channels, directly or through its callees.
    boolean asksChannels(@Nullable Frame frame) {
        return frame != null && calls(frame).stream().anyMatch(Call::asksChannel);
    }

    /// Which queues this frame's method uses, directly or through its callees within the program.
    QueueUse queues(Frame frame) {
        QueueUse use = new QueueUse(new HashSet<>(), new HashSet<>());
        Set<Call> calls = new LinkedHashSet<>(Set.of(new Call(frame.className(), frame.method(), "")));
        calls.addAll(calls(frame));
        for (Call call : calls) {
            String descriptor = call.descriptor().isEmpty() ? null : call.descriptor();
            for (MethodModel method : methods(call.owner(), call.method(), descriptor)) {
                method.code()
                        .ifPresent(it -> use.add(QueueUse.of(call.owner() + "." + call.method(), it.elementList())));
            }
        }
        return use;
    }

    /// All calls that this frame's method makes. Calls within the program are followed up to a fixed depth.
    Set<Call> calls(Frame frame) {
        Set<Call> calls = new LinkedHashSet<>();
        for (MethodModel method : methods(frame.className(), frame.method(), null)) {
            method.code().ifPresent(it -> collect(it.elementList(), DEPTH, calls, new HashSet<>()));
        }
        return calls;
    }

    /// Whether this frame's method calls a class or one of its interfaces, directly or through its callees.
    boolean reaches(Frame frame, String className) {
        ClassModel target = classes.get(className);
        Set<String> names = new HashSet<>(Set.of(className));
        if (target != null) {
            target.interfaces().forEach(it -> names.add(it.asInternalName().replace('/', '.')));
        }
        return calls(frame).stream().anyMatch(it -> names.contains(it.owner()) && !it.isLibrary());
    }

    private void collect(List<CodeElement> body, int depth, Set<Call> into, Set<Call> visited) {
        for (CodeElement element : body) {
            if (element instanceof InvokeInstruction invoke) {
                Call call = Call.of(invoke);
                into.add(call);
                if (depth > 0 && visited.add(call)) {
                    for (MethodModel callee : methods(call.owner(), call.method(), call.descriptor())) {
                        callee.code().ifPresent(it -> collect(it.elementList(), depth - 1, into, visited));
                    }
                }
            }
        }
    }

    /// The methods of that name: those of the class itself, or of its direct subtypes if none of its own has
    /// code.
    List<MethodModel> methods(String className, String name, @Nullable String descriptor) {
        List<MethodModel> found = new ArrayList<>();
        ClassModel own = classes.get(className);
        if (own != null) {
            addMethods(own, name, descriptor, found);
            if (found.isEmpty() || found.stream().allMatch(it -> it.code().isEmpty())) {
                String internal = className.replace('.', '/');
                for (ClassModel other : classes.values()) {
                    if (other.interfaces().stream()
                                    .anyMatch(it -> it.asInternalName().equals(internal))
                            || other.superclass()
                                    .map(it -> it.asInternalName().equals(internal))
                                    .orElse(false)) {
                        addMethods(other, name, descriptor, found);
                    }
                }
            }
        }
        return found;
    }

    private static void addMethods(ClassModel model, String name, @Nullable String descriptor, List<MethodModel> into) {
        for (MethodModel method : model.methods()) {
            if (method.methodName().stringValue().equals(name)
                    && (descriptor == null || method.methodType().stringValue().equals(descriptor))) {
                into.add(method);
            }
        }
    }

    /// Loops as ranges of elements, from the target of a backward jump to the last jump to that target.
    static List<int[]> loops(List<CodeElement> elements) {
        Map<Label, Integer> labels = new HashMap<>();
        Map<Integer, Integer> ends = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            switch (elements.get(i)) {
                case LabelTarget target -> labels.put(target.label(), i);
                case BranchInstruction branch -> {
                    Integer begin = labels.get(branch.target()); // already known, so the jump is backward
                    if (begin != null) {
                        ends.put(begin, i);
                    }
                }
                default -> {}
            }
        }
        List<int[]> loops = new ArrayList<>();
        ends.forEach((begin, end) -> loops.add(new int[] {begin, end}));
        loops.sort((a, b) -> Integer.compare(b[1] - b[0], a[1] - a[0])); // outermost first
        return loops;
    }

    /// Whether the body contains this line; true if the line is unknown.
    static boolean hasLine(List<CodeElement> body, int line) {
        return line < 0 || body.stream().anyMatch(it -> it instanceof LineNumber number && number.line() == line);
    }
}
