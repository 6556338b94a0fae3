package dev.heddle.internal.kernel;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.HandOffReason;

/// Takes processors from machines that do not need them: blocked ones, and ones whose thread computes on and on
/// while others wait. Ends time slices. Go: retake, preemptone. System monitor only.
final class Retaker {
    /*
     * What.       Reads facts, asks Verdict, acts. What counts as blocked or as a hog, and all thresholds, are in
     *             Verdict. Machines without a processor are judged by DetachedMachines.
     * Order.      For each processor: the facts that cost nothing (begin), then Verdict, which asks for others one at a
     *             time (judge), then the action. After all processors, the machines that have none; last, preemption
     *             points are told whether any machine is asked to yield.
     * In the kernel. A machine that is in the kernel is judged by its slice only: no thread can take its processor. It must
     *             be judged, because goroutines that do little but switch and start others leave the kernel for moments
     *             only, and the monitor would hardly ever sample them.
     * Evidence.   ThreadProbe answers in ranks. Where only the JVM can be asked, a thread that used no CPU time for 10
     *             ms is asleep. Where neither the operating system nor the JVM answers, a turn of 20 ms is a hog.
     * Actions.    A processor is taken by CAS from the very word that was judged. If the CAS fails, the machine has
     *             entered the kernel meanwhile, and the verdict is void. If it succeeds, the monitor owns the processor
     *             and hands it off. It is counted before the hand-off: what then runs on the processor may read the
     *             counter.
     *             Blocked: hand off. Threads are often blocked one after the other, so for a while the monitor asks
     *             sooner (a burst), and spare machines are kept.
     *             Hog: its thread is told apart from the owners of processors (DetachedMachines.addHog) before the
     *             hand-off wakes a machine that runs beside it. What the hand-off led to is judged later (Patience).
     * Who writes. ProcessorSample: this class, Patience (judged hand-offs), and SafetyNet its own two fields. The
     *             request to yield: this class. It holds for one slice, so the owner need not clear it.
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

    /// How long a burst lasts after the last thread that was found blocked, and how long spare machines are kept.
    /// A guess.
    private static final long BURST_NANOS = 50_000_000;

    private final Kernel kernel;
    private final Demoter demoter;
    private final DetachedMachines detached;
    private final Patience patience = new Patience(Verdict.SLICE_NANOS);
    private final Facts facts = new Facts();
    private boolean isMonitorsSliceShort;
    private long burstUntil;
    private long lastHog = -Verdict.HOG_INTERVAL_NANOS;

    Retaker(Kernel kernel) {
        this.kernel = kernel;
        this.demoter = new Demoter(kernel);
        this.detached = new DetachedMachines(kernel, demoter);
    }

    Demoter demoter() {
        return demoter;
    }

    /// Prepares for hand-offs while the scheduler is idle.
    void prepare() {
        demoter.prepare();
        kernel.machineCounts.keepSpare();
    }

    /// Takes one sample of every machine. `overslept`: the monitor itself was kept from running for unusually long.
    Result sample(long now, boolean overslept) {
        Result result = Result.QUIET;
        for (Processor processor : kernel.processors().all()) {
            Machine machine = processor.machine;
            if (processor.status != Processor.Status.RUNNING || machine == null) {
                patience.judgeHandOff(processor.sample, /* isIdle= */ processor.isIdle(), kernel.procs());
                continue;
            }
            long word = machine.word();
            if (Word.pid(word) == processor.id && Word.isOwner(word)) {
                begin(processor, machine, word, now);
                result = result.or(judge(processor, machine, word, now, overslept));
            }
        }
        detached.sample(now);
        if (!isMonitorsSliceShort) {
            isMonitorsSliceShort = demoter.shortenSliceOfMonitor();
        }
        if (kernel.preemptionPoints() != null) {
            PreemptionPoint.request(isAnyMachineAsked());
        }
        return result;
    }

    private boolean isAnyMachineAsked() {
        for (Processor processor : kernel.processors().all()) {
            if (processor.isYieldRequested()) {
                return true;
            }
        }
        return kernel.counters.freeHogs > 0;
    }

    private Result judge(Processor processor, Machine machine, long word, long now, boolean overslept) {
        while (true) {
            switch (Verdict.of(facts)) {
                case READ_SLICE_CPU -> readSliceCpu(processor, machine);
                case READ_SLEEP -> readSleep(machine.probe, processor.sample.sleep, now, overslept);
                case READ_WORK -> readWork(processor);
                case READ_TURN_CPU -> readTurnCpu(processor, machine, now);
                case SUSPECT_HOG -> suspectHog(processor, machine, now);
                case END_SLICE -> endSlice(processor, machine, now);
                case ASK_POINTS -> askPoints(processor, machine);
                case NOTHING -> {
                    return Result.QUIET;
                }
                case MAY_BE_ASLEEP -> {
                    return Result.MAY_BE_ASLEEP;
                }
                case COMPUTES -> {
                    return Result.COMPUTES;
                }
                case TAKE_BLOCKED -> {
                    return takeBlocked(processor, machine, word) ? Result.TOOK : Result.QUIET;
                }
                case TAKE_ASLEEP -> {
                    return takeAsleep(processor, machine, word, now) ? Result.TOOK : Result.MAY_BE_ASLEEP;
                }
                case MAKE_ROOM -> {
                    detached.demoteOldest();
                    return Result.COMPUTES;
                }
                case TAKE_HOG -> {
                    takeHog(processor, machine, word, now);
                    return Result.COMPUTES; // the next hog has not begun yet
                }
            }
        }
    }

    // ---- facts

    /// Writes the facts that cost nothing.
    private void begin(Processor processor, Machine machine, long word, long now) {
        ProcessorSample sample = processor.sample;
        int state = Word.state(word);
        sample.seeWord(word, now);
        sample.seeTick(processor.schedTick, now);
        if (state == Word.USER) {
            sample.seeSwitches(processor.switches, processor.points, now);
        }
        facts.forget();
        facts.procs = kernel.procs();
        facts.isBurst = now < burstUntil;
        facts.isCrowd = detached.isCrowd();
        facts.patience = patience.nanos(facts.isCrowd);
        facts.hogsAtFullPriority = detached.hogsAtFullPriority();
        facts.demoter = demoter.ability();
        facts.sinceLastHog = now - lastHog;
        facts.state = state;
        facts.intervalAge = now - sample.wordSince;
        facts.isWaiting = state == Word.USER && machine.probe.isWaiting();
        facts.isRequested = processor.isYieldRequested();
        facts.sinceRequest = now - sample.sliceEndedAt;
        facts.sliceAge = now - sample.tickSince;
        facts.turnAge = now - sample.switchesSince;
    }

    private void readSliceCpu(Processor processor, Machine machine) {
        machine.probe.readCpu();
        facts.sliceCpu = processor.sample.sliceCpu(machine, machine.probe.cpuNanos());
    }

    /// Consecutive samples of one sleep are counted in `evidence`.
    private void readSleep(ThreadProbe probe, SleepEvidence evidence, long now, boolean overslept) {
        ThreadProbe.Sleep sleep = facts.isWaiting ? ThreadProbe.Sleep.ASLEEP : probe.sleep();
        if (sleep != ThreadProbe.Sleep.AWAKE) {
            probe.readCpu();
        }
        facts.sleepSamples = switch (sleep) {
            case AWAKE -> evidence.awake();
            case ASLEEP -> evidence.asleep(probe.timesScheduled(), probe.cpuNanos(), now);
            case UNKNOWN -> evidence.unknown(probe.cpuNanos(), now, Verdict.SLICE_NANOS, overslept);
        };
        facts.asleepFor = facts.sleepSamples == 0 ? 0 : now - evidence.since();
    }

    private void readWork(Processor processor) {
        facts.isAnyFree = kernel.spin.spinning() != 0 || kernel.idle.idleProcessors() != 0;
        if (processor.hasWork() || !kernel.globalQueue.isEmpty() || kernel.timers.isDue(processor)) {
            facts.work = Facts.Work.HERE;
        } else {
            facts.work = !facts.isAnyFree && kernel.spin.hasAnyWork() ? Facts.Work.ELSEWHERE : Facts.Work.NONE;
        }
    }

    private void readTurnCpu(Processor processor, Machine machine, long now) {
        machine.probe.readCpu();
        boolean isComparable = processor.sample.seeCpu(machine.probe.cpuNanos(), now);
        facts.turnCpu = isComparable ? processor.sample.cpuUsed : Facts.UNKNOWN;
    }

    private void suspectHog(Processor processor, Machine machine, long now) {
        ProcessorSample sample = processor.sample;
        demoter.prepare();
        if (Verdict.isUsedUp(sample.cpuUsed, Math.min(Verdict.SLICE_NANOS, facts.patience))) {
            patience.judgeHandOff(sample, /* isIdle= */ false, facts.procs);
            facts.patience = patience.nanos(facts.isCrowd);
        }
        facts.passesPoints = processor.points != sample.pointsAtSwitch; // it will reach the next one
        facts.cpuSinceRequest = sample.cpuUsed - sample.cpuAtSliceEnd;
        facts.otherTurnAge = youngestTurnBeside(processor, now);
        readPoints(sample, machine);
        facts.isSuspected = true;
    }

    private long youngestTurnBeside(Processor hogged, long now) {
        long youngest = Long.MAX_VALUE;
        for (Processor other : kernel.processors().all()) {
            if (other != hogged && other.status == Processor.Status.RUNNING) {
                youngest = Math.min(youngest, now - other.sample.switchesSince);
            }
        }
        return youngest;
    }

    private void readPoints(ProcessorSample sample, Machine machine) {
        if (kernel.preemptionPoints() == null) {
            facts.points = Facts.Points.NONE;
        } else if (sample.cpuWhenAsked < 0) {
            facts.points = Facts.Points.NOT_ASKED;
        } else {
            facts.points = machine.hasNoPoints ? Facts.Points.NONE : Facts.Points.ASKED;
            facts.cpuSinceAsked = sample.cpuUsed - sample.cpuWhenAsked;
        }
    }

    // ---- actions

    private void endSlice(Processor processor, Machine machine, long now) {
        ProcessorSample sample = processor.sample;
        // Counted and told first: a thread that sees what the request led to finds it in the figures.
        processor.preemptions++;
        kernel.counters.preemptions.incrementAndGet();
        kernel.tracing.note(EventKind.PREEMPT_ASK, processor.id, machine.id);
        processor.endSlice(sample.tick);
        sample.sliceEndedAt = now;
        // The CPU time by which the slice was judged, not that of an earlier sample: otherwise a thread that the
        // operating system suspends before it sees the request would seem to have ignored it for as long.
        boolean _ = sample.seeCpu(machine.probe.cpuNanos(), now);
        sample.cpuAtSliceEnd = sample.cpuUsed;
        facts.isRequested = true;
        facts.sinceRequest = 0;
    }

    private void askPoints(Processor processor, Machine machine) {
        processor.sample.cpuWhenAsked = processor.sample.cpuUsed;
        machine.hasNoPoints = false;
        PreemptionPoints points = kernel.preemptionPoints();
        if (points != null) {
            points.ask(machine);
        }
        readPoints(processor.sample, machine);
    }

    /// False if the machine has entered the kernel since it was judged.
    boolean takeBlocked(Processor processor, Machine machine, long judged) {
        if (!take(processor, machine, judged)) {
            return false;
        }
        kernel.counters.blockedHandOffs.incrementAndGet();
        tell(processor, machine, HandOffReason.DECLARED, facts.intervalAge);
        kernel.machines.handOff(processor);
        kernel.recorder.tookDeclared(processor, machine, facts.intervalAge);
        return true;
    }

    /// False if the machine has entered the kernel since it was judged.
    boolean takeAsleep(Processor processor, Machine machine, long judged, long now) {
        if (!take(processor, machine, judged)) {
            return false;
        }
        kernel.counters.undeclaredHandOffs.incrementAndGet();
        tell(processor, machine, HandOffReason.ASLEEP, facts.asleepFor);
        kernel.machines.handOff(processor);
        kernel.recorder.tookUndeclared(processor, machine, facts.asleepFor);
        burstUntil = now + BURST_NANOS;
        kernel.machineCounts.keepSparesUntil(burstUntil);
        return true;
    }

    private void takeHog(Processor processor, Machine machine, long judged, long now) {
        if (!take(processor, machine, judged)) {
            return;
        }
        detached.addHog(machine, Word.withState(judged, Word.LOST), now); // before a machine wakes up to run beside it
        kernel.counters.hogHandOffs.incrementAndGet();
        tell(processor, machine, HandOffReason.HOG, facts.turnCpu);
        kernel.machines.handOff(processor);
        processor.sample.seeHandOff();
        lastHog = now;
        kernel.recorder.tookHog(processor, machine, facts.turnCpu);
        kernel.machineCounts.keepSparesUntil(now + BURST_NANOS);
    }

    private void tell(Processor processor, Machine machine, HandOffReason why, long nanos) {
        kernel.tracing.note(EventKind.HAND_OFF, processor.id, machine.id, why.ordinal(), nanos);
    }

    /// Takes the processor if the machine's word is still `judged`. If true, the caller owns it and must hand it
    /// off.
    private static boolean take(Processor processor, Machine machine, long judged) {
        if (!machine.take(judged)) {
            return false;
        }
        processor.machine = null;
        processor.withdrawRequest();
        processor.handOffs++;
        return true;
    }
}
