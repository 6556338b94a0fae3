package dev.heddle.internal.kernel;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.heddle.Scheduler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// What one wants to know about a scheduler that hangs: its numbers, and the stacks of all threads, virtual ones
/// included.
final class HangReport {
    private HangReport() {}

    static String of(String problem, Scheduler scheduler) {
        return problem + "\n" + scheduler.stats().schedTrace() + "\n" + scheduler.stats() + "\n" + threads();
    }

    /// The JVM's own dump, carriers with the virtual threads that they carry.
    static String threads() {
        try {
            Path directory = Files.createTempDirectory("heddle-hang");
            Path file = directory.resolve("threads.txt");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
                return Files.readString(file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
        } catch (IOException e) {
            return "no thread dump: " + e;
        }
    }
}
