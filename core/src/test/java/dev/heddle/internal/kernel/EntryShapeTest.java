package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What [EntryDepthTest] tries at every depth, seen in the class files: no lock and no entry has another shape than the
/// one that stacks may end in.
class EntryShapeTest {

    private static final String LOCK = "dev/heddle/internal/kernel/SchedulerLock";
    private static final String ENTRY_POINTS = "dev/heddle/internal/kernel/EntryPoints";
    private static final String RESERVE = "dev/heddle/internal/kernel/StackReserve";

    /// The instructions of a method, with the places that its labels mark.
    private record Code(String name, List<Instruction> instructions, Map<Label, Integer> places, CodeModel model) {

        static Code of(ClassModel type, MethodModel method, CodeModel model) {
            List<Instruction> instructions = new ArrayList<>();
            Map<Label, Integer> places = new HashMap<>();
            for (CodeElement element : model) {
                switch (element) {
                    case Instruction instruction -> instructions.add(instruction);
                    case LabelTarget target -> places.put(target.label(), instructions.size());
                    default -> {
                        // line numbers and the like
                    }
                }
            }
            String name = type.thisClass().asInternalName() + "."
                    + method.methodName().stringValue();
            return new Code(name, instructions, places, model);
        }

        /// Where the handler begins of whatever is thrown from `start` on; -1 if there is none.
        int handlerOfEverythingFrom(int start) {
            for (ExceptionCatch handler : model.exceptionHandlers()) {
                if (handler.catchType().isEmpty() && places.get(handler.tryStart()) == start) {
                    return places.get(handler.handler());
                }
            }
            return -1;
        }

        List<Integer> invocations(String owner, String method) {
            List<Integer> found = new ArrayList<>();
            for (int i = 0; i < instructions.size(); i++) {
                if (instructions.get(i) instanceof InvokeInstruction call
                        && call.owner().asInternalName().equals(owner)
                        && call.name().stringValue().equals(method)) {
                    found.add(i);
                }
            }
            return found;
        }
    }

    private static List<Code> codeOf(Path folder) throws IOException {
        List<Code> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(it -> it.toString().endsWith(".class"))::iterator) {
                ClassModel type = ClassFile.of().parse(file);
                for (MethodModel method : type.methods()) {
                    method.code().ifPresent(model -> all.add(Code.of(type, method, model)));
                }
            }
        }
        return all;
    }

    private static List<Code> heddle() throws IOException {
        try {
            return codeOf(Path.of(Kernel.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("dev/heddle/internal/kernel"));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// `lock(); try { .. } finally { held = 0; }`: nothing between, and no call before the store.
    private static boolean hasShape(Code code, int lock) {
        return unlocksFirst(code, code.handlerOfEverythingFrom(lock + 1));
    }

    /// Whether the handler at this place releases the lock before it calls anything.
    private static boolean unlocksFirst(Code code, int handler) {
        for (int i = handler; i >= 0 && i < code.instructions().size(); i++) {
            Instruction instruction = code.instructions().get(i);
            if (instruction instanceof InvokeInstruction) {
                return false;
            }
            if (instruction instanceof FieldInstruction field
                    && field.opcode() == Opcode.PUTFIELD
                    && field.owner().asInternalName().equals(LOCK)
                    && field.name().stringValue().equals("held")) {
                return true;
            }
        }
        return false;
    }

    @Test
    void everyLockIsReleasedByAStore() throws IOException {
        int locks = 0;
        List<String> wrong = new ArrayList<>();
        for (Code code : heddle()) {
            for (int lock : code.invocations(LOCK, "lock")) {
                locks++;
                if (!hasShape(code, lock)) {
                    wrong.add(code.name());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(locks).isGreaterThan(20);
    }

    /// The sections of a method that release the lock at their end, whether or not they took it: where each begins.
    private static Map<Integer, Integer> sectionsOf(Code code) {
        Map<Integer, Integer> beginOfHandler = new HashMap<>(); // a `return` inside splits a section, so take the first
        for (ExceptionCatch handler : code.model().exceptionHandlers()) {
            int place = code.places().get(handler.handler());
            if (handler.catchType().isEmpty() && unlocksFirst(code, place)) {
                beginOfHandler.merge(place, code.places().get(handler.tryStart()), Math::min);
            }
        }
        return beginOfHandler;
    }

    @Test
    void noSectionBeginsWithoutTheLock() throws IOException {
        int sections = 0;
        List<String> wrong = new ArrayList<>();
        for (Code code : heddle()) {
            List<Integer> locks = code.invocations(LOCK, "lock");
            for (int begin : sectionsOf(code).values()) {
                sections++;
                if (!locks.contains(begin - 1)) {
                    wrong.add(code.name());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(sections).isGreaterThan(20);
    }

    /// A rule that never fires would pass as well.
    static final class WrongLocks {
        private final SchedulerLock lock = new SchedulerLock();
        private int inside;

        void withoutTry() {
            lock.lock();
            inside++;
            lock.held = 0;
        }

        void withACallBetween() {
            lock.lock();
            Chaos.point();
            try {
                inside++;
            } finally {
                lock.held = 0;
            }
        }

        void releasedByACall() {
            lock.lock();
            try {
                inside++;
            } finally {
                unlock();
            }
        }

        private void unlock() {
            lock.held = 0;
        }

        void withoutTheLock() {
            try {
                inside++;
            } finally {
                lock.held = 0;
            }
        }
    }

    @Test
    void wrongLocksAreFound() throws Exception {
        Path tests = Path.of(EntryShapeTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ClassModel type =
                ClassFile.of().parse(tests.resolve("dev/heddle/internal/kernel/EntryShapeTest$WrongLocks.class"));
        int found = 0;
        int sections = 0;
        for (MethodModel method : type.methods()) {
            Code code = Code.of(type, method, method.code().orElseThrow());
            if (code.name().endsWith(".withoutTheLock")) {
                sections += sectionsOf(code).size();
            }
            for (int lock : code.invocations(LOCK, "lock")) {
                found++;
                assertThat(hasShape(code, lock)).as(code.name()).isFalse();
            }
        }
        assertThat(found).isEqualTo(3);
        assertThat(sections).as("sections without the lock").isOne();
    }

    /// Nothing is called before the stack has been asked for.
    @Test
    void everyEntryAsksForStackFirst() throws IOException {
        int entries = 0;
        for (Code code : heddle()) {
            List<Integer> enters = code.invocations(ENTRY_POINTS, "enter");
            if (!enters.isEmpty()) {
                entries++;
                InvokeInstruction first = (InvokeInstruction) code.instructions().stream()
                        .filter(InvokeInstruction.class::isInstance)
                        .findFirst()
                        .orElseThrow();
                assertThat(first.owner().asInternalName()).as(code.name()).isEqualTo(RESERVE);
            }
        }
        assertThat(entries).isEqualTo(11); // one for each of EntryPoints' constants
    }

    /// There is one way in: only the frame pins, enters and leaves, beside the loop of machines.
    @Test
    void noOtherThreadEnters() throws IOException {
        TreeSet<String> pinning = new TreeSet<>();
        TreeSet<String> entering = new TreeSet<>();
        for (Code code : heddle()) {
            if (!code.invocations("dev/heddle/internal/jdk/Jdk", "pin").isEmpty()) {
                pinning.add(code.name());
            }
            for (String owner :
                    List.of("dev/heddle/internal/kernel/Machine", "dev/heddle/internal/kernel/ProcessorOwner")) {
                if (!code.invocations(owner, "enterKernel").isEmpty()) {
                    entering.add(code.name());
                }
            }
        }
        assertThat(entering)
                .containsExactly(
                        "dev/heddle/internal/kernel/EntryPoints.enter", "dev/heddle/internal/kernel/Machine.execute");
        assertThat(pinning)
                .filteredOn(it -> !it.startsWith("dev/heddle/internal/kernel/WarmUp."))
                .containsExactly("dev/heddle/internal/kernel/EntryPoints.enter");
    }

    /// What restores depth, word and entry after a failure calls nothing: the stack may have ended.
    @Test
    void failuresAreMadeGoodByStores() throws IOException {
        Code enter = heddle().stream()
                .filter(it -> it.name().equals(ENTRY_POINTS + ".enter"))
                .findFirst()
                .orElseThrow();
        int handler = enter.model().exceptionHandlers().stream()
                .filter(it -> it.catchType()
                        .filter(type -> type.asInternalName().equals("java/lang/Throwable"))
                        .isPresent())
                .mapToInt(it -> enter.places().get(it.handler()))
                .findFirst()
                .orElseThrow();
        List<String> called = new ArrayList<>();
        for (int i = handler; i < enter.instructions().size(); i++) {
            if (enter.instructions().get(i) instanceof InvokeInstruction call) {
                called.add(call.name().stringValue());
            }
        }
        assertThat(called).as("only what `finally` repeats").isNotEmpty().allMatch("unpin"::equals);
    }
}
