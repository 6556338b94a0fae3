package dev.heddle.internal.observe;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The CPU time of the JIT compilers' threads.
///
/// The JVM's own figure is the elapsed time of compilations: on a busy host a compilation lasts long although the
/// compiler hardly runs. These threads are not visible from Java; Linux lists them by name. One thread.
final class CompilerTime {

    /// As the kernel cuts "C2 CompilerThread0".
    private static final String NAME = " CompilerThre";

    /// How long the list of threads is used: the JVM starts and ends compiler threads as it needs them.
    private static final long LISTED_NANOS = 1_000_000_000;

    private final Path tasks;
    private final @Nullable CompilationMXBean bean = ManagementFactory.getCompilationMXBean(); // null with -Xint
    private final Map<Path, Long> nanosByThread = new HashMap<>(); // of ended threads too: the sum never shrinks
    private long listedAt;

    CompilerTime() {
        this(Path.of("/proc/self/task"));
    }

    /// @param tasks a folder with a folder for each thread, as in `/proc/self/task`
    CompilerTime(Path tasks) {
        this.tasks = tasks;
        this.listedAt = System.nanoTime() - LISTED_NANOS;
    }

    /// Milliseconds since the JVM started: of CPU time where that is known, otherwise elapsed; 0 if neither is.
    long millis() {
        try {
            if (System.nanoTime() - listedAt >= LISTED_NANOS) {
                list();
            }
            for (Path thread : nanosByThread.keySet()) {
                read(thread);
            }
        } catch (IOException | RuntimeException _) {
            nanosByThread.clear(); // no such files: not Linux, or no access
        }
        return nanosByThread.isEmpty()
                ? elapsedMillis()
                : nanosByThread.values().stream().mapToLong(Long::longValue).sum() / 1_000_000;
    }

    private void list() throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                if (!nanosByThread.containsKey(thread)
                        && nameOf(thread).contains(NAME)
                        && Files.isReadable(thread.resolve("schedstat"))) {
                    nanosByThread.put(thread, 0L);
                }
            }
        }
        listedAt = System.nanoTime();
    }

    private static String nameOf(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException _) {
            return ""; // it has just ended
        }
    }

    /// The first number of `schedstat` is the time on a CPU, in nanoseconds. That of an ended thread stays.
    private void read(Path thread) {
        try {
            String figures = Files.readString(thread.resolve("schedstat"));
            nanosByThread.put(thread, Long.parseLong(figures.substring(0, figures.indexOf(' '))));
        } catch (IOException _) {
            // it has ended
        }
    }

    private long elapsedMillis() {
        return bean != null && bean.isCompilationTimeMonitoringSupported() ? bean.getTotalCompilationTime() : 0;
    }
}
