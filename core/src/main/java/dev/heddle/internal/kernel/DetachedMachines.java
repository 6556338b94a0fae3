package dev.heddle.internal.kernel;

import dev.heddle.internal.trace.EventKind;

/// Watches the machines that run user code without a processor. The monitor took the processor because it judged the
/// thread blocked or a hog, or the thread gave the processor away. System monitor only.
///
/// A thread that comes back from a blocking call without a processor and then computes competes with the owners
/// of processors for the CPUs, like a hog whose processor was handed off. So it is treated as a hog: counted,
/// asked to yield at its next scheduling or preemption point ([Preemption#shouldYield]), and demoted. No
/// counter is kept up to date by increments and decrements: each sample recounts the hogs, so that no count can
/// leak.
///
/// A hog is demoted when it has computed for long without a processor. While there are more hogs than processors, a new
/// hog is demoted at once. The oldest hog is demoted when another one needs its place at full priority. A hog is not
/// demoted sooner, because a lower priority cannot be undone, and threads and processes that the hog starts inherit it.
/// A single request that runs cold code has ended by then.
final class DetachedMachines {

    /// CPU time without a processor that makes a thread a hog. A thread that reaches its next scheduling point
    /// sooner does no harm.
    static final long HOG_NANOS = 5_000_000;

    /// CPU time without a processor after which a hog is demoted in any case.
    private static final long DEMOTE_NANOS = 100_000_000;

    /// How often a machine is sampled, and how many machines at a time: reading CPU time takes 1 us, and a thousand
    /// machines may be blocked. With more machines, each is sampled less often, so that none is left out.
    private static final long SAMPLE_NANOS = 5_000_000;

    private static final int SAMPLES_AT_A_TIME = 16;

    private final Kernel kernel;
    private final Demoter demoter;
    private int detached;
    private int hogs;
    private int hogsAtFullPriority;

    DetachedMachines(Kernel kernel, Demoter demoter) {
        this.kernel = kernel;
        this.demoter = demoter;
    }

    /// Whether more machines compute without a processor than there are processors.
    boolean isCrowd() {
        return hogs > kernel.procs();
    }

    /// Machines that compute without a processor and have not been demoted.
    int hogsAtFullPriority() {
        return hogsAtFullPriority;
    }

    /// The processor of a machine was taken because its thread computed for too long. `lostWord` is the
    /// machine's word now.
    void addHog(Machine machine, long lostWord, long now) {
        boolean _ = machine.sample.isSameTurn(lostWord, machine.mounts());
        machine.sample.sampledAt = now - SAMPLE_NANOS;
        markHog(machine, now);
        hogs++;
        hogsAtFullPriority++;
        if (isCrowd()) {
            demote(machine);
        } else {
            demoter.lengthenSlice(machine);
        }
    }

    private static void markHog(Machine machine, long now) {
        machine.sample.isHog = true;
        machine.sample.hogSince = now;
        machine.isDemoted = false;
        machine.isFreeHog = true;
    }

    /// Demotes the hog that was marked as one first, to make room for another at full priority.
    void demoteOldest() {
        Machine oldest = null;
        for (Machine machine = kernel.allMachines.first(); machine != null; machine = machine.listNext) {
            MachineSample sample = machine.sample;
            if (sample.isHog
                    && !sample.isDemotionAsked
                    && (oldest == null || sample.hogSince < oldest.sample.hogSince)) {
                oldest = machine;
            }
        }
        if (oldest != null) {
            demote(oldest);
        }
    }

    /// Its code may have preemption points, which have not been told to check for a request: while it had a processor,
    /// it was not taken for a hog.
    private void askPoints(Machine machine) {
        PreemptionPoints points = kernel.preemptionPoints();
        if (points != null) {
            points.ask(machine);
        }
    }

    private void demote(Machine machine) {
        machine.sample.isDemotionAsked = demoter.demote(machine, hogs);
    }

    /// Samples the machines without a processor.
    void sample(long now) {
        long interval = SAMPLE_NANOS * (1 + detached / SAMPLES_AT_A_TIME);
        int left = SAMPLES_AT_A_TIME;
        int seen = 0;
        int computing = 0;
        int atFullPriority = 0;
        for (Machine machine = kernel.allMachines.update(); machine != null; machine = machine.listNext) {
            MachineSample sample = machine.sample;
            long word = machine.word();
            if (!isDetached(machine, word)) {
                sample.end();
            } else {
                seen++;
                boolean isSame = sample.isSameTurn(word, machine.mounts());
                if (!sample.isDemotionAsked && left > 0 && (!isSame || now - sample.sampledAt >= interval)) {
                    left--;
                    sampleCpu(machine, now);
                }
            }
            if (sample.isHog) {
                computing++;
                atFullPriority += machine.isDemoted ? 0 : 1;
            } else if (machine.isFreeHog) {
                machine.isFreeHog = false;
            }
        }
        detached = seen;
        hogs = computing;
        hogsAtFullPriority = atFullPriority;
        kernel.counters.freeHogs = computing;
    }

    private static boolean isDetached(Machine machine, long word) {
        int state = Word.state(word);
        return (state == Word.LOST || state == Word.NONE) && machine.isMounted();
    }

    private void sampleCpu(Machine machine, long now) {
        MachineSample sample = machine.sample;
        sample.sampledAt = now;
        machine.probe.readCpu();
        long cpu = machine.probe.cpuNanos();
        if (sample.cpuAtBegin < 0) {
            sample.cpuAtBegin = cpu;
            return;
        }
        long used = cpu - sample.cpuAtBegin;
        if (!sample.isHog && used >= HOG_NANOS) {
            kernel.counters.detachedHogs.incrementAndGet();
            kernel.tracing.note(EventKind.HOG, machine.id, used);
            markHog(machine, now);
            askPoints(machine);
            kernel.recorder.foundHog(machine, used);
        } else if (sample.isHog && used >= DEMOTE_NANOS) {
            demote(machine);
        }
    }
}
