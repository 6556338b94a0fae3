package dev.heddle.internal.kernel;

import dev.heddle.internal.procs.Pinning;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.queue.StealRule;
import org.jspecify.annotations.Nullable;

/// The configuration of a kernel.
///
/// @param name        the prefix of the names of its threads
/// @param procs       decides how many processors there are, now and later
/// @param pinning     the CPU of each processor; null if the operating system chooses
/// @param maxMachines the maximum number of carrier threads
/// @param idleNanos   how long an idle machine is kept
/// @param steal       how much a thief takes
/// @param handler     receives the exceptions that goroutines do not catch; null for the thread's own handler
/// @param warmUp      makes the goroutines of the warm-up; null for a kernel that does not begin one
public record KernelOptions(
        String name,
        ProcsWatcher procs,
        @Nullable Pinning pinning,
        int maxMachines,
        long idleNanos,
        StealRule steal,
        Thread.@Nullable UncaughtExceptionHandler handler,
        Goroutine.@Nullable Factory warmUp) {

    public static final int MAX_PROCS = 0xFFFF;

    public static final long DEFAULT_IDLE_NANOS = 5_000_000_000L;

    public KernelOptions {
        checkProcs(procs.decision().procs());
        if (maxMachines < 1) {
            throw new IllegalArgumentException("at least one thread is needed, not " + maxMachines);
        }
    }

    static int checkProcs(int procs) {
        if (procs < 1 || procs > MAX_PROCS) {
            throw new IllegalArgumentException("procs must be 1 to " + MAX_PROCS + ", not " + procs);
        }
        return procs;
    }
}
