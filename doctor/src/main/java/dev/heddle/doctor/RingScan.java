package dev.heddle.doctor;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Recognises a ring buffer that is written for one thread: an array, two plain counters that are reduced by `%` or `&`
/// to index it, and no synchronization in the class.
///
/// @param className the class
/// @param indexes   its plain counters
/// @param moves     whether it has a method that moves entries from one ring to another, as a thief does
record RingScan(String className, Set<String> indexes, boolean moves) {

    /// Maximum number of instructions between reading a counter and reducing it: `(tail + i) % SIZE`.
    private static final int NEAR = 5;

    /// Whether this class is a ring for one thread that moves entries to or from another ring.
    boolean isPlainRing() {
        return indexes.size() >= 2 && moves;
    }

    static RingScan of(ClassModel model) {
        String name = model.thisClass().asInternalName();
        Set<String> indexes = new TreeSet<>();
        boolean moves = false;
        boolean hasArray = model.fields().stream()
                .anyMatch(it -> it.fieldType().stringValue().startsWith("["));
        if (hasArray && !synchronizes(model)) {
            Set<String> plain = plainCounters(model);
            for (MethodModel method : model.methods()) {
                List<CodeElement> code =
                        method.code().map(it -> it.elementList()).orElse(List.of());
                indexes.addAll(indexesIn(code, name, plain));
                moves |= handlesAnother(method, code, name) && writes(code, name, plain);
            }
        }
        return new RingScan(name.replace('/', '.'), indexes, moves);
    }

    private static Set<String> plainCounters(ClassModel model) {
        return model.fields().stream()
                .filter(it -> isInteger(it) && isPlain(it.flags()))
                .map(it -> it.fieldName().stringValue())
                .collect(Collectors.toSet());
    }

    private static boolean isInteger(FieldModel field) {
        String type = field.fieldType().stringValue();
        return type.equals("I") || type.equals("J");
    }

    private static boolean isPlain(AccessFlags flags) {
        return !flags.has(AccessFlag.FINAL) && !flags.has(AccessFlag.VOLATILE) && !flags.has(AccessFlag.STATIC);
    }

    private static boolean synchronizes(ClassModel model) {
        for (MethodModel method : model.methods()) {
            if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
                return true;
            }
            for (CodeElement element : method.code().map(it -> it.elementList()).orElse(List.of())) {
                if (element instanceof MonitorInstruction
                        || (element instanceof InvokeInstruction invoke && isSynchronizer(invoke))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isSynchronizer(InvokeInstruction invoke) {
        String owner = invoke.owner().asInternalName();
        return owner.startsWith("java/util/concurrent/")
                || owner.startsWith("java/lang/invoke/")
                || owner.endsWith("/Unsafe");
    }

    private static Set<String> indexesIn(List<CodeElement> code, String owner, Set<String> plain) {
        Set<String> indexes = new TreeSet<>();
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof OperatorInstruction operator && reduces(operator.opcode())) {
                for (CodeElement before : code.subList(Math.max(0, i - NEAR), i)) {
                    if (before instanceof FieldInstruction field && isOf(field, Opcode.GETFIELD, owner, plain)) {
                        indexes.add(field.name().stringValue());
                    }
                }
            }
        }
        return indexes;
    }

    private static boolean reduces(Opcode opcode) {
        return opcode == Opcode.IREM || opcode == Opcode.IAND || opcode == Opcode.LREM || opcode == Opcode.LAND;
    }

    private static boolean writes(List<CodeElement> code, String owner, Set<String> plain) {
        return code.stream()
                .anyMatch(it -> it instanceof FieldInstruction field && isOf(field, Opcode.PUTFIELD, owner, plain));
    }

    private static boolean isOf(FieldInstruction field, Opcode opcode, String owner, Set<String> plain) {
        return field.opcode() == opcode
                && field.owner().asInternalName().equals(owner)
                && plain.contains(field.name().stringValue());
    }

    /// Whether a method has another ring as a parameter or casts an object to the ring class.
    private static boolean handlesAnother(MethodModel method, List<CodeElement> code, String owner) {
        String parameters = method.methodType().stringValue();
        return parameters.substring(0, parameters.indexOf(')')).contains("L" + owner + ";")
                || code.stream()
                        .anyMatch(it -> it instanceof TypeCheckInstruction cast
                                && cast.type().asInternalName().equals(owner));
    }
}
