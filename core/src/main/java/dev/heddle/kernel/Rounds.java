package dev.heddle.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Keeps the turns of threads that yield equal, on whichever processor they are.
final class Rounds {
    /*
     * Invariant.  In every round each thread that yields has one turn. A processor begins the round after the latest one
     *             only when no thread waits, on any processor, for its turn in the latest or before. So of two threads
     *             that both wait, neither is more than one turn ahead of the other, however fast their machines are.
     *             [#findBehind] enforces it: nothing else lets a round begin.
     *
     * Why.        Each processor keeps those who yielded there (Yielded). A processor with few of them would give each of
     *             them more turns than one with many; one with a single thread, which need not even unmount, most of all.
     *             So a processor that is through with a round takes over half of those that another one has not come to
     *             yet. If the operating system does not let a machine run, the others run its threads, all but the one
     *             that is mounted there: that one is in its turn, and misses what it cannot have.
     *
     *             A processor that is behind the latest round begins it at once, without a look at the others: who began
     *             it has looked. One where nobody waited joins in the latest round; what it missed is not made up for.
     *             While nobody waits on any other processor, rounds have no number: there is nobody to be fair to.
     *
     * Cost.       One look at each processor's two rings per round, one CAS if anybody waits there, and a theft where
     *             processors differ. A thread that is alone on its processor looks at each yield.
     *
     * Races.      A look may miss a thread that is just being put, or is in a thief's hands: the round then begins one turn too
     *             early for that thread, once. The next round waits for it.
     * Source.     Li, Baumberger, Hahn: Efficient and Scalable Multiprocessor Fair Scheduling Using Distributed Weighted
     *             Round-Robin, PPoPP 2009; all weights are equal here, and a round is one turn. Checked by TurnsTest.
     */

    private static final VarHandle LATEST = Handles.field(lookup(), "latest", long.class);

    private final Kernel kernel;

    @SuppressWarnings("unused") // padding: the word below is written by all processors
    private long p0, p1, p2, p3, p4, p5, p6, p7;

    /// The latest round that any processor has begun.
    private volatile long latest;

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    Rounds(Kernel kernel) {
        this.kernel = kernel;
    }

    /// A processor where nobody waits for a turn takes part again. Owner only.
    void join(Processor own) {
        if (own.yielded.round() < latest) {
            own.yielded.begin(latest);
        }
    }

    /// Begins the next round on a processor where all have had their turn, and returns null; or returns a thread that
    /// is behind them on another processor, and others may come with it. Owner only.
    @Nullable
    Runnable beginNextOrSteal(Processor own) {
        long round = own.yielded.round();
        Processor victim = findBehind(own, round);
        while (victim != null) {
            Runnable stolen = own.yielded.stealDue(victim.yielded, round);
            if (stolen != null) {
                own.countTheft(victim);
                return stolen;
            }
            victim = findBehind(own, round); // its owner was faster
        }
        own.yielded.begin(latest);
        return null;
    }

    /// Whether a thread that is alone on its processor, and yields, may have its next turn at once. Owner only.
    boolean mayGoOn(Processor own) {
        if (kernel.procs() - kernel.idle.idleProcessors() <= 1) {
            return true;
        }
        long round = own.yielded.round();
        if (findBehind(own, round) != null) {
            return false;
        }
        if (round < latest) {
            own.yielded.begin(latest);
        }
        return true;
    }

    /// A processor where a thread waits that is due in `round` or before, if that is the latest round. If there is none,
    /// the next round may begin, and does so if anybody waits for it.
    private @Nullable Processor findBehind(Processor own, long round) {
        if (round < latest) {
            return null;
        }
        Processor[] all = kernel.processors().all();
        boolean isAnybodyWaiting = false;
        for (int i = 1; i < all.length; i++) {
            Processor other = all[(own.id + i) % all.length];
            if (other.yielded.size() > 0) {
                if (other.yielded.isBehind(round)) {
                    return other;
                }
                isAnybodyWaiting = true;
            }
        }
        if (isAnybodyWaiting) {
            boolean _ = LATEST.compareAndSet(this, round, round + 1); // or another processor has begun it
        }
        return null;
    }
}
