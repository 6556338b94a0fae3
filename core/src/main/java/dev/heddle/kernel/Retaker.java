package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;
import org.jspecify.annotations.Nullable;

/// Takes processors from machines that do not need them: blocked ones, and ones whose thread computes on and on
/// while others wait. Go: retake, preemptone. System monitor only.
final class Retaker {
    /*
     * Verdicts.   Each concerns one stay outside the kernel, that is one value of the machine's word, or one switch count.
     *             declared   word SYSCALL at two looks.
     *             undeclared word USER at two looks, and at both the thread sleeps: the JVM says WAITING, TIMED_WAITING or
     *                        BLOCKED, or the operating system says S or D and has not scheduled it in between. A thread
     *                        that is runnable but has no CPU (throttled, or a full machine) is neither blocked nor a hog.
     *                        While threads are found blocked one after the other, one look at a sleeping thread is enough.
     *             slice      the same tick for 10 ms: asked to yield at the next switch or scheduling point.
     *             hog        no switch during 10 ms of CPU time, and the request was not honoured by the next look; for a
     *                        thread that passes scheduling points and yields at the next one, within another 10 ms.
     *                        Where code has preemption points, these are made to look and get some time to do it.
     * Actions.    Blocked: handed off if work waits for this processor and nobody is free for it, else after 10 ms.
     *             Hog: handed off only if work waits that nobody will take. One that keeps making others runnable gives its
     *             queue to everybody (Machine.shareQueue): its processor is left to it while another one is switching. Its thread goes on without processor, at a
     *             lower priority, and ends with its turn (N12): the operating system shares the cores.
     *             A processor is taken by CAS from the very word that was judged.
     */

    enum Result {
        TOOK,
        SUSPICIOUS,
        QUIET
    }

    /// The time slice. Go: forcePreemptNS.
    private static final long SLICE_NANOS = 10_000_000;

    /// Before the operating system is asked: most stays are shorter, and the question costs 20 us.
    private static final long ASK_AFTER_NANOS = 1_000_000;

    /// The same while threads are being found blocked one after the other.
    private static final long ASK_AFTER_IN_BURST_NANOS = 40_000;

    private static final long BURST_NANOS = 50_000_000;

    /// Taken from a blocked machine even if nothing waits: or the monitor could never sleep.
    private static final long BLOCKED_LONG_NANOS = 10_000_000;

    /// Hogs that may run without processor at once, per processor; beyond, one more every
    /// [#HOG_INTERVAL_NANOS].
    private static final int FREE_HOGS_PER_PROC = 4;

    private static final long HOG_INTERVAL_NANOS = 10_000_000;

    /// How long a hog may take to yield at a preemption point: its code may have to be thrown away
    /// first, and goes on interpreted.
    private static final long POINT_NANOS = 20_000_000;

    private final Kernel kernel;
    private long burstUntil;
    private long lastHog = -HOG_INTERVAL_NANOS;
    private @Nullable Demoter demoter;

    Retaker(Kernel kernel) {
        this.kernel = kernel;
    }

    /// One look at every processor. `overslept`: evidence of sleep from before does not count.
    Result look(long now, boolean overslept) {
        boolean took = false;
        boolean suspicious = false;
        if (overslept) {
            burstUntil = 0; // one look is no evidence any more
        }
        for (Processor processor : kernel.processors().all()) {
            Machine machine = processor.machine;
            if (processor.status != Processor.Status.RUNNING || machine == null) {
                continue;
            }
            long word = machine.word();
            if (Word.pid(word) != processor.id || !Word.isTakeable(word)) {
                continue;
            }
            Look look = processor.look;
            look.seeWord(word, now);
            if (overslept) {
                look.asleep = 0;
            }
            watchSlice(processor, look, now);
            if (Word.state(word) == Word.SYSCALL) {
                took |= watchDeclared(processor, machine, word, look, now);
            } else if (Word.state(word) == Word.USER) {
                Result result = watchUser(processor, machine, word, look, now);
                took |= result == Result.TOOK;
                suspicious |= result == Result.SUSPICIOUS;
            }
        }
        if (kernel.preemptionPoints() != null) {
            PreemptionPoint.request(isAnybodyAsked());
        }
        return took ? Result.TOOK : suspicious ? Result.SUSPICIOUS : Result.QUIET;
    }

    private boolean isAnybodyAsked() {
        for (Processor processor : kernel.processors().all()) {
            if (processor.preempt) {
                return true;
            }
        }
        return kernel.counters.freeHogs.get() > 0;
    }

    private void watchSlice(Processor processor, Look look, long now) {
        if (!look.seeTick(processor.schedTick, now) && now - look.tickSince >= SLICE_NANOS && !processor.preempt) {
            processor.preempt = true;
            processor.preemptions++;
            kernel.counters.preemptions.incrementAndGet();
        }
    }

    private boolean watchDeclared(Processor processor, Machine machine, long word, Look look, long now) {
        long age = now - look.wordSince;
        if (age == 0 || (!isNeeded(processor) && age < BLOCKED_LONG_NANOS)) {
            return false;
        }
        if (!takeAndHandOff(processor, machine, word)) {
            return false;
        }
        kernel.counters.blockedHandOffs.incrementAndGet();
        return true;
    }

    private Result watchUser(Processor processor, Machine machine, long word, Look look, long now) {
        boolean switched = look.seeSwitches(processor.switches, processor.points, now);
        long age = now - look.wordSince;
        if (age == 0) {
            return Result.QUIET;
        }
        if (isAsleep(machine, look, now, age)) {
            if ((look.asleep >= 2 || now < burstUntil)
                    && (isNeeded(processor) || age >= BLOCKED_LONG_NANOS)
                    && takeAndHandOff(processor, machine, word)) {
                kernel.counters.undeclaredHandOffs.incrementAndGet();
                burstUntil = now + BURST_NANOS;
                kernel.keepSpareMachines(burstUntil);
                return Result.TOOK;
            }
            return Result.SUSPICIOUS;
        }
        return switched ? Result.QUIET : watchHog(processor, machine, word, look, now);
    }

    /// Whether this look finds the thread sleeping; consecutive ones are counted in the look.
    private boolean isAsleep(Machine machine, Look look, long now, long age) {
        ThreadProbe probe = machine.probe;
        if (probe.isWaiting()) {
            look.asleep++;
            return true;
        }
        if (age < (now < burstUntil ? ASK_AFTER_IN_BURST_NANOS : ASK_AFTER_NANOS)) {
            return false;
        }
        if (!probe.isAsleep()) {
            look.asleep = 0;
            return false;
        }
        long cpu = probe.cpuNanos();
        if (cpu < 0) {
            return false;
        }
        if (look.asleep > 0 && probe.timesScheduled() != look.timesScheduled) {
            look.asleep = 0; // it ran in between: another sleep
        }
        look.timesScheduled = probe.timesScheduled();
        look.asleep++;
        return true;
    }

    private Result watchHog(Processor processor, Machine machine, long word, Look look, long now) {
        long age = now - look.switchesSince;
        if (age < SLICE_NANOS / 4) {
            return Result.QUIET;
        }
        boolean wanted = kernel.spin.spinning() == 0 && kernel.idle.idleProcessors() == 0 && kernel.hasAnyWork();
        if (!wanted) {
            return Result.QUIET;
        }
        long cpu = machine.probe.cpuNanos();
        if (look.cpuAtSwitch < 0) {
            look.cpuAtSwitch = cpu;
            return Result.SUSPICIOUS;
        }
        boolean passesPoints = processor.points != look.pointsAtSwitch; // it will come to the next one
        boolean asked = processor.preempt && now - look.tickSince > (passesPoints ? 2 * SLICE_NANOS : SLICE_NANOS);
        boolean shares = look.tickSince - look.switchesSince > SLICE_NANOS / 2; // Machine.shareQueue counts a tick
        boolean hog = cpu < 0 ? age >= 2 * SLICE_NANOS : cpu - look.cpuAtSwitch >= SLICE_NANOS * 3 / 4;
        if (shares && doOthersSwitch(processor, now)) {
            return Result.QUIET;
        }
        if ((!asked && !shares)
                || !hog
                || mayYieldItself(machine, look, now)
                || !mayFreeAnotherHog(now)
                || !takeAndHandOff(processor, machine, word)) {
            return Result.SUSPICIOUS;
        }
        kernel.counters.hogHandOffs.incrementAndGet();
        kernel.counters.freeHogs.incrementAndGet();
        machine.isFreeHog = true;
        lastHog = now;
        demote(machine);
        return Result.TOOK;
    }

    /// Whether the hog is left its processor for now, because it may come to a preemption point.
    private boolean mayYieldItself(Machine machine, Look look, long now) {
        PreemptionPoints points = kernel.preemptionPoints();
        if (points == null) {
            return false;
        }
        if (look.askedAt < 0) {
            look.askedAt = now;
            machine.hasNoPoints = false;
            points.ask(machine);
        }
        return !machine.hasNoPoints && now - look.askedAt < POINT_NANOS;
    }

    private boolean doOthersSwitch(Processor hogged, long now) {
        for (Processor other : kernel.processors().all()) {
            if (other != hogged
                    && other.status == Processor.Status.RUNNING
                    && now - other.look.switchesSince < 2 * SLICE_NANOS) {
                return true;
            }
        }
        return false;
    }

    private boolean mayFreeAnotherHog(long now) {
        return kernel.counters.freeHogs.get() < FREE_HOGS_PER_PROC * kernel.procs()
                || now - lastHog >= HOG_INTERVAL_NANOS;
    }

    /// Whether something waits for a processor and there is no other for it. Go: the condition in retake.
    private boolean isNeeded(Processor processor) {
        return processor.hasWork()
                || !kernel.shared.isEmpty()
                || (kernel.spin.spinning() == 0 && kernel.idle.idleProcessors() == 0)
                || kernel.isTimerDue(processor);
    }

    private boolean takeAndHandOff(Processor processor, Machine machine, long judged) {
        if (!machine.take(judged)) {
            return false;
        }
        processor.machine = null;
        processor.preempt = false;
        processor.handOffs++;
        kernel.handOff(processor);
        return true;
    }

    /// The kernel has ended: lets the helper thread see it.
    void end() {
        if (demoter != null) {
            Jdk.unparkCarrier(demoter);
        }
    }

    private void demote(Machine machine) {
        if (machine.probe.threadId() != 0) {
            if (demoter == null) {
                demoter = new Demoter(kernel);
                demoter.start();
            }
            demoter.demote(machine);
        }
    }
}
