package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The CPU time of compilers, from files as Linux shows them.
final class CompilerTimeTest {

    @TempDir
    Path tasks;

    @Test
    void theTimesOfAllCompilersAreAdded() throws IOException {
        thread(1, "java", 900_000_000);
        thread(2, "C2 CompilerThre", 30_000_000);
        thread(3, "C1 CompilerThre", 12_000_000);

        assertThat(new CompilerTime(tasks).millis()).isEqualTo(42);
    }

    @Test
    void theTimeGoesOnWithTheFigures() throws IOException {
        thread(2, "C2 CompilerThre", 30_000_000);
        var time = new CompilerTime(tasks);
        assertThat(time.millis()).isEqualTo(30);

        thread(2, "C2 CompilerThre", 45_000_000);
        assertThat(time.millis()).isEqualTo(45);
    }

    /// Otherwise the sum would go back, and a program that starts would look warm.
    @Test
    void theTimeOfACompilerThatEndsIsKept() throws IOException {
        thread(2, "C2 CompilerThre", 30_000_000);
        thread(3, "C2 CompilerThre", 5_000_000);
        var time = new CompilerTime(tasks);
        assertThat(time.millis()).isEqualTo(35);

        Files.delete(tasks.resolve("3/schedstat"));
        assertThat(time.millis()).isEqualTo(35);
    }

    @Test
    void withoutSuchFilesItIsTheElapsedTime() throws IOException {
        thread(1, "java", 900_000_000);
        long before = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();

        assertThat(new CompilerTime(tasks).millis())
                .isBetween(before, ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
        assertThat(new CompilerTime(tasks.resolve("none")).millis()).isGreaterThanOrEqualTo(before);
    }

    private void thread(int id, String name, long nanos) throws IOException {
        Path folder = Files.createDirectories(tasks.resolve("" + id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), nanos + " 123 4\n");
    }
}
