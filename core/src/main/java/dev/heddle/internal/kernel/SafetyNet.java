package dev.heddle.internal.kernel;

/// Finds work that waits although a processor is idle and no machine searches for work: a lost wake-up, which must
/// never happen and is counted when it does. System monitor only.
///
/// A verdict concerns one place: a processor's queue, or the global queue. Work counts as forgotten if it has waited
/// there at two samples more than 10 ms apart, and the place made no progress in between. Two different short waits
/// are not one long wait. So a switch of that processor restarts the wait; for the global queue, any switch, start or
/// injection does. A machine that is in the kernel with a processor, or a caller that holds the scheduler lock, also
/// restarts it: each of them is about to find the work or to wake a machine, however long the operating system delays
/// it.
final class SafetyNet {

    private static final long FORGOTTEN_NANOS = 10_000_000;

    private final Kernel kernel;
    private long globalSince = -1;
    private long switchesThen;

    SafetyNet(Kernel kernel) {
        this.kernel = kernel;
    }

    /// Takes one sample. Starts a machine if work was forgotten.
    void check(long now) {
        boolean isCaught = false;
        boolean mayBeForgotten = !isAnyMachineOnTheWay();
        for (Processor processor : kernel.processors().all()) {
            ProcessorSample sample = processor.sample;
            long switches = processor.switches;
            if (!mayBeForgotten || !processor.hasWork()) {
                sample.waitingSince = -1;
            } else if (sample.waitingSince < 0 || switches != sample.switchesWhenWaiting) {
                sample.waitingSince = now;
                sample.switchesWhenWaiting = switches;
            } else if (now - sample.waitingSince > FORGOTTEN_NANOS) {
                sample.waitingSince = -1;
                isCaught = true;
            }
        }
        isCaught |= isGlobalWorkForgotten(mayBeForgotten, now);
        if (isCaught) {
            kernel.machines.startForgottenWork();
        }
    }

    private boolean isGlobalWorkForgotten(boolean mayBeForgotten, long now) {
        long progress = kernel.counters.submissions();
        if (!mayBeForgotten || kernel.globalQueue.isEmpty()) {
            globalSince = -1;
        } else if (globalSince < 0 || progress != switchesThen) {
            globalSince = now;
            switchesThen = progress;
        } else if (now - globalSince > FORGOTTEN_NANOS) {
            globalSince = -1;
            return true;
        }
        return false;
    }

    private boolean isAnyMachineOnTheWay() {
        if (kernel.idle.idleProcessors() == 0 || kernel.spin.spinning() != 0 || kernel.isLocked()) {
            return true;
        }
        for (Processor processor : kernel.processors().all()) {
            Machine machine = processor.machine;
            if (processor.status == Processor.Status.IDLE) {
                continue;
            }
            if (machine == null) {
                return true; // the processor waits for a new machine, or is being handed off
            }
            int state = Word.state(machine.word());
            if (state != Word.USER && state != Word.SYSCALL) {
                return true;
            }
        }
        return kernel.isLocked(); // again: a caller may have put the work there meanwhile
    }
}
