package dev.heddle.internal.kernel;

import java.util.concurrent.atomic.AtomicLong;

/// What is counted outside of any processor: rare events, and what happens on threads that have none.
final class KernelCounters {
    /// Threads and goroutines started by someone without a processor.
    final AtomicLong externalStarts = new AtomicLong();
    /// Threads and goroutines that ended on a machine that had lost its processor.
    final AtomicLong strayEnds = new AtomicLong();
    /// Entries put into the global queue from outside.
    final AtomicLong injections = new AtomicLong();
    /// Failures of the JDK between two states of a thread, or for want of memory, that were made good.
    final AtomicLong repairs = new AtomicLong();
    /// Entries saved from an ended stack.
    final AtomicLong rescues = new AtomicLong();
    /// Sections that met the end of a stack although [StackReserve] had said that there is enough: 0, or it has to
    /// be
    /// larger. Not atomic: it is counted by a store.
    volatile int cutShort;

    /// Work that only the system monitor found. Anything but 0 is a bug, or an overflowed stack.
    final AtomicLong safetyNet = new AtomicLong();
    /// Processors taken from declared blocking operations.
    final AtomicLong blockedHandOffs = new AtomicLong();
    /// Processors taken from machines that were found blocked without having said so.
    final AtomicLong undeclaredHandOffs = new AtomicLong();
    /// Processors taken from machines that computed for longer than a time slice.
    final AtomicLong hogHandOffs = new AtomicLong();
    /// Machines whose thread computed after it had lost its processor for blocking, and was treated as a hog.
    final AtomicLong detachedHogs = new AtomicLong();
    /// Machines that compute without a processor now. Written by the system monitor, which counts them anew each
    /// time.
    volatile int freeHogs;
    /// Spinning tokens that no machine held, taken back by the system monitor. Anything but 0 is a bug.
    final AtomicLong reclaimedTokens = new AtomicLong();
    /// Machines whose thread was given a lower priority for that.
    final AtomicLong demoted = new AtomicLong();
    /// Requests to yield.
    final AtomicLong preemptions = new AtomicLong();
    /// Threads that the system refused.
    final AtomicLong refusedThreads = new AtomicLong();
}
