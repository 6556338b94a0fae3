package dev.heddle.internal.kernel;

/// What the system monitor should do about one processor: a pure function of [Facts].
enum Verdict {
    /*
     * What.       A decision tree. It reads nothing and changes nothing, so that VerdictTest can state it as tables.
     *             Retaker reads the facts and acts.
     * Questions.  Some facts cost something: reading the thread's state under /proc takes 20 us, and the monitor may
     *             sample every 20 us. So the tree is walked with the facts known so far. A branch that needs one more
     *             returns a question; Retaker answers it and walks the tree again. No question is asked twice at one
     *             sample.
     * Order.      1. The slice, in any state. Ending it is one action; the judgement then continues.
     *             2. SYSCALL: the thread declared that it blocks.
     *             3. USER: does it sleep undeclared? Only a thread that does not is judged as
     *             4. a hog: it computes while work waits.
     *             NAP: a spinner sleeps briefly; only its slice is judged.
     *             KERNEL: as NAP. The thread that runs there may be one that enters the kernel again and again.
     * Subjects.   A verdict on blocking concerns one interval outside the kernel, that is one value of the machine's
     *             word; the first sample of an interval decides nothing. A verdict on a hog concerns one turn, that is
     *             one switch count of the processor. A verdict on a slice concerns one tick.
     *
     * Slice.      The tick is the same for 10 ms of CPU time, or less in a crowd (Patience). A slice is measured in CPU
     *             time, not in elapsed time as in Go. A thread that the operating system has not run has used none of
     *             its slice, and ending the slice would change the order of goroutines for no benefit.
     * Blocked.    Declared: SYSCALL at two samples. Undeclared: USER, and one uninterrupted sleep of the thread lasts
     *             from one sample to the next (SleepEvidence). A thread that is runnable but gets no CPU is neither
     *             blocked nor a hog: it is throttled, or the CPUs are busy. The processor of a blocked thread is taken
     *             if it is needed (ifNeeded), else after 10 ms of blocking.
     *             As in Go, it is needed even if nothing waits, when no machine is free: new work, sockets and timers
     *             would have to wait for the monitor. For undeclared blocking that demands two samples. One sample is
     *             enough only in a burst and only for work that waits: a thread that computes also sleeps for moments,
     *             at safepoints and page faults. Without its processor it would be treated as a hog, for nothing.
     * Hog.        No switch during the CPU time that Patience grants, while work waits that no other machine will take,
     *             and the thread did not honour the request to yield by the next sample. A thread that passes
     *             scheduling points has half a slice of CPU time to honour it. Where the code has preemption points,
     *             these are told to check for the request, and the thread gets some time to reach one. A thread that
     *             keeps making others runnable moves its queue to the global one instead of yielding
     *             (Submitter.shareQueue), and keeps its processor while another processor is switching.
     * Room.       A hog continues without a processor and competes with the owners of processors for the CPUs. So only
     *             as many hogs compute at full priority as there are processors. Before another one loses its
     *             processor, the oldest is demoted.
     * Rejected.   An interface through which the tree reads lazily: the order of reads would be hidden in the answers,
     *             and a table could not state it. A record per stage: it allocates when memory may be exhausted.
     * Sources.    Go 1.27 proc.go retake. ADR 7 has the measurements for hogs. Checked by VerdictTest.
     */

    // ---- questions: Retaker reads the fact and asks again

    /// How much CPU time has the slice used?
    READ_SLICE_CPU,
    /// Does the operating system say that the thread sleeps, and is it still the sleep of the last sample?
    READ_SLEEP,
    /// Does work wait, and is any machine free to take it?
    READ_WORK,
    /// How much CPU time has the turn used?
    READ_TURN_CPU,
    /// The thread computes while work waits, at two samples: how much CPU time may it use? Retaker prepares for
    /// demotion now, because that takes some time.
    SUSPECT_HOG,

    // ---- actions after which the judgement continues

    /// Ask the thread to yield at the next switch or scheduling point.
    END_SLICE,
    /// Tell the preemption points in the hog's code to check for the request.
    ASK_POINTS,

    // ---- verdicts

    NOTHING,
    /// Take the processor of a thread that declared to block.
    TAKE_BLOCKED,
    /// The thread sleeps. The next sample will decide whether it is blocked.
    MAY_BE_ASLEEP,
    /// Take the processor of a thread that blocks undeclared.
    TAKE_ASLEEP,
    /// The thread computes while work waits, but is no hog yet, or no room is left for another one.
    COMPUTES,
    /// The thread is a hog, and there is no room for another one at full priority: demote the oldest.
    MAKE_ROOM,
    /// Take the processor of a hog.
    TAKE_HOG;

    /// The time slice.
    /// Go: forcePreemptNS.
    static final long SLICE_NANOS = 10_000_000;

    /// The age from which the CPU time of a slice or a turn is measured: most are shorter, and reading it takes
    /// 1 us. A guess.
    private static final long MEASURE_AFTER_NANOS = SLICE_NANOS / 4;

    /// The time in user code before the operating system is asked whether the thread sleeps: most intervals are
    /// shorter, and reading /proc takes 20 us. A guess.
    private static final long ASK_AFTER_NANOS = 1_000_000;

    /// The same while threads are being found blocked one after the other: two reads' worth. A guess.
    private static final long ASK_AFTER_IN_BURST_NANOS = 40_000;

    /// After this time the processor of a blocked machine is taken even if no work waits. Otherwise the monitor
    /// could never sleep deeply. 10 ms as in Go.
    /// Go: retake
    private static final long BLOCKED_LONG_NANOS = 10_000_000;

    /// How much CPU time a hog may use until it yields at a preemption point. The JVM may have to discard its
    /// compiled code first, and the thread then continues interpreted. A guess.
    private static final long POINT_NANOS = 20_000_000;

    /// How many hogs may run without a processor, per processor, where threads cannot be demoted. Beyond that
    /// number, one more is let go every [#HOG_INTERVAL_NANOS]. While the monitor does not know yet whether
    /// threads can be demoted, one is let go every interval, and beyond that number one every four intervals.
    /// A guess.
    private static final int FREE_HOGS_PER_PROC = 4;

    static final long HOG_INTERVAL_NANOS = 10_000_000;

    /// Walks the tree with the facts that are known.
    static Verdict of(Facts facts) {
        Verdict slice = ofSlice(facts);
        if (slice != NOTHING) {
            return slice;
        }
        return switch (facts.state) {
            case Word.SYSCALL -> ofDeclared(facts);
            case Word.USER -> ofUser(facts);
            default -> NOTHING;
        };
    }

    /// The part of an allowance at which the monitor acts: it sees slices and turns only from their first
    /// sample on.
    static boolean isUsedUp(long cpuNanos, long allowedNanos) {
        return cpuNanos >= allowedNanos * 3 / 4;
    }

    private static Verdict ofSlice(Facts facts) {
        if (facts.isRequested || (facts.sliceAge < MEASURE_AFTER_NANOS && !facts.isCrowd)) {
            return NOTHING;
        }
        if (facts.sliceCpu == Facts.UNREAD) {
            return READ_SLICE_CPU;
        }
        long slice = Math.min(SLICE_NANOS, facts.patience);
        boolean isOver = facts.sliceCpu == Facts.UNKNOWN ? facts.sliceAge >= slice : isUsedUp(facts.sliceCpu, slice);
        return isOver ? END_SLICE : NOTHING;
    }

    private static Verdict ofDeclared(Facts facts) {
        if (facts.intervalAge == 0) {
            return NOTHING;
        }
        return facts.intervalAge >= BLOCKED_LONG_NANOS ? TAKE_BLOCKED : ifNeeded(facts, TAKE_BLOCKED, NOTHING);
    }

    private static Verdict ofUser(Facts facts) {
        if (facts.intervalAge == 0) {
            return NOTHING;
        }
        long askAfter = facts.isBurst ? ASK_AFTER_IN_BURST_NANOS : ASK_AFTER_NANOS;
        if (!facts.isWaiting && facts.intervalAge < askAfter) {
            return ofTurn(facts);
        }
        if (facts.sleepSamples == Facts.UNREAD) {
            return READ_SLEEP;
        }
        return facts.sleepSamples > 0 ? ofSleep(facts) : ofTurn(facts);
    }

    /// The age of the interval does not matter here: a thread may sleep briefly after seconds of computing.
    private static Verdict ofSleep(Facts facts) {
        if (facts.asleepFor >= BLOCKED_LONG_NANOS) {
            return TAKE_ASLEEP;
        }
        if (facts.sleepSamples >= 2) {
            return ifNeeded(facts, TAKE_ASLEEP, MAY_BE_ASLEEP);
        }
        if (!facts.isBurst) {
            return MAY_BE_ASLEEP;
        }
        if (facts.work == Facts.Work.UNREAD) {
            return READ_WORK;
        }
        return facts.work == Facts.Work.NONE ? MAY_BE_ASLEEP : TAKE_ASLEEP;
    }

    /// A blocked thread's processor is needed if work waits for it, or if new work would find no spinning machine
    /// and no idle processor. The condition is Go's for system calls.
    /// Go: retake
    private static Verdict ifNeeded(Facts facts, Verdict needed, Verdict otherwise) {
        if (facts.work == Facts.Work.UNREAD) {
            return READ_WORK;
        }
        return facts.work == Facts.Work.HERE || !facts.isAnyFree ? needed : otherwise;
    }

    private static Verdict ofTurn(Facts facts) {
        if (facts.turnAge < MEASURE_AFTER_NANOS && !facts.isCrowd) {
            return NOTHING;
        }
        if (facts.turnCpu == Facts.UNREAD) {
            return READ_TURN_CPU;
        }
        if (facts.work == Facts.Work.UNREAD) {
            return READ_WORK;
        }
        if (facts.isAnyFree || facts.work == Facts.Work.NONE) {
            return NOTHING;
        }
        if (facts.turnCpu == Facts.UNKNOWN) {
            return COMPUTES;
        }
        return facts.isSuspected ? ofSuspect(facts) : SUSPECT_HOG;
    }

    private static Verdict ofSuspect(Facts facts) {
        boolean sharesQueue = facts.turnAge - facts.sliceAge > SLICE_NANOS / 2; // Submitter.shareQueue counts a tick
        if (sharesQueue && facts.otherTurnAge < 2 * SLICE_NANOS) {
            return NOTHING; // the other processor runs what this one shares
        }
        if ((!sharesQueue && !ignoresRequest(facts)) || !isUsedUp(facts.turnCpu, facts.patience)) {
            return COMPUTES;
        }
        return switch (facts.points) {
            case NOT_ASKED -> ASK_POINTS;
            case ASKED -> facts.cpuSinceAsked < POINT_NANOS ? COMPUTES : ofHog(facts);
            case NONE -> ofHog(facts);
        };
    }

    private static boolean ignoresRequest(Facts facts) {
        return facts.isRequested
                && facts.sinceRequest > 0
                && (!facts.passesPoints || facts.cpuSinceRequest >= SLICE_NANOS / 2);
    }

    private static Verdict ofHog(Facts facts) {
        if (facts.hogsAtFullPriority < facts.procs) {
            return TAKE_HOG;
        }
        boolean isFew = facts.hogsAtFullPriority < FREE_HOGS_PER_PROC * facts.procs;
        return switch (facts.demoter) {
            case READY -> MAKE_ROOM; // the next sample lets this one go
            case LOADING -> {
                int intervals = isFew ? 1 : FREE_HOGS_PER_PROC;
                yield facts.sinceLastHog >= intervals * HOG_INTERVAL_NANOS ? TAKE_HOG : COMPUTES;
            }
            case IMPOSSIBLE -> isFew || facts.sinceLastHog >= HOG_INTERVAL_NANOS ? TAKE_HOG : COMPUTES;
        };
    }
}
