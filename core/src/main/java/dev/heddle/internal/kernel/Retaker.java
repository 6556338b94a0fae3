package dev.heddle.internal.kernel;

/// Takes processors from machines that do not need them: blocked ones, and ones whose thread computes on and on
/// while others wait. Go: retake, preemptone. System monitor only.
final class Retaker {
    /*
     * Verdicts.   Each concerns one interval outside the kernel, that is one value of the machine's word, or one turn,
     *             that is one switch count.
     *             declared   word SYSCALL at two samples.
     *             undeclared word USER at two samples, and one uninterrupted sleep of the thread lasts from the
     *                        first to the second (SleepEvidence). A thread that is runnable but gets no CPU (it is
     *                        throttled, or the CPUs are busy) is neither blocked nor a hog. While threads are found
     *                        blocked one after the other, one sample of a sleeping thread is enough.
     *             slice      the same tick for 10 ms of CPU time, or less in a crowd (Patience): the thread is asked
     *                        to yield at the next switch or scheduling point.
     *             hog        no switch during the CPU time that Patience grants, and the thread did not honour
     *                        the request by the next sample. A thread that passes scheduling points has half
     *                        a slice of CPU time to honour it. Where code has preemption points, these are told to
     *                        check for the request, and the thread gets some time to reach one.
     *             Machines without a processor are judged by DetachedMachines.
     * Evidence.   ThreadProbe answers in ranks. Where only the JVM can be asked, a thread that used no CPU time for 10
     *             ms is blocked. Where neither the operating system nor the JVM answers, a turn of 20 ms is a hog.
     * Actions.    Blocked: the processor is handed off if work waits for it and no other machine is free to take the
     *             work; otherwise after 10 ms.
     *             Hog: the processor is handed off only if work waits that no other machine will take; ready sockets
     *             are work. A hog that keeps making others runnable moves its queue to the global one
     *             (Machine.shareQueue), and keeps its processor while another processor is switching.
     *             After a hand-off the hog's thread continues without a processor, and the operating system shares the
     *             cores. It competes with the owners of processors, so only as many hogs compute at full priority as
     *             there are processors. Before another one is let go, the oldest is demoted; its machine ends with the
     *             turn.
     *             A processor is taken by CAS from the very word that was judged.
     */

    /// What a sample found, the most urgent result first.
    enum Result {
        /// A processor was taken from a blocked machine: others may be blocked, too.
        TOOK,
        /// A machine may be blocked: the next sample will decide.
        MAY_BE_ASLEEP,
        /// A thread computes while others wait. It counts as a hog only after it has used much more CPU time.
        COMPUTES,
        QUIET;

        Result or(Result other) {
            return compareTo(other) <= 0 ? this : other;
        }
    }

    /// The time slice.
    /// Go: forcePreemptNS.
    static final long SLICE_NANOS = 10_000_000;

    /// The time in user code before the operating system is asked: most intervals in user code are shorter, and
    /// reading /proc takes 20 us.
    private static final long ASK_AFTER_NANOS = 1_000_000;

    /// The same while threads are being found blocked one after the other.
    private static final long ASK_AFTER_IN_BURST_NANOS = 40_000;

    private static final long BURST_NANOS = 50_000_000;

    /// After this time the processor of a blocked machine is taken even if no work waits. Otherwise the monitor
    /// could never sleep deeply.
    private static final long BLOCKED_LONG_NANOS = 10_000_000;

    /// How many hogs may run without a processor, per processor, where threads cannot be demoted. Beyond that
    /// number, one more is let go every [#HOG_INTERVAL_NANOS]. While the monitor does not know yet whether
    /// threads can be demoted, one is let go every interval, and beyond that number one every four intervals.
    private static final int FREE_HOGS_PER_PROC = 4;

    private static final long HOG_INTERVAL_NANOS = 10_000_000;

    /// How much CPU time a hog may use until it yields at a preemption point. The JVM may have to discard its
    /// compiled code first, and the thread then continues interpreted.
    private static final long POINT_NANOS = 20_000_000;

    private final Kernel kernel;
    private final Demoter demoter;
    private final DetachedMachines detached;
    private final Patience patience = new Patience(SLICE_NANOS);
    private boolean isMonitorsSliceShort;
    private long burstUntil;
    private long lastHog = -HOG_INTERVAL_NANOS;

    Retaker(Kernel kernel) {
        this.kernel = kernel;
        this.demoter = new Demoter(kernel);
        this.detached = new DetachedMachines(kernel, demoter);
    }

    /// Takes one sample of every machine. `overslept`: the monitor itself was kept from running for unusually long.
    Result look(long now, boolean overslept) {
        Result result = Result.QUIET;
        for (Processor processor : kernel.processors().all()) {
            Machine machine = processor.machine;
            if (processor.status != Processor.Status.RUNNING || machine == null) {
                judgeHandOff(processor.sample, /* isIdle= */ processor.isIdle());
                continue;
            }
            long word = machine.word();
            if (Word.pid(word) != processor.id || !Word.isTakeable(word)) {
                continue;
            }
            ProcessorSample sample = processor.sample;
            sample.seeWord(word, now);
            watchSlice(processor, machine, sample, now);
            if (Word.state(word) == Word.SYSCALL) {
                result = result.or(watchDeclared(processor, machine, word, sample, now));
            } else if (Word.state(word) == Word.USER) {
                result = result.or(watchUser(processor, machine, word, sample, now, overslept));
            }
        }
        detached.look(now);
        if (!isMonitorsSliceShort) {
            isMonitorsSliceShort = demoter.shortenSliceOfMonitor();
        }
        if (kernel.preemptionPoints() != null) {
            PreemptionPoint.request(isAnyMachineAsked());
        }
        return result;
    }

    Demoter demoter() {
        return demoter;
    }

    /// Prepares for hand-offs while the scheduler is idle.
    void prepare() {
        demoter.prepare();
        kernel.machineCounts.keepSpare();
    }

    private boolean isAnyMachineAsked() {
        for (Processor processor : kernel.processors().all()) {
            if (processor.preempt) {
                return true;
            }
        }
        return kernel.counters.freeHogs > 0;
    }

    /// A slice is measured in CPU time, not in elapsed time. A thread that the operating system has not run has
    /// used none of its slice, and ending the slice would change the order of goroutines for no benefit. Go
    /// measures elapsed time.
    private void watchSlice(Processor processor, Machine machine, ProcessorSample sample, long now) {
        boolean isNew = sample.seeTick(processor.schedTick, now);
        long age = now - sample.tickSince;
        if (processor.preempt || ((isNew || age < SLICE_NANOS / 4) && !detached.isCrowd())) {
            return;
        }
        machine.probe.readCpu();
        long used = sample.sliceCpu(machine, machine.probe.cpuNanos());
        long slice = Math.min(SLICE_NANOS, patience.nanos(detached.isCrowd()));
        if (used < 0 ? age >= slice : used >= slice * 3 / 4) {
            processor.preempt = true;
            sample.sliceEndedAt = now;
            sample.cpuAtSliceEnd = sample.cpuUsed;
            processor.preemptions++;
            kernel.counters.preemptions.incrementAndGet();
        }
    }

    private Result watchDeclared(Processor processor, Machine machine, long word, ProcessorSample sample, long now) {
        long age = now - sample.wordSince;
        if (age == 0
                || (!isNeeded(processor) && age < BLOCKED_LONG_NANOS)
                || !takeAndHandOff(processor, machine, word)) {
            return Result.QUIET;
        }
        kernel.counters.blockedHandOffs.incrementAndGet();
        return Result.TOOK;
    }

    private Result watchUser(
            Processor processor, Machine machine, long word, ProcessorSample sample, long now, boolean overslept) {
        boolean switched = sample.seeSwitches(processor.switches, processor.points, now);
        long age = now - sample.wordSince;
        if (age == 0) {
            return Result.QUIET;
        }
        if (isAsleep(machine.probe, sample.sleep, now, age, overslept)) {
            if ((sample.sleep.samples() >= 2 || now < burstUntil)
                    && (isNeeded(processor) || age >= BLOCKED_LONG_NANOS)
                    && takeAndHandOff(processor, machine, word)) {
                kernel.counters.undeclaredHandOffs.incrementAndGet();
                burstUntil = now + BURST_NANOS;
                kernel.machineCounts.keepSparesUntil(burstUntil);
                return Result.TOOK;
            }
            return Result.MAY_BE_ASLEEP;
        }
        return switched && !detached.isCrowd() ? Result.QUIET : watchHog(processor, machine, word, sample, now);
    }

    /// Whether the thread sleeps; consecutive samples of one sleep are counted in `evidence`.
    private boolean isAsleep(ThreadProbe probe, SleepEvidence evidence, long now, long age, boolean overslept) {
        boolean isWaiting = probe.isWaiting();
        if (!isWaiting && age < (now < burstUntil ? ASK_AFTER_IN_BURST_NANOS : ASK_AFTER_NANOS)) {
            return false;
        }
        ThreadProbe.Sleep sleep = isWaiting ? ThreadProbe.Sleep.ASLEEP : probe.sleep();
        if (sleep == ThreadProbe.Sleep.AWAKE) {
            evidence.awake();
            return false;
        }
        probe.readCpu();
        if (sleep == ThreadProbe.Sleep.UNKNOWN) {
            return probe.cpuNanos() >= 0 && evidence.hasStoodStill(probe.cpuNanos(), now, SLICE_NANOS, overslept);
        }
        evidence.asleep(probe.timesScheduled(), probe.cpuNanos());
        return true;
    }

    private Result watchHog(Processor processor, Machine machine, long word, ProcessorSample sample, long now) {
        if (now - sample.switchesSince < SLICE_NANOS / 4 && !detached.isCrowd()) {
            return Result.QUIET;
        }
        machine.probe.readCpu();
        boolean isFirst = !sample.seeCpu(machine.probe.cpuNanos(), now);
        boolean wanted = kernel.spin.spinning() == 0 && kernel.idle.idleProcessors() == 0 && kernel.spin.hasAnyWork();
        if (!wanted) {
            return Result.QUIET;
        }
        if (isFirst) {
            return Result.COMPUTES;
        }
        demoter.prepare();
        long allowed = patience.nanos(detached.isCrowd());
        if (sample.cpuUsed >= Math.min(SLICE_NANOS, allowed) * 3 / 4) {
            judgeHandOff(sample, /* isIdle= */ false);
            allowed = patience.nanos(detached.isCrowd());
        }
        boolean passesPoints = processor.points != sample.pointsAtSwitch; // it will reach the next one
        boolean asked = processor.preempt
                && now > sample.sliceEndedAt
                && (!passesPoints || sample.cpuUsed - sample.cpuAtSliceEnd >= SLICE_NANOS / 2);
        boolean shares = sample.tickSince - sample.switchesSince > SLICE_NANOS / 2; // Machine.shareQueue counts a tick
        if (shares && doOthersSwitch(processor, now)) {
            return Result.QUIET;
        }
        if ((!asked && !shares)
                || sample.cpuUsed < allowed * 3 / 4
                || mayYieldItself(machine, sample)
                || !mayLetAnotherHogGo(now)
                || !take(processor, machine, word)) {
            return Result.COMPUTES;
        }
        detached.addHog(machine, Word.withState(word, Word.LOST), now); // before a machine wakes up to run beside it
        kernel.machines.handOff(processor);
        kernel.counters.hogHandOffs.incrementAndGet();
        sample.handOffSwitches = sample.switches;
        lastHog = now;
        kernel.machineCounts.keepSparesUntil(now + BURST_NANOS);
        return Result.COMPUTES; // the next hog has not begun yet
    }

    /// Judges whether the last hand-off from a hog helped. Called when the processor is idle or runs the next hog.
    private void judgeHandOff(ProcessorSample sample, boolean isIdle) {
        if (sample.handOffSwitches < 0) {
            return;
        }
        long turns = sample.switches - sample.handOffSwitches;
        if (isIdle || turns > 1) {
            sample.handOffSwitches = -1;
            patience.helped();
        } else if (turns == 1) { // the hog itself was the first turn
            sample.handOffSwitches = -1;
            patience.didNotHelp(kernel.procs());
        }
    }

    /// Whether the hog may keep its processor for now, because it may reach a preemption point.
    private boolean mayYieldItself(Machine machine, ProcessorSample sample) {
        PreemptionPoints points = kernel.preemptionPoints();
        if (points == null) {
            return false;
        }
        if (sample.cpuWhenAsked < 0) {
            sample.cpuWhenAsked = sample.cpuUsed;
            machine.hasNoPoints = false;
            points.ask(machine);
        }
        return !machine.hasNoPoints && sample.cpuUsed - sample.cpuWhenAsked < POINT_NANOS;
    }

    private boolean doOthersSwitch(Processor hogged, long now) {
        for (Processor other : kernel.processors().all()) {
            if (other != hogged
                    && other.status == Processor.Status.RUNNING
                    && now - other.sample.switchesSince < 2 * SLICE_NANOS) {
                return true;
            }
        }
        return false;
    }

    private boolean mayLetAnotherHogGo(long now) {
        int atFullPriority = detached.hogsAtFullPriority();
        if (atFullPriority < kernel.procs()) {
            return true;
        }
        boolean mayBeMore = atFullPriority < FREE_HOGS_PER_PROC * kernel.procs();
        return switch (demoter.ability()) {
            case READY -> {
                detached.demoteOldest();
                yield false; // until the next sample
            }
            case LOADING -> now - lastHog >= (mayBeMore ? 1 : FREE_HOGS_PER_PROC) * HOG_INTERVAL_NANOS;
            case IMPOSSIBLE -> mayBeMore || now - lastHog >= HOG_INTERVAL_NANOS;
        };
    }

    /// Whether work may need this processor: entries wait here or in the global queue, a timer is due, or new
    /// work would find no spinning machine and no idle processor.
    /// Go: the condition in retake.
    private boolean isNeeded(Processor processor) {
        return processor.hasWork()
                || !kernel.shared.isEmpty()
                || (kernel.spin.spinning() == 0 && kernel.idle.idleProcessors() == 0)
                || kernel.timers.isDue(processor);
    }

    private boolean takeAndHandOff(Processor processor, Machine machine, long judged) {
        boolean isTaken = take(processor, machine, judged);
        if (isTaken) {
            kernel.machines.handOff(processor);
        }
        return isTaken;
    }

    /// Takes the processor if the machine's word is still `judged`. If true, the caller owns it and must hand it
    /// off.
    private static boolean take(Processor processor, Machine machine, long judged) {
        if (!machine.take(judged)) {
            return false;
        }
        processor.machine = null;
        processor.preempt = false;
        processor.handOffs++;
        return true;
    }
}
