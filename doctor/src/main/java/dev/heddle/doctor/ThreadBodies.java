package dev.heddle.doctor;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Tells which methods run only as the bodies of threads that the program starts: `main`, lambdas that it hands to a
/// thread or an executor at once, the `run` of a thread's class, and methods that only these call. A method of the
/// program may hand the lambda over, if it starts a thread itself.
///
/// When in doubt a method is no such body. A lambda that is stored, or handed to a server as a handler, may be called
/// at any time. So may a thread that is made for a shutdown hook.
final class ThreadBodies {

    /// Methods that start a thread or a task for the lambda they get.
    private static final Set<String> STARTS = Set.of(
            "startVirtualThread",
            "start",
            "unstarted",
            "execute",
            "submit",
            "runAsync",
            "supplyAsync",
            "fork",
            "newThread",
            "go");

    /// How many callers are followed.
    private static final int DEPTH = 3;

    /// @param className its class, with package
    /// @param name      its name
    record Method(String className, String name) {}

    private final CodeReader code;
    private final boolean hasHooks;

    ThreadBodies(CodeReader code) {
        this.code = code;
        this.hasHooks = code.anyCall(it -> it.method().equals("addShutdownHook"));
    }

    /// The methods that make such a call directly.
    List<Method> callers(Predicate<Use> wanted) {
        List<Method> callers = new ArrayList<>();
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                List<CodeElement> elements = elements(method);
                for (int i = 0; i < elements.size(); i++) {
                    if (elements.get(i) instanceof InvokeInstruction && wanted.test(Use.of(elements, i))) {
                        callers.add(
                                new Method(nameOf(model), method.methodName().stringValue()));
                        break;
                    }
                }
            }
        }
        return callers;
    }

    private List<Method> callersOf(Method method) {
        return callers(it ->
                it.call().owner().equals(method.className) && it.call().method().equals(method.name));
    }

    /// Whether the method runs only as the body of a thread, or within one.
    boolean isBody(Method method) {
        return isBody(method, DEPTH);
    }

    private boolean isBody(Method method, int depth) {
        boolean isHandedOver = false;
        for (ClassModel model : code.classes()) {
            for (MethodModel each : model.methods()) {
                List<CodeElement> elements = elements(each);
                for (int i = 0; i < elements.size(); i++) {
                    if (refersTo(elements.get(i), method)) {
                        InvokeInstruction next = nextCall(elements, i);
                        if (next == null || !(isStart(next) || startsItself(next))) {
                            return false;
                        }
                        isHandedOver = true;
                    }
                }
            }
        }
        if (isHandedOver || depth == 0) {
            return isHandedOver;
        }
        List<Method> callers = callersOf(method);
        return callers.isEmpty()
                ? method.name.equals("main") || (method.name.equals("run") && isThread(method.className))
                : callers.stream().allMatch(it -> it.equals(method) || isBody(it, depth - 1));
    }

    /// Whether the class is one of threads or of their tasks, and not one of hooks.
    private boolean isThread(String className) {
        return !hasHooks
                && code.classes().stream()
                        .filter(it -> nameOf(it).equals(className))
                        .anyMatch(it -> it.superclass()
                                .filter(type -> type.asInternalName().equals("java/lang/Thread"))
                                .isPresent());
    }

    private static boolean refersTo(CodeElement element, Method method) {
        return element instanceof InvokeDynamicInstruction dynamic
                && dynamic.bootstrapArgs().stream()
                        .anyMatch(it -> it instanceof DirectMethodHandleDesc handle
                                && handle.methodName().equals(method.name)
                                && handle.owner().descriptorString().equals(descriptor(method.className)));
    }

    private static String descriptor(String className) {
        return "L" + className.replace('.', '/') + ";";
    }

    private static @Nullable InvokeInstruction nextCall(List<CodeElement> elements, int from) {
        for (CodeElement element : elements.subList(from + 1, elements.size())) {
            if (element instanceof InvokeInstruction invoke) {
                return invoke;
            }
        }
        return null;
    }

    private boolean isStart(InvokeInstruction invoke) {
        String owner = invoke.owner().asInternalName();
        String name = invoke.name().stringValue();
        boolean isThread = owner.equals("java/lang/Thread") && name.equals("<init>") && !hasHooks;
        return isThread || ((owner.startsWith("java/") || owner.startsWith("dev/heddle/")) && STARTS.contains(name));
    }

    /// Whether a method of the program starts threads: one that is there to start what it gets.
    private boolean startsItself(InvokeInstruction invoke) {
        Call call = Call.of(invoke);
        return code.methods(call.owner(), call.method(), call.descriptor()).stream()
                .flatMap(it -> elements(it).stream())
                .anyMatch(it -> it instanceof InvokeInstruction inner && isStart(inner));
    }

    private static List<CodeElement> elements(MethodModel method) {
        return method.code().map(it -> it.elementList()).orElse(List.of());
    }

    private static String nameOf(ClassModel model) {
        return model.thisClass().asInternalName().replace('/', '.');
    }
}
