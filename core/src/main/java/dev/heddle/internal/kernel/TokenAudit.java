package dev.heddle.internal.kernel;

/// Finds spinning tokens that no machine holds, and takes them back. System monitor only.
///
/// A lost token would disable every wake-up, the safety net and hand-offs from hogs: all of them would mistake it for
/// a machine that searches for work. A machine that dies can lose a token, and so could a bug in Heddle.
final class TokenAudit {
    /*
     * Invariant.  spinning <= machines with the flag `spinning` + pending processors with `pendingSpinning`, while no
     *             machine is in the kernel with a processor and the world is not being stopped. A machine that takes a
     *             token for another machine does so in the kernel. A machine that gives its own token back lowers the
     *             count before it clears the flag; one that takes a token sets the flag before it raises the count.
     * Racy.       The scan is no snapshot. Two machines that exchange tokens during one scan, with the same number before
     *             and after, can hide a flag from it. So an excess counts only if every scan of 10 ms found one, and the
     *             one under the lock, too. A token is taken and given back within microseconds, or kept for a nap of at
     *             most 400 us; the same coincidence at every scan for 10 ms is not expected, but not excluded.
     */

    private static final long PERSISTS_NANOS = 10_000_000;

    private final Kernel kernel;
    private long excessSince = -1;

    TokenAudit(Kernel kernel) {
        this.kernel = kernel;
    }

    void check(long now) {
        if (kernel.spin.spinning() == 0 || excess() <= 0) {
            excessSince = -1;
        } else if (excessSince < 0) {
            excessSince = now;
        } else if (now - excessSince > PERSISTS_NANOS) {
            excessSince = -1;
            int lost;
            kernel.lock.lock();
            try {
                lost = excess();
                kernel.counters.reclaimedTokens.addAndGet(Math.max(0, lost)); // before others see them gone
                for (int i = 0; i < lost; i++) {
                    kernel.spin.returnToken();
                }
            } finally {
                kernel.lock.held = 0;
            }
            if (lost > 0) {
                kernel.spin.requestSpinner();
                kernel.machines.startIdle(); // for work that was not announced because of the token
            }
        }
    }

    /// The number of tokens that no machine holds; 0 if that cannot be determined now.
    private int excess() {
        int tokens = kernel.spin.spinning(); // first: a token taken later is not missed, only seen later
        int held = 0;
        for (Processor processor : kernel.processors().all()) {
            held += processor.status == Processor.Status.PENDING && processor.pendingSpinning ? 1 : 0;
        }
        // Update the list: a new machine may have been given a token. It adds itself to the list before that.
        for (Machine machine = kernel.allMachines.update(); machine != null; machine = machine.listNext) {
            if (Word.state(machine.word()) == Word.KERNEL) {
                return 0;
            }
            held += machine.spinning ? 1 : 0;
        }
        return kernel.isStopping() || tokens != kernel.spin.spinning() ? 0 : tokens - held;
    }
}
