package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.ErrGroup;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.Trace;
import dev.heddle.WaitGroup;
import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.RecordedFile;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.internal.trace.TraceFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Traces of this JVM, written to files.
class TraceControlTest {

    @TempDir
    private Path folder;

    /// What is in a file.
    private record Content(List<TraceEvent> events, List<Block.Type> blocks) {

        static Content of(Path file) throws IOException, ByteSource.Damage {
            List<TraceEvent> events = new ArrayList<>();
            List<Block.Type> blocks = new ArrayList<>();
            Map<Long, EventDecoder> decoders = new HashMap<>();
            Map<Long, String> names = new HashMap<>();
            try (InputStream in = Files.newInputStream(file)) {
                TraceFile.Reader reader = new TraceFile.Reader(in);
                for (Block block = reader.next(); block != null; block = reader.next()) {
                    blocks.add(block.type());
                    ByteSource payload = new ByteSource(block.payload());
                    switch (block.type()) {
                        case NAMES -> {
                            while (!payload.isAtEnd()) {
                                names.put(payload.unsigned(), payload.text());
                            }
                        }
                        case BUFFER -> {
                            EventDecoder.Buffer buffer = EventDecoder.Buffer.of(payload);
                            decoders.put(buffer.id(), new EventDecoder(buffer, id -> "#" + id));
                        }
                        case DATA -> {
                            EventDecoder.Piece piece = EventDecoder.Piece.of(payload);
                            decoders.get(piece.buffer()).decode(piece, payload, events::add);
                        }
                        default -> {
                            // not needed
                        }
                    }
                }
                assertThat(reader.damage()).isNull();
            }
            return new Content(
                    events.stream()
                            .map(it -> new TraceEvent(
                                    it.time(),
                                    it.scheduler(),
                                    it.machine(),
                                    it.writer(),
                                    it.kind(),
                                    it.a(),
                                    it.b(),
                                    it.c(),
                                    it.d(),
                                    it.name().isEmpty()
                                            ? ""
                                            : names.getOrDefault(
                                                    Long.parseLong(it.name().substring(1)), "missing"),
                                    it.text()))
                            .toList(),
                    blocks);
        }

        List<TraceEvent> of(EventKind kind) {
            return events.stream().filter(it -> it.kind() == kind).toList();
        }
    }

    @Test
    void whatTheProgramAddsIsInTheFile() throws Exception {
        Path file = folder.resolve("a.trace");
        Trace.start(file);
        assertThat(Trace.isEnabled()).isTrue();
        assertThatThrownBy(() -> Trace.start(file)).isInstanceOf(IllegalStateException.class);
        try (Scheduler scheduler =
                Scheduler.builder().procs(1).name("annotated").build()) {
            scheduler.go(TraceControlTest::annotate);
        }
        annotate(); // on a platform thread
        Trace.stop();
        Trace.stop();
        assertThat(Trace.isEnabled()).isFalse();
        annotate(); // while nothing is recorded

        Content content = Content.of(file);
        assertThat(content.blocks())
                .startsWith(Block.Type.HEADER)
                .endsWith(Block.Type.MARK)
                .contains(Block.Type.SCHEDULER, Block.Type.NAMES);
        for (EventKind kind :
                List.of(EventKind.TASK_BEGIN, EventKind.REGION_BEGIN, EventKind.REGION_END, EventKind.LOG)) {
            assertThat(content.of(kind)).as(kind.name()).hasSize(2);
            assertThat(content.of(kind)).anyMatch(it -> it.machine() >= 0).anyMatch(it -> it.machine() < 0);
        }
        assertThat(content.of(EventKind.TASK_END)).hasSize(2);
        TraceEvent log = content.of(EventKind.LOG).getFirst();
        assertThat(log.name()).isEqualTo("category");
        assertThat(log.text()).isEqualTo("message");
        assertThat(content.of(EventKind.TASK_BEGIN)).allMatch(it -> it.name().equals("task"));
        assertThat(content.of(EventKind.TASK_BEGIN).stream().map(it -> it.get(Field.TASK)))
                .containsExactlyInAnyOrderElementsOf(content.of(EventKind.LOG).stream()
                        .map(it -> it.get(Field.TASK))
                        .toList());
    }

    /// A body that counts down.
    private record Ours(CountDownLatch done) implements Go.Body {
        @Override
        public void run() {
            done.countDown();
        }
    }

    /// Not after the group, which is the same for all.
    @Test
    void goroutinesOfGroupsAreNamedAfterTheUsersBody() throws Exception {
        Path file = folder.resolve("groups");
        Trace.start(file);
        try (Scheduler scheduler = Scheduler.builder().procs(1).name("groups").build()) {
            CountDownLatch done = new CountDownLatch(2);
            scheduler.go(() -> {
                new WaitGroup().go(new Ours(done));
                new ErrGroup().go(new Ours(done));
            });
            done.await();
        }
        Trace.stop();
        assertThat(Content.of(file).of(EventKind.GO_CREATE).stream().map(TraceEvent::name))
                .containsExactly(TraceControlTest.class.getName(), Ours.class.getName(), Ours.class.getName());
    }

    private static void annotate() {
        try (Trace.Task task = Trace.task("task");
                Trace.Region _ = task.region("region")) {
            task.log("category", "message");
        }
    }

    /// A block of a file has at most a megabyte.
    @Test
    void aHugeNameIsCutOff() throws Exception {
        Path file = folder.resolve("a.trace");
        Trace.start(file);
        Trace.task("x".repeat(3 << 20)).close();
        Trace.log("y".repeat(1000), "z".repeat(1000));
        Trace.stop();
        Content content = Content.of(file);
        assertThat(content.of(EventKind.TASK_BEGIN))
                .extracting(TraceEvent::name)
                .containsExactly("x".repeat(512));
        assertThat(content.of(EventKind.LOG)).extracting(TraceEvent::name).containsExactly("y".repeat(512));
        assertThat(content.of(EventKind.LOG)).extracting(TraceEvent::text).containsExactly("z".repeat(512));
    }

    @Test
    void pausesOfTheGarbageCollectorAndThreadsAreTold() throws Exception {
        Path file = folder.resolve("a.trace");
        CountDownLatch release = new CountDownLatch(1);
        try (Scheduler scheduler =
                Scheduler.builder().procs(1).name("collected").build()) {
            TraceControl.TraceFileWriter writer = TraceControl.record(file, 0);
            scheduler.go(release::await);
            // the JVM reports a pause some time after it
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                System.gc();
                return Files.size(file) > 0 && hasPause(file);
            });
            writer.end();
            release.countDown();
        }
        Content content = Content.of(file);
        assertThat(content.of(EventKind.GC)).allMatch(it -> it.name().contains("System.gc()"));
        assertThat(content.blocks()).contains(Block.Type.THREADS);
    }

    private static boolean hasPause(Path file) throws Exception {
        return !Content.of(file).of(EventKind.GC).isEmpty();
    }

    @Test
    void severalFilesAtATimeAreWhole() throws Exception {
        try (Scheduler scheduler = Scheduler.builder().procs(1).name("twice").build()) {
            TraceControl.TraceFileWriter first = TraceControl.record(folder.resolve("first"), 0);
            run(scheduler);
            TraceControl.TraceFileWriter second = TraceControl.record(folder.resolve("second"), 0);
            run(scheduler);
            assertThat(first.end()).isZero();
            run(scheduler);
            assertThat(second.end()).isZero();
        }
        long inFirst =
                Content.of(folder.resolve("first")).of(EventKind.GO_CREATE).size();
        long inSecond =
                Content.of(folder.resolve("second")).of(EventKind.GO_CREATE).size();
        assertThat(inFirst).isEqualTo(2);
        assertThat(inSecond).as("the chunk that was begun before is in it, too").isBetween(2L, 3L);
    }

    @Test
    void stacksAreInTheFileOnRequest() throws Exception {
        Path with = folder.resolve("with");
        Path without = folder.resolve("without");
        try (Scheduler scheduler = Scheduler.builder().procs(1).name("stacks").build()) {
            Trace.start(with, Trace.Options.DEFAULT.withStacksEvery(1));
            nap(scheduler);
            Trace.stop();
            Trace.start(without);
            nap(scheduler);
            Trace.stop();
        }
        assertThat(RecordedFile.stacks(with)).anyMatch(TraceControlTest::isInNap);
        assertThat(RecordedFile.stacks(without)).isEmpty();
        assertThat(Content.of(without).of(EventKind.GO_STACK)).isEmpty();
        assertThatThrownBy(() -> Trace.Options.DEFAULT.withStacksEvery(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stacksEvery must not be negative: -1");
    }

    /// All recordings get the same events.
    @Test
    void theRecordingThatWantsTheMostStacksDecidesForAll() throws Exception {
        try (Scheduler scheduler = Scheduler.builder().procs(1).name("stacks").build()) {
            TraceControl.TraceFileWriter none = TraceControl.record(folder.resolve("none"), 0);
            nap(scheduler);
            none.end();
            TraceControl.TraceFileWriter rare = TraceControl.record(folder.resolve("rare"), 1_000_000);
            TraceControl.TraceFileWriter all = TraceControl.record(folder.resolve("all"), 1);
            nap(scheduler);
            nap(scheduler);
            all.end();
            for (int i = 0; i < 3; i++) {
                nap(scheduler);
            }
            TraceControl.TraceFileWriter late = TraceControl.record(folder.resolve("late"), 0);
            for (int i = 0; i < 3; i++) {
                nap(scheduler);
            }
            late.end();
            rare.end();
        }
        assertThat(RecordedFile.stacks(folder.resolve("none"))).isEmpty();
        assertThat(RecordedFile.stacks(folder.resolve("all"))).anyMatch(TraceControlTest::isInNap);
        int shared = naps(folder.resolve("rare"));
        assertThat(shared)
                .as("stacks while the other file was written, and at most one more")
                .isBetween(2, 3);
    }

    private static int naps(Path file) throws Exception {
        return Content.of(file).of(EventKind.GO_STACK).size();
    }

    private static void nap(Scheduler scheduler) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        scheduler.go(() -> {
            Thread.sleep(1);
            done.countDown();
        });
        done.await();
    }

    private static boolean isInNap(List<String> stack) {
        return stack.stream().anyMatch(it -> it.contains("lambda$nap$"));
    }

    private static void run(Scheduler scheduler) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        scheduler.go(done::countDown);
        done.await();
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedInOneSentence() {
        Path missing = folder.resolve("missing/a.trace");
        assertThatThrownBy(() -> TraceControl.record(missing, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("the trace cannot be written to " + missing
                        + " (its folder does not exist): name another file.");
    }

    /// The program goes on, and so does a recording to another file.
    @Test
    void aFullDiskIsToldInOneSentence() throws Exception {
        Path full = Path.of("/dev/full");
        try (Scheduler scheduler = Scheduler.builder().procs(1).name("full").build()) {
            TraceControl.TraceFileWriter writer = TraceControl.record(full, 0);
            TraceControl.TraceFileWriter other = TraceControl.record(folder.resolve("other"), 0);
            run(scheduler);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> writer.problem() != null);
            run(scheduler);
            assertThatThrownBy(writer::end)
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "the trace cannot be written to /dev/full (No space left on device): name another file.");
            other.end();
        }
        assertThat(Content.of(folder.resolve("other")).of(EventKind.GO_CREATE)).hasSize(2);
    }
}
