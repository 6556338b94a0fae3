package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.LinuxCalls;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lowers the priority of threads that compute without a processor, so that the owners of processors get the
/// CPUs.
///
/// - Any hog gets a longer time slice when its processor is taken. From Linux 6.12 on a thread that wakes up
///   interrupts one with a longer slice at once, and not at the next tick of the clock, 4 ms later. The share of
///   the CPUs stays the same, and the machine takes its slice back after the turn.
/// - A demoted hog gets a higher niceness, too: a smaller share. Raising it is always allowed, lowering it again is
///   not, so such a machine ends with its goroutine's turn.
///
/// Linking the system call takes a tenth of a second and would hold up the monitor, so this thread does it, once. It
/// begins while the scheduler is idle, or when the first hog is suspected. The calls take a microsecond each, and
/// the monitor makes them itself: a hog must be out of the way before another machine is woken for its processor.
final class Demoter extends Thread implements KernelThread {

    /// Niceness for a few hogs, for some, and for many. The scheduler of Linux gives a thread of niceness 10 a
    /// tenth of the weight of an ordinary one, 15 a thirtieth, 19 a seventieth: all hogs together weigh about
    /// as much as one owner.
    private static final int[] NICENESS = {10, 15, 19};

    /// How long to wait for memory before the system call is linked again.
    private static final long RETRY_NANOS = 100_000_000;

    private static final int FEW = 8;
    private static final int SOME = 28;

    private static final long DEFAULT_SLICE = 0;

    /// The slice of a hog: longer than any that Linux gives by itself (0.7 to 5 ms).
    static final long HOG_SLICE_NANOS = 20_000_000;

    /// The slice of the monitor: shorter than that of a hog which still owns a processor.
    private static final long MONITOR_SLICE_NANOS = 100_000; // the shortest that Linux takes

    /// Whether threads can be demoted here.
    ///
    /// ```
    /// LOADING -> READY       // this thread: the system call is linked
    /// LOADING -> IMPOSSIBLE  // this thread: it cannot be linked here; OutOfMemoryError leaves LOADING, and it is
    /// retried
    /// READY   -> IMPOSSIBLE  // this thread: the system refused it
    /// ```
    enum Ability {
        LOADING,
        READY,
        IMPOSSIBLE
    }

    private final Kernel kernel;
    private final Supplier<@Nullable LinuxCalls> loader;
    private volatile Ability ability = Ability.LOADING;
    private volatile @Nullable LinuxCalls linked; // written before READY

    Demoter(Kernel kernel) {
        this(kernel, Demoter::load);
    }

    /// `loader` links the system call: null where that is not possible.
    Demoter(Kernel kernel, Supplier<@Nullable LinuxCalls> loader) {
        super(null, null, kernel.name() + "-demoter", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        this.loader = loader;
        setDaemon(true);
    }

    /// Begins, unless it has. System monitor only.
    void prepare() {
        if (getState() == Thread.State.NEW) {
            start();
        }
    }

    Ability ability() {
        return ability;
    }

    /// The processor of the machine has been taken because its thread computes: from now on owners that wake up
    /// come
    /// first. System monitor only.
    void lengthenSlice(Machine machine) {
        LinuxCalls calls = linked;
        if (calls != null && machine.probe.threadId() != 0) {
            machine.sliceLengthenedBy = this; // before: the machine undoes it after the turn, if that is over already
            setSlice(calls, machine, /* niceness= */ 0);
        }
    }

    /// The turn is over whose slice was lengthened. On that machine.
    void restoreSlice() {
        LinuxCalls calls = linked;
        if (calls != null) {
            String _ = calls.setSlice(0, 0, DEFAULT_SLICE);
        }
    }

    /// Demotes a machine that computes without a processor; `hogs` such machines exist. False: it is not known yet
    /// whether that is possible. System monitor only.
    boolean demote(Machine machine, int hogs) {
        prepare();
        LinuxCalls calls = linked;
        if (calls != null && ability == Ability.READY && machine.probe.threadId() != 0) {
            machine.endSoon(); // before: it must not run anything else at the lower priority
            if (setSlice(calls, machine, niceness(hogs))) {
                machine.isDemoted = true;
                kernel.counters.demoted.incrementAndGet();
            } else if (machine.isAlive()) {
                ability = Ability.IMPOSSIBLE;
            }
        }
        return ability != Ability.LOADING;
    }

    private boolean setSlice(LinuxCalls calls, Machine machine, int niceness) {
        int thread = machine.probe.threadId();
        try {
            return calls.setSlice(thread, niceness, HOG_SLICE_NANOS) == null
                    || (niceness > 0 && calls.setNiceness(thread, niceness) == null);
        } catch (OutOfMemoryError failure) {
            kernel.countRepair(failure); // it keeps its priority
            return true;
        }
    }

    static int niceness(int hogs) {
        return NICENESS[hogs <= FEW ? 0 : hogs <= SOME ? 1 : 2];
    }

    /// Lets the calling thread, the system monitor, interrupt hogs that own a processor. False: the system call is
    /// not
    /// linked yet. Where the system does not allow it, relief comes a few milliseconds later.
    boolean shortenSliceOfMonitor() {
        LinuxCalls calls = linked;
        if (calls != null) {
            String _ = calls.setSlice(0, 0, MONITOR_SLICE_NANOS);
        }
        return calls != null;
    }

    @Override
    public void run() {
        LinuxCalls calls = loadPatiently();
        linked = calls;
        ability = calls == null ? Ability.IMPOSSIBLE : Ability.READY;
    }

    /// Null where threads cannot be demoted: hogs keep their priority there, and everything else works.
    ///
    /// The first hog may be suspected when there is no memory. No error may leave this thread: the JVM would print
    /// it,
    /// and a class that is first used by printing, and cannot be initialised, is lost to the whole program.
    private @Nullable LinuxCalls loadPatiently() {
        while (!kernel.isEnded()) {
            try {
                JvmCpuTime.prepareIfNeeded();
                return loader.get();
            } catch (OutOfMemoryError failure) {
                kernel.countRepair(failure);
                Jdk.parkCarrier(RETRY_NANOS);
                boolean _ = Thread.interrupted();
            } catch (Throwable failure) { // mostly a class whose initialiser had no memory: it is lost for good
                kernel.countRepair(failure);
                return null;
            }
        }
        return null;
    }

    private static @Nullable LinuxCalls load() {
        try {
            LinuxCalls calls = LinuxCalls.load(Jdk::allowNativeAccess);
            long _ = calls.slice(0); // links it
            return calls;
        } catch (UnsupportedOperationException _) {
            return null;
        }
    }
}
