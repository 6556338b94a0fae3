package dev.heddle.internal.kernel;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/// Counters that belong to no processor (rare events, and events on threads that have no processor), and the sums that
/// span all processors. A processor's own counters are fields of [Processor].
final class Counters {

    private final Kernel kernel;

    /// Threads and goroutines started by callers without a processor.
    final AtomicLong externalStarts = new AtomicLong();
    /// Threads and goroutines that ended on a machine that had lost its processor. Also sub-pollers of the JDK,
    /// which never end: each is counted when it starts, so that it is not among the live.
    final AtomicLong strayEnds = new AtomicLong();
    /// Entries put into the global queue by callers without a processor, and entries that were rescued or repaired.
    final AtomicLong injections = new AtomicLong();
    /// Failures that the kernel recovered from: an OutOfMemoryError, a failure of the JDK between two states of a
    /// thread, a timer's command or a helper thread's step that threw.
    final AtomicLong repairs = new AtomicLong();
    /// Entries that a stack overflow kept from being queued, and that were queued later.
    final AtomicLong rescues = new AtomicLong();
    /// Sections that overflowed the stack although [StackReserve] had found enough. Anything but 0 means that the
    /// reserve is too small. Not an AtomicLong: the increment must not call a method, since there may be no stack.
    volatile int cutShort;

    /// Work that only the system monitor found. Anything but 0 is a bug, or follows a stack overflow.
    final AtomicLong safetyNet = new AtomicLong();
    /// Processors taken from declared blocking operations.
    final AtomicLong blockedHandOffs = new AtomicLong();
    /// Processors taken from machines that were found blocked without having declared it.
    final AtomicLong undeclaredHandOffs = new AtomicLong();
    /// Processors taken from machines that computed for longer than a time slice.
    final AtomicLong hogHandOffs = new AtomicLong();
    /// Machines whose thread blocked, lost its processor, then computed, and so was treated as a hog.
    final AtomicLong detachedHogs = new AtomicLong();
    /// Machines that compute without a processor now. Written by the system monitor, which recounts them at every
    /// sample.
    volatile int freeHogs;
    /// Spinning tokens that no machine held, taken back by the system monitor. Anything but 0 is a bug.
    final AtomicLong reclaimedTokens = new AtomicLong();
    /// Machines whose thread was given a lower priority because it computed without a processor.
    final AtomicLong demoted = new AtomicLong();
    /// Requests to yield, made by the system monitor.
    final AtomicLong preemptions = new AtomicLong();
    /// Machines that could not be started: the operating system refused the thread, or the heap was exhausted.
    final AtomicLong refusedThreads = new AtomicLong();

    Counters(Kernel kernel) {
        this.kernel = kernel;
    }

    /// How many goroutines and virtual threads of this scheduler have started and not ended.
    long live() {
        Processor[] every = kernel.world.everyProcessor();
        long ends = strayEnds.get();
        for (Processor processor : every) {
            ends += processor.ended;
        }
        VarHandle.acquireFence(); // ends are read first, so the difference is never too small
        return started(every) - ends;
    }

    /// How many goroutines and virtual threads of this scheduler were ever started.
    long started() {
        return started(kernel.world.everyProcessor());
    }

    private long started(Processor[] every) {
        long starts = externalStarts.get();
        for (Processor processor : every) {
            starts += processor.started;
        }
        return starts;
    }

    /// A number that grows whenever an entry is injected, started or run.
    long submissions() {
        long sum = injections.get();
        for (Processor processor : kernel.world.everyProcessor()) {
            sum += processor.switches + processor.started;
        }
        return sum;
    }
}
