package dev.heddle.stats;

import java.util.Arrays;

/// A racy snapshot of a scheduler, taken without stopping it.
///
/// @param millis       milliseconds since the scheduler was created
/// @param procs        number of processors
/// @param idleProcs    processors without a machine
/// @param threads      machines
/// @param spinning     machines that search for work
/// @param needSpinning whether the next machine that would go idle must search once more
/// @param idleThreads  machines parked in the idle list
/// @param globalQueue  entries in the global queue
/// @param localQueues  entries per processor, runNext not counted
/// @param schedTicks   time slices per processor
/// @param live         goroutines and virtual threads that started and have not ended
/// @param switches     entries run
/// @param steals       successful steals
/// @param stolen       entries taken by these steals
/// @param overflows    spills of a full local queue
/// @param wakes        machines woken to search for work
/// @param naps         short sleeps of machines that search for work
/// @param injections   entries from threads without a processor
/// @param timersFired  timers run
/// @param timers       timers waiting
/// @param blockedHandOffs    processors taken from declared blocking operations
/// @param undeclaredHandOffs processors taken from threads in undeclared blocking operations
/// @param hogHandOffs        processors taken from threads that computed for longer than a time slice
/// @param detachedHogs       threads that computed after they had lost their processor for blocking
/// @param demoted            carrier threads given a lower priority for computing without a processor
/// @param preemptions        requests to yield
/// @param refusedThreads     carrier threads that the system refused
/// @param rescued      entries saved after a stack overflow
/// @param repaired     failures of the JDK, or on OutOfMemoryError, that were repaired
/// @param safetyNet    work that only the system monitor found: 0 unless there is a bug or a stack overflow
/// @param reclaimedTokens  spinning tokens that no machine held, taken back: 0 unless there is a bug
/// @param lockedIdleThreads machines parked until the thread that is locked to them can run
/// @param stopping          whether the world is being stopped
/// @param monitorAsleep     whether the system monitor sleeps until a processor is used
public record SchedulerStats(
        long millis,
        int procs,
        int idleProcs,
        int threads,
        int spinning,
        boolean needSpinning,
        int idleThreads,
        int globalQueue,
        int[] localQueues,
        long[] schedTicks,
        long live,
        long switches,
        long steals,
        long stolen,
        long overflows,
        long wakes,
        long naps,
        long injections,
        long timersFired,
        int timers,
        long blockedHandOffs,
        long undeclaredHandOffs,
        long hogHandOffs,
        long detachedHogs,
        long demoted,
        long preemptions,
        long refusedThreads,
        long rescued,
        long repaired,
        long safetyNet,
        long reclaimedTokens,
        int lockedIdleThreads,
        boolean stopping,
        boolean monitorAsleep) {

    /// The line of `GODEBUG=schedtrace`, in Go's format.
    public String schedTrace() {
        StringBuilder line = new StringBuilder(160)
                .append("SCHED ")
                .append(millis)
                .append("ms: gomaxprocs=")
                .append(procs)
                .append(" idleprocs=")
                .append(idleProcs)
                .append(" threads=")
                .append(threads)
                .append(" spinningthreads=")
                .append(spinning)
                .append(" needspinning=")
                .append(needSpinning ? 1 : 0)
                .append(" idlethreads=")
                .append(idleThreads)
                .append(" runqueue=")
                .append(globalQueue)
                .append(" [ ");
        for (int length : localQueues) {
            line.append(length).append(' ');
        }
        line.append("] schedticks=[ ");
        for (long tick : schedTicks) {
            line.append(tick).append(' ');
        }
        return line.append(']').toString();
    }

    /// All figures, including the contents of the arrays.
    @Override
    public String toString() {
        return "SchedulerStats[millis=" + millis + ", procs=" + procs + ", idleProcs=" + idleProcs + ", threads="
                + threads
                + ", spinning=" + spinning + ", needSpinning=" + needSpinning + ", idleThreads=" + idleThreads
                + ", globalQueue=" + globalQueue + ", localQueues=" + Arrays.toString(localQueues) + ", schedTicks="
                + Arrays.toString(schedTicks) + ", live=" + live + ", switches=" + switches + ", steals=" + steals
                + ", stolen=" + stolen + ", overflows=" + overflows + ", wakes=" + wakes + ", naps=" + naps
                + ", injections=" + injections + ", timersFired=" + timersFired + ", timers=" + timers
                + ", blockedHandOffs=" + blockedHandOffs + ", undeclaredHandOffs=" + undeclaredHandOffs
                + ", hogHandOffs=" + hogHandOffs + ", detachedHogs=" + detachedHogs + ", demoted=" + demoted
                + ", preemptions=" + preemptions
                + ", refusedThreads=" + refusedThreads + ", rescued=" + rescued + ", repaired=" + repaired
                + ", safetyNet=" + safetyNet + ", reclaimedTokens=" + reclaimedTokens
                + ", lockedIdleThreads=" + lockedIdleThreads + ", stopping=" + stopping
                + ", monitorAsleep=" + monitorAsleep + "]";
    }
}
