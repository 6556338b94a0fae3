package dev.heddle.doctor;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Finds the code of the program that sets timers in a pool of the JDK.
final class TimerSetters {

    private static final Set<String> SETTING =
            Set.of("schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay", "orTimeout", "completeOnTimeout");

    private static final String DELAYED = "delayedExecutor";

    private TimerSetters() {}

    /// The methods that set a timer, and then the methods that call these.
    static Set<String> in(CodeReader code) {
        Set<String> direct = new LinkedHashSet<>();
        Set<String> delayed = delayedExecutors(code);
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                if (elements(method).stream().anyMatch(it -> isSetting(it) || uses(it, delayed))
                        && !method.methodName().stringValue().startsWith("<")) {
                    direct.add(nameOf(model, method));
                }
            }
        }
        Set<String> all = new LinkedHashSet<>(direct);
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                if (elements(method).stream().anyMatch(it -> calls(it, direct))) {
                    all.add(nameOf(model, method));
                }
            }
        }
        return all;
    }

    /// The fields into which a `CompletableFuture.delayedExecutor` is put.
    private static Set<String> delayedExecutors(CodeReader code) {
        Set<String> fields = new LinkedHashSet<>();
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                boolean isMade = false;
                for (CodeElement element : elements(method)) {
                    if (element instanceof InvokeInstruction invoke) {
                        isMade = invoke.name().equalsString(DELAYED);
                    } else if (isMade
                            && element instanceof FieldInstruction field
                            && (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC)) {
                        fields.add(nameOf(field));
                    }
                }
            }
        }
        return fields;
    }

    private static boolean isSetting(CodeElement element) {
        return element instanceof InvokeInstruction invoke
                && invoke.owner().asInternalName().startsWith("java/util/")
                && SETTING.contains(invoke.name().stringValue());
    }

    private static boolean uses(CodeElement element, Set<String> fields) {
        return element instanceof FieldInstruction field
                && (field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.GETSTATIC)
                && fields.contains(nameOf(field));
    }

    private static boolean calls(CodeElement element, Set<String> methods) {
        return element instanceof InvokeInstruction invoke
                && methods.contains(invoke.owner().asInternalName().replace('/', '.')
                        + "."
                        + invoke.name().stringValue());
    }

    private static String nameOf(FieldInstruction field) {
        return field.owner().asInternalName() + "." + field.name().stringValue();
    }

    private static String nameOf(ClassModel model, MethodModel method) {
        return model.thisClass().asInternalName().replace('/', '.')
                + "."
                + method.methodName().stringValue();
    }

    private static List<CodeElement> elements(MethodModel method) {
        return method.code().map(CodeModel::elementList).orElse(List.of());
    }
}
