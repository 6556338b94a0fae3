package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Scheduler;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Recordings as lines: what was recorded comes back, and what a killed JVM did not finish is left out.
final class RecordingTest {

    @TempDir
    private Path folder;

    /// Of a real scheduler, so that every record is covered, those of later versions included.
    private static List<SampleWindow> recording() throws InterruptedException {
        Chan<Integer> chan = Chan.make();
        CountDownLatch begun = new CountDownLatch(3);
        try (Scheduler scheduler = Scheduler.builder().name("recorded").procs(1).build()) {
            for (int i = 0; i < 3; i++) {
                scheduler.go(() -> {
                    begun.countDown();
                    chan.receive();
                });
            }
            begun.await();
            List<SampleWindow> all = new Sampler()
                    .record(Duration.ofMillis(50), () -> false).stream()
                            .filter(it -> it.scheduler().equals("recorded"))
                            .map(it -> new SampleWindow(
                                    it.scheduler(), it.samples(), it.dumps(), Map.of("a.B", new byte[] {1, 2, 3})))
                            .toList();
            chan.close();
            return all;
        }
    }

    private static List<String> lines(List<SampleWindow> recording) throws IOException {
        List<String> lines = new ArrayList<>();
        new RecordingWriter(lines::add).write(recording);
        return lines;
    }

    @Test
    void aRecordingComesBack() throws Exception {
        List<SampleWindow> recording = recording();
        assertThat(recording).hasSize(1);
        RecordingReader reader = new RecordingReader();
        List<SampleWindow> copy = null;
        for (String line : lines(recording)) {
            assertThat(copy).as("complete at its last line").isNull();
            copy = reader.read(line);
        }

        assertThat(copy).usingRecursiveComparison().isEqualTo(recording);
    }

    @Test
    void aStackIsWrittenOnce() throws Exception {
        GoroutineStats goroutine =
                recording().getFirst().dumps().getLast().goroutines().getFirst();
        Dump crowd = new Dump(1, Collections.nCopies(1_000, goroutine), true);
        List<String> lines = lines(List.of(new SampleWindow("s", List.of(), List.of(crowd, crowd), Map.of())));

        assertThat(lines.stream().mapToInt(String::length).sum())
                .as("bytes of 2,000 goroutines")
                .isLessThan(2_000 * 400);
    }

    @Test
    void whatAKilledJvmDidNotFinishIsLeftOut() throws Exception {
        String window = String.join("\n", lines(recording())) + "\n";
        Path file = folder.resolve("recording");

        Files.writeString(file, window + window);
        assertThat(WindowWriter.read(file)).hasSize(2);
        for (int cut : new int[] {1, window.length() / 2, window.length() - 3}) {
            Files.writeString(file, window + window.substring(0, cut));
            assertThat(WindowWriter.read(file)).as("cut at " + cut).hasSize(1);
        }
        assertThat(WindowWriter.read(folder.resolve("none"))).isEmpty();
    }
}
