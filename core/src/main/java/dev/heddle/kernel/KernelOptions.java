package dev.heddle.kernel;

import dev.heddle.queue.StealPolicy;
import org.jspecify.annotations.Nullable;

/// How a kernel is set up.
///
/// @param name       what its threads are called
/// @param procs      the number of processors to begin with
/// @param maxMachines at most so many carrier threads
/// @param idleNanos  how long an idle machine is kept
/// @param steal      how much a thief takes
/// @param handler    what gets the exceptions that goroutines do not catch; null for the thread's own handler
public record KernelOptions(
        String name,
        int procs,
        int maxMachines,
        long idleNanos,
        StealPolicy steal,
        Thread.@Nullable UncaughtExceptionHandler handler) {

    /// Go's limit on threads.
    public static final int DEFAULT_MAX_MACHINES = 10_000;

    public static final int MAX_PROCS = 0xFFFF;

    public static final long DEFAULT_IDLE_NANOS = 5_000_000_000L;

    public KernelOptions {
        if (procs < 1 || procs > MAX_PROCS) {
            throw new IllegalArgumentException("procs must be 1 to " + MAX_PROCS + ", not " + procs);
        }
        if (maxMachines < 1) {
            throw new IllegalArgumentException("at least one thread is needed, not " + maxMachines);
        }
    }

    public static KernelOptions of(String name, int procs) {
        return new KernelOptions(name, procs, DEFAULT_MAX_MACHINES, DEFAULT_IDLE_NANOS, StealPolicy.GO, null);
    }
}
