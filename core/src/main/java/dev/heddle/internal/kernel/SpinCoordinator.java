package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Decides which machine is woken when work appears, and when a machine without work may sleep. No work is forgotten,
/// and not every submission pays for a wake-up.
final class SpinCoordinator {
    /*
     * Shape.      spinning = machines that hold a P and search for work, including napping ones. While there is one,
     *             no other machine is woken: the spinner will find the work and wake its successor (Go: resetspinning).
     *
     *             Submitter, holds a P                      Machine that runs dry, holds a P
     *             S1 publish: ring tail, runNext,           R1 four rounds of stealing; perhaps a nap, see below
     *                global queue, timer minimum            R2 under the lock: global queue, needSpinning; P to the
     *             S2 full fence                                idle list (idleProcessors + 1)
     *             S3 spinning > 0: a machine scans. Done.   R3 if it was spinning: spinning - 1 (full fence)
     *             S4 idleProcessors == 0: none can start;   R4 if it was spinning: scan once more the global queue, all
     *                needSpinning = 1, check again             local queues, all timers. Always: check needSpinning
     *             S5 CAS spinning 0 -> 1, take an idle P,   R5 work or need found, and an idle P: spinning + 1, back to
     *                start a machine with it                   R1. Found, but no idle P: needSpinning = 1, and try
     *                                                          once more. Otherwise sleep.
     *                                                       R6 woken for a timer or a socket, and an idle P exists:
     *                                                          spinning + 1, however many spin, back to R1
     *
     * Proof.      Suppose work was published (S1) and all machines sleep. Consider the last machine that did R3.
     *             If the submitter's S3 read spinning > 0, then S2 came before that machine's R3 in the order of full
     *             fences, so R4 saw the work: contradiction. If S3 read 0, the submitter continued. Either it took an
     *             idle P (S5): contradiction. Or it saw no idle P (S4), so every P was owned. An owner that runs dry
     *             later comes to R2 after S4's store and finds needSpinning. R4 repeats that check for a machine whose
     *             R2 came before the store: idleProcessors + 1 and the store of needSpinning cannot both miss each
     *             other.
     *
     * Naps.       A spinner that found nothing while other machines are busy takes a nap, still counted as spinning
     *             (Word.NAP: its P can be taken). The first nap of a search is short and not interruptible by a
     *             wake-up. Go's spinners sleep in the same way, in runqgrab's usleep(3), which takes 60 to 90 us.
     *             Otherwise a thread that submits many small jobs would pay for a system call with each.
     *             The later naps are longer, and announced. A submission that leaves an entry only in runNext does not
     *             end them: a pair of threads that passes the slice back and forth on one P must not cost system calls.
     *             Any other submission ends them (S3). The napper scans once more after the announcement. That scan
     *             sees an entry published before the announcement; a submitter that publishes one later sees the
     *             announcement. The first nap needs no such scan: it ends by itself, and R1 follows.
     *
     * Who writes. spinning: raised by machines with a P, by CAS or add; lowered by the holder of the token, and by
     *             World and TokenAudit for tokens that no machine holds. needSpinning: set by submitters, at R5, and by
     *             threads that drop a token; cleared by the machine that starts spinning, which scans afterwards.
     *             napper: set by the napper; cleared by the napper or by the thread that wakes it.
     * Sources.    Go 1.27 proc.go, "Worker thread parking/unparking"; docs/model/. Checked by SpinModelTest.
     */

    private static final VarHandle SPINNING = Handles.field(lookup(), "spinning", int.class);
    private static final VarHandle NAPPER = Handles.field(lookup(), "napper", Machine.class);

    private final Kernel kernel;

    @SuppressWarnings("unused") // padding: the words below are written by all machines
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

    /// Takes a token.
    /// Go: becomeSpinning.
    void becomeSpinning(Machine machine) {
        machine.spinning = true;
        SPINNING.getAndAdd(this, 1);
        needSpinning = 0;
    }

    /// Clears the need: a machine now has the token that was taken for it. Called under the lock or before the
    /// machine is granted its P.
    void clearNeed() {
        needSpinning = 0;
    }

    /// Gives the token back (R3). The caller has work, or scans everything once more.
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

    /// Work may be waiting that no machine will search for: the next machine that would go idle searches (S4).
    void needOneMore() {
        if (needSpinning == 0) {
            needSpinning = 1;
        }
    }

    /// Steps S2 to S5. `onlyRunNext`: the submission left nothing but a runNext entry. Go: wakep. Only a
    /// machine with a P may call this: any other thread could be descheduled while it holds the token (N14).
    void wakeProcessor(Machine self, boolean onlyRunNext) {
        VarHandle.fullFence(); // S2: without it, S1 may still be in the store buffer when S3 reads (N1)
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

    /// Announces the machine's nap; false if another machine has announced one. One napper is enough.
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
