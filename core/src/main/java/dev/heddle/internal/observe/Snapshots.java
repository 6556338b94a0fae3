package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.trace.LatencyWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The files that the flight recorder writes by itself, into the folder for temporary files, when something has
/// happened. Each is `heddle-PID-CAUSE.trace`; a newer one replaces the older one of the same cause.
final class Snapshots {

    /// What may happen. Its name in small letters is part of the file's name.
    enum Cause {
        /// The program is deadlocked, and is ended then.
        DEADLOCK,
        /// The doctor has found a cause.
        FINDING,
        /// A goroutine was runnable for too long.
        LATENCY,
        /// A part of the scheduler has failed.
        BUG
    }

    /// Between two files of one cause: an operator has a minute to save the first one.
    private static final long PAUSE_NANOS = 60_000_000_000L;

    /// When the last file of each cause was written. Guarded by itself.
    private static final Map<Cause, Long> LAST = new EnumMap<>(Cause.class);

    private Snapshots() {}

    /// Writes what the flight recorder has, if there is one, at most once a minute for each cause. One line on standard
    /// error names the file. Any thread that may wait.
    static void keep(Cause cause, String why) {
        if (TraceControl.hasFlight() && mayKeep(cause, System.nanoTime())) {
            write(cause, why);
        }
    }

    /// The same on a thread of its own, for the thread that empties the buffers: it must go on meanwhile.
    static void late(LatencyWatch.Late late) {
        if (TraceControl.hasFlight() && mayKeep(Cause.LATENCY, System.nanoTime())) {
            new Writer(sentence(late)).start();
        }
    }

    static boolean mayKeep(Cause cause, long now) {
        synchronized (LAST) {
            Long last = LAST.get(cause);
            if (last != null && now - last < PAUSE_NANOS) {
                return false;
            }
            LAST.put(cause, now);
            return true;
        }
    }

    static String sentence(LatencyWatch.Late late) {
        return "%s %s for %.1f ms and did not run, from %.3f s on"
                .formatted(
                        late.thread() == 0 ? "a goroutine" : "the goroutine of thread " + late.thread(),
                        late.isStill() ? "has been runnable" : "was runnable",
                        (double) late.nanos() / TimeUnit.MILLISECONDS.toNanos(1),
                        (double) late.since() / TimeUnit.SECONDS.toNanos(1));
    }

    private static void write(Cause cause, String why) {
        Path file = Path.of(Settings.fact("java.io.tmpdir"))
                .resolve("heddle-%d-%s.trace"
                        .formatted(ProcessHandle.current().pid(), cause.name().toLowerCase(Locale.ROOT)));
        try {
            TraceControl.createPrivate(file);
            TraceControl.snapshot(file, why);
            System.err.println("heddle: the last seconds of the execution trace are in " + file);
        } catch (IOException | IllegalStateException e) {
            System.err.println("heddle: " + e.getMessage());
        }
    }

    /// Writes the file of a latency.
    private static final class Writer extends Thread implements KernelThread {
        private final String why;

        Writer(String why) {
            super(null, null, "heddle-trace-snapshot", 0, /* inheritInheritableThreadLocals= */ false);
            this.why = why;
            setDaemon(true);
        }

        @Override
        public void run() {
            write(Cause.LATENCY, why);
        }
    }
}
