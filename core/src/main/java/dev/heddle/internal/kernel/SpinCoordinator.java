package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Decides who is woken when work appears, and when a machine without work may sleep: no work is forgotten, and
/// not every submission pays for a wake-up.
final class SpinCoordinator {
    /*
     * Shape.      spinning = machines that hold a P and look for work, napping ones included. While there is one,
     *             nobody else is woken: it will find the work, and it wakes its successor (Go: resetspinning).
     *
     *             Submitter, holds a P                      Machine that runs dry, holds a P
     *             S1 publish: ring tail, runNext,           R1 four rounds of stealing; perhaps a nap, see below
     *                global queue, timer minimum            R2 under the lock: global queue, needSpinning; P to the
     *             S2 full fence                                idle list (idleProcessors + 1)
     *             S3 spinning > 0: someone looks. Done.     R3 if it was spinning: spinning - 1 (full fence)
     *             S4 idleProcessors == 0: nobody could;     R4 look at everything once more: global queue, all local
     *                needSpinning = 1, look again              queues, all timers; and at needSpinning
     *             S5 CAS spinning 0 -> 1, take an idle P,   R5 work there and an idle P to be had: spinning + 1,
     *                start a machine with it                   back to R1. Work but no idle P: needSpinning = 1, and
     *                                                          try once more. Else sleep.
     *                                                       R6 woken for a timer or a socket, and an idle P to be had:
     *                                                          spinning + 1, however many spin, back to R1
     *
     * Proof.      Suppose work was published (S1) and everyone sleeps. Look at the last machine that did R3.
     *             If the submitter's S3 read spinning > 0, then S2 came before that machine's R3 in the order of full
     *             fences, so R4 saw the work: contradiction. If S3 read 0, it went on: either it took an idle P (S5),
     *             contradiction; or it saw no idle P (S4), so every P was owned. An owner that then runs dry comes to R2
     *             after S4's store and finds needSpinning; R4 repeats that look for the machine whose R2 came before
     *             it, since idleProcessors + 1 and the store of needSpinning cannot both miss the other.
     *
     * Naps.       A spinner that found nothing, while others are busy, naps still counted as spinning (Word.NAP: its P
     *             can be taken). The first nap of a search is short and deaf: no submission ends it. Go's spinners sleep
     *             in the same way, in runqgrab's usleep(3), which takes 60 to 90 us. Somebody who hands out little jobs
     *             would otherwise pay for a system call with each. The naps after it are longer, and announced: a
     *             submission that leaves an entry only in runNext does not end them, since the pair that hands the slice
     *             to and fro on one P shall cost nobody a system call; any other does (S3). The napper scans once more
     *             after the announcement: an entry published before it is seen by that scan, one published after it
     *             sees the announcement. A deaf nap needs no such scan: it ends by itself, and R1 follows.
     *
     * Who writes. spinning: machines with a P, by CAS or add. needSpinning: set by submitters, cleared by whoever starts
     *             spinning, who scans afterwards. napper: the napper; cleared by whoever wakes it.
     * Sources.    Go 1.27 proc.go, "Worker thread parking/unparking"; docs/model/. Checked by SpinModelTest.
     */

    private static final VarHandle SPINNING = Handles.field(lookup(), "spinning", int.class);
    private static final VarHandle NAPPER = Handles.field(lookup(), "napper", Machine.class);

    private final Kernel kernel;

    @SuppressWarnings("unused") // padding: the words below are written by everybody
    private long p0, p1, p2, p3, p4, p5, p6, p7;

    private volatile int spinning; // written through SPINNING
    private volatile int needSpinning;
    private volatile @Nullable Machine napper; // written through NAPPER

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    SpinCoordinator(Kernel kernel) {
        this.kernel = kernel;
    }

    int spinning() {
        return spinning;
    }

    int needSpinning() {
        return needSpinning;
    }

    /// Takes a token. Go: becomeSpinning.
    void becomeSpinning(Machine machine) {
        machine.spinning = true;
        SPINNING.getAndAdd(this, 1);
        needSpinning = 0;
    }

    /// A token that was taken for a machine which now has it. Under the lock or before the machine is granted
    /// its P.
    void clearNeed() {
        needSpinning = 0;
    }

    /// Gives the token back (R3). The caller has work, or looks at everything once more.
    void stopSpinning(Machine machine) {
        giveBackToken();
        machine.spinning = false; // afterwards: see TokenAudit
    }

    void giveBackToken() {
        int before = (int) SPINNING.getAndAdd(this, -1);
        if (before <= 0) {
            throw new SchedulerBug("negative number of spinning machines");
        }
    }

    /// Work may be waiting that no machine will look for: the next that would go idle looks (S4).
    void needOneMore() {
        if (needSpinning == 0) {
            needSpinning = 1;
        }
    }

    /// Steps S2 to S5. `onlyRunNext`: the submission left nothing but a runNext entry. Go: wakep.
    /// Only a machine with a P may call this: anybody else could be descheduled with the token in hand (N14).
    void wakeProcessor(Machine self, boolean onlyRunNext) {
        VarHandle.fullFence(); // S2: without it S1 may still be in the store buffer while S3 reads (N1)
        Chaos.point();
        if (spinning > 0) {
            if (!onlyRunNext) {
                endNap();
            }
            return;
        }
        if (kernel.idle.idleProcessors() == 0) {
            needOneMore();
            if (kernel.idle.idleProcessors() == 0) {
                return;
            }
        }
        if (SPINNING.compareAndSet(this, 0, 1)) {
            Chaos.point();
            kernel.startSpinner(self);
        }
    }

    // ---- naps

    /// Announces the machine's nap; false if another one naps already. One napper is enough.
    boolean announceNap(Machine machine) {
        return napper == null && NAPPER.compareAndSet(this, (Machine) null, machine);
    }

    void withdrawNap(Machine machine) {
        NAPPER.compareAndSet(this, machine, (Machine) null);
    }

    /// Wakes the machine that naps, if one does. Any thread, no lock held.
    void endNap() {
        Machine sleeper = napper;
        if (sleeper != null && NAPPER.compareAndSet(this, sleeper, (Machine) null)) {
            Jdk.unparkCarrier(sleeper);
        }
    }
}
