package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Keeps the turns of threads that yield equal, on whichever processor they are.
final class Rounds {
    /*
     * Invariant.  In every round each thread that yields has one turn. A processor begins the round after the latest
     *             one only when no thread waits, on any processor, for its turn in the latest round or earlier. So
     *             while a thread waits, every other has at most two turns, however fast their machines are.
     *             findBehind enforces this: nothing else lets a round begin.
     *
     * Why.        Each processor keeps the threads that yielded there (Yielded). A processor with few of them would
     *             give each more turns than one with many; most of all to a single thread, which need not unmount.
     *             So a processor whose round is over takes over half of the threads that still wait in the round of
     *             another one. If the operating system suspends a machine, the others run its threads, except for the
     *             mounted one: that thread is in its turn, and no other machine can run it.
     *
     *             A processor that is behind the latest round begins it without checking the others: the processor that
     *             began it has done so. A processor without waiting threads joins in the latest round; missed turns are
     *             not compensated. While no other processor has waiting threads, rounds are not numbered: there is
     *             nothing to balance, and nothing shared is written.
     *
     * Cost.       Per round: one check of each processor's two rings, one CAS if threads wait there, and a steal where
     *             the processors' speeds or numbers of threads differ. A thread alone checks at each yield.
     *
     * Races.      A check may miss a thread that is just being put, or is on its way to a thief: the round then begins
     *             one turn too early for that thread, once. The next round waits for it.
     * Source.     Li, Baumberger, Hahn: Efficient and Scalable Multiprocessor Fair Scheduling Using Distributed
     *             Weighted Round-Robin, PPoPP 2009; all weights are equal here, and a round is one turn. Checked by
     *             TurnsTest.
     */

    private static final VarHandle LATEST = Handles.field(lookup(), "latest", long.class);

    private static final int NONE = -1;

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

    /// A processor without waiting threads takes part in the latest round. Owner only.
    void join(Processor own) {
        if (own.yielded.round() < latest) {
            own.yielded.begin(latest);
        }
    }

    /// Begins the next round on a processor whose threads have all had their turn, and returns null; or steals
    /// threads that still wait for theirs, and returns one of them. Owner only.
    @Nullable
    Runnable beginNextOrSteal(Processor own) {
        long round = own.yielded.round();
        ProcessorSet set = kernel.processors();
        int victim = findBehind(set, own, round);
        while (victim != NONE) {
            Runnable stolen = own.yielded.stealDue(set.yielded()[victim], round);
            if (stolen != null) {
                Machine owner = own.machine;
                if (owner != null) {
                    owner.noteTheft(set.all()[victim], 1 + own.yielded.size(), /* yielded= */ true);
                }
                own.countTheft(set.all()[victim]);
                return stolen;
            }
            victim = findBehind(set, own, round); // the owner or another thief was faster
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
        if (findBehind(kernel.processors(), own, round) != NONE) {
            return false;
        }
        if (round < latest) {
            own.yielded.begin(latest);
        }
        return true;
    }

    /// The number of a processor where a thread waits that is due in `round` or earlier, if that is the latest
    /// round; or [#NONE]. In that case the next round may begin, and does if threads wait for it elsewhere.
    private int findBehind(ProcessorSet set, Processor own, long round) {
        if (round < latest) {
            return NONE;
        }
        Yielded[] all = set.yielded();
        boolean othersWait = false;
        for (int i = 1; i < all.length; i++) {
            int other = (own.id + i) % all.length;
            if (all[other].size() > 0) {
                if (all[other].isBehind(round)) {
                    return other;
                }
                othersWait = true;
            }
        }
        if (othersWait) {
            beginAfter(round);
        }
        return NONE;
    }

    /// Begins the round after `round`, unless another processor has begun it.
    void beginAfter(long round) {
        boolean _ = LATEST.compareAndSet(this, round, round + 1);
    }
}
