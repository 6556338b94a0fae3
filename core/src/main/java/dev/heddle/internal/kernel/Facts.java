package dev.heddle.internal.kernel;

/// What the monitor knows of one processor at one sample, in numbers: the input of [Verdict].
///
/// Facts that cost something begin as not read. [Verdict] asks for one when the answer depends on it, and [Retaker]
/// reads it then. Times are in nanoseconds. One object serves all processors in turn: the monitor must be able to
/// judge when no memory is left. Written by [Retaker], system monitor only.
final class Facts {

    /// The value of a number that was not read.
    static final long UNREAD = Long.MIN_VALUE;

    /// The value of a number that was read, but that nothing here can tell.
    static final long UNKNOWN = -1;

    /// The work that waits.
    enum Work {
        UNREAD,
        /// None, or other machines are free to take it.
        NONE,
        /// Only in the queues or timers of other processors, and no machine is free to take it.
        ELSEWHERE,
        /// In this processor's queues or timers, or in the global queue.
        HERE
    }

    /// Whether the mounted thread may reach a preemption point.
    enum Points {
        /// Its code has none, as far as is known.
        NONE,
        /// They have not been told to check for the request yet.
        NOT_ASKED,
        ASKED
    }

    // ---- the whole scheduler

    int procs;

    /// Threads are being found blocked one after the other.
    boolean isBurst;

    /// More hogs compute without a processor than there are processors.
    boolean isCrowd;

    /// The CPU time that a turn may use while work waits. See [Patience].
    long patience;

    int hogsAtFullPriority;
    Demoter.Ability demoter = Demoter.Ability.LOADING;

    /// The time since a processor was last taken from a hog.
    long sinceLastHog;

    // ---- the interval outside the kernel: one value of the machine's word

    /// A state of [Word].
    int state;

    /// The time since the interval was first sampled. 0: this is its first sample.
    long intervalAge;

    /// The JVM says that the thread waits.
    boolean isWaiting;

    /// Consecutive samples at which the thread was in the same sleep; 0 if it is awake, or [#UNREAD].
    long sleepSamples;

    /// The time since this sleep was first sampled. Read with [#sleepSamples].
    long asleepFor;

    // ---- the slice: one value of the processor's tick

    /// The thread was asked to yield because the slice is over.
    boolean isRequested;

    long sinceRequest;
    long sliceAge;

    /// CPU time used in this slice, [#UNREAD] or [#UNKNOWN].
    long sliceCpu;

    // ---- the turn: one value of the processor's switch count. USER only

    long turnAge;

    /// CPU time used in this turn; [#UNREAD], or [#UNKNOWN] at the first sample of the turn.
    long turnCpu;

    /// The CPU time of the turn was compared with [#patience]. The facts below are valid only then.
    boolean isSuspected;

    /// CPU time used since the request to yield.
    long cpuSinceRequest;

    /// The thread has passed scheduling points in this turn.
    boolean passesPoints;

    /// The age of the youngest turn on another processor.
    long otherTurnAge;

    Points points = Points.NONE;

    /// CPU time used since preemption points were told to check for the request.
    long cpuSinceAsked;

    // ---- who needs the processor

    Work work = Work.UNREAD;

    /// A processor is idle or a machine spins, so that new work is taken at once. Read with [#work].
    boolean isAnyFree;

    /// Forgets what was read for the last processor.
    void forget() {
        sleepSamples = UNREAD;
        sliceCpu = UNREAD;
        turnCpu = UNREAD;
        isSuspected = false;
        work = Work.UNREAD;
    }
}
