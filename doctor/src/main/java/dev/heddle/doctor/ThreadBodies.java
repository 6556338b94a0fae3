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
import org.jspecify.annotations.Nullable;

/// Tells which methods run only as the bodies of threads that the program starts: lambdas that it hands to a thread or
/// an executor at once, and methods that only these call.
///
/// When in doubt a method is no such body. A lambda that is stored, or handed to a server as a handler, may be called
/// at any time.
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

    ThreadBodies(CodeReader code) {
        this.code = code;
    }

    /// The methods that call this one of the JDK's directly.
    List<Method> callersOf(String className, String name) {
        List<Method> callers = new ArrayList<>();
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                if (elements(method).stream().anyMatch(it -> isCall(it, className, name))) {
                    callers.add(new Method(nameOf(model), method.methodName().stringValue()));
                }
            }
        }
        return callers;
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
                        if (!isStart(nextCall(elements, i))) {
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
        List<Method> callers = callersOf(method.className, method.name);
        return !callers.isEmpty() && callers.stream().allMatch(it -> isBody(it, depth - 1));
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

    private static boolean isStart(@Nullable InvokeInstruction invoke) {
        if (invoke == null) {
            return false;
        }
        String owner = invoke.owner().asInternalName();
        return (owner.startsWith("java/") || owner.startsWith("dev/heddle/"))
                && STARTS.contains(invoke.name().stringValue());
    }

    private static boolean isCall(CodeElement element, String className, String name) {
        return element instanceof InvokeInstruction invoke
                && invoke.owner().asInternalName().equals(className.replace('.', '/'))
                && invoke.name().stringValue().equals(name);
    }

    private static List<CodeElement> elements(MethodModel method) {
        return method.code().map(it -> it.elementList()).orElse(List.of());
    }

    private static String nameOf(ClassModel model) {
        return model.thisClass().asInternalName().replace('/', '.');
    }
}
