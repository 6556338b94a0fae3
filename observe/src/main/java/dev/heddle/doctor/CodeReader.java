package dev.heddle.doctor;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the program's class files: which calls a method makes, and which of them in a loop.
///
/// No analysis of values: it answers only what names and jumps tell, and in doubt in favour of the program.
final class CodeReader {

    /// How far calls within the program are followed.
    private static final int DEPTH = 4;

    private final Map<String, ClassModel> classes = new HashMap<>();

    CodeReader(Map<String, byte[]> classFiles) {
        classFiles.forEach((name, bytes) -> {
            try {
                classes.put(name, ClassFile.of().parse(bytes));
            } catch (IllegalArgumentException _) {
                // of a later version, or woven by somebody: not readable is not guilty
            }
        });
    }

    Collection<ClassModel> classes() {
        return classes.values();
    }

    /// The loop around this frame's line that asks and never waits; null if there is none, or it cannot be
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

    /// Whether this frame's method does something like asking, itself or through what it calls.
    boolean asks(Frame frame) {
        return calls(frame).stream().anyMatch(Call::asks);
    }

    /// Whether this frame's method asks channels.
    boolean asksChannels(@Nullable Frame frame) {
        return frame != null && calls(frame).stream().anyMatch(Call::asksChannel);
    }

    /// Everything this frame's method calls, within the program to some depth.
    Set<Call> calls(Frame frame) {
        Set<Call> calls = new LinkedHashSet<>();
        for (MethodModel method : methods(frame.className(), frame.method(), null)) {
            method.code().ifPresent(it -> collect(it.elementList(), DEPTH, calls, new HashSet<>()));
        }
        return calls;
    }

    /// Whether this frame's method calls into a class, itself or through what it calls, interfaces included.
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
                Call call = new Call(
                        invoke.owner().asInternalName().replace('/', '.'),
                        invoke.name().stringValue(),
                        invoke.type().stringValue());
                into.add(call);
                if (depth > 0 && visited.add(call)) {
                    for (MethodModel callee : methods(call.owner(), call.method(), call.descriptor())) {
                        callee.code().ifPresent(it -> collect(it.elementList(), depth - 1, into, visited));
                    }
                }
            }
        }
    }

    /// The methods of that name: the class's own, or those of the classes that implement it.
    private List<MethodModel> methods(String className, String name, @Nullable String descriptor) {
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

    /// Loops as ranges of elements, from the target of a jump backwards to the last such jump.
    private static List<int[]> loops(List<CodeElement> elements) {
        Map<Label, Integer> labels = new HashMap<>();
        Map<Integer, Integer> ends = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            switch (elements.get(i)) {
                case LabelTarget target -> labels.put(target.label(), i);
                case BranchInstruction branch -> {
                    Integer begin = labels.get(branch.target()); // known already: backwards
                    if (begin != null) {
                        ends.put(begin, i);
                    }
                }
                default -> {}
            }
        }
        List<int[]> loops = new ArrayList<>();
        ends.forEach((begin, end) -> loops.add(new int[] {begin, end}));
        loops.sort((a, b) -> Integer.compare(b[1] - b[0], a[1] - a[0])); // the outermost first
        return loops;
    }

    /// Whether the line is among these; an unknown line may be.
    private static boolean hasLine(List<CodeElement> body, int line) {
        return line < 0 || body.stream().anyMatch(it -> it instanceof LineNumber number && number.line() == line);
    }
}
