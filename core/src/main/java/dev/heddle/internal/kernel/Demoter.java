package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.LinuxCalls;
import dev.heddle.internal.trace.EventKind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lowers the priority of threads that compute without a processor, so that the owners of processors get the CPUs.
///
/// - Any hog gets a longer time slice from Linux when its processor is taken. From Linux 6.12 on, a thread that wakes
///   up preempts a thread with a longer slice at once, and not at the next clock tick, 4 ms later. The hog's share of
///   the CPUs stays the same. Its machine restores the default slice after the turn.
/// - A demoted hog also gets a higher niceness, and so a smaller share. A thread may always raise its niceness, but may
///   not lower it again, so such a machine ends with its goroutine's turn.
///
/// Linking the system call takes a tenth of a second and would delay the monitor, so this thread does it, once. It
/// begins while the scheduler is idle, or when the first hog is suspected. The calls take a microsecond each, and
/// the monitor makes them itself: the hog's slice or priority must change before another machine is woken for its
/// processor.
final class Demoter extends Thread implements KernelThread {

    /// Niceness for a few hogs, for some, and for many. The scheduler of Linux gives a thread of niceness 10 a
    /// tenth of the weight of an ordinary thread, niceness 15 a thirtieth, and niceness 19 a seventieth. So all
    /// hogs together weigh about as much as one owner.
    private static final int[] NICENESS = {10, 15, 19};

    /// How long this thread waits after an OutOfMemoryError before it tries to link the system call again.
    private static final long RETRY_NANOS = 100_000_000;

    private static final int FEW = 8;
    private static final int SOME = 28;

    private static final long DEFAULT_SLICE = 0;

    /// The slice of a hog: longer than any that Linux gives by itself (0.7 to 5 ms).
    static final long HOG_SLICE_NANOS = 20_000_000;

    /// The slice of the monitor: shorter than that of a hog which still owns a processor.
    private static final long MONITOR_SLICE_NANOS = 100_000; // the shortest that Linux accepts

    /// Whether threads can be demoted here.
    ///
    /// ```
    /// LOADING -> READY       // this thread: the system call is linked
    /// LOADING -> LOADING     // this thread: OutOfMemoryError while linking; it retries
    /// LOADING -> IMPOSSIBLE  // this thread: the system call cannot be linked here, or the kernel has ended
    /// READY   -> IMPOSSIBLE  // system monitor: the operating system refused the call
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

    /// `loader` links the system call. It returns null where that is not possible.
    Demoter(Kernel kernel, Supplier<@Nullable LinuxCalls> loader) {
        super(null, null, kernel.name() + "-demoter", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        this.loader = loader;
        setDaemon(true);
    }

    /// Starts this thread, unless it was started before. System monitor only.
    void prepare() {
        if (getState() == Thread.State.NEW) {
            start();
        }
    }

    Ability ability() {
        return ability;
    }

    /// The machine's processor has been taken because its thread computes. From now on, owners that wake up preempt
    /// that thread. System monitor only.
    void lengthenSlice(Machine machine) {
        LinuxCalls calls = linked;
        if (calls != null && machine.probe.threadId() != 0) {
            // Before: the machine restores the slice even if the turn ends during the call. After: the machine may have
            // restored it just before the call took effect. It restores it once more then.
            machine.sliceLengthenedBy = this;
            setSlice(calls, machine, /* niceness= */ 0);
            machine.sliceLengthenedBy = this;
        }
    }

    /// Restores the default slice of a machine's thread after the turn for which it was lengthened. On that
    /// machine.
    void restoreSlice(Machine machine) {
        LinuxCalls calls = linked;
        try {
            if (calls != null) {
                String _ = calls.setSlice(0, 0, DEFAULT_SLICE);
            }
        } catch (OutOfMemoryError failure) {
            kernel.failures.countRepair();
            machine.sliceLengthenedBy = this; // the machine tries again before its next turn
        }
    }

    /// Demotes a machine that computes without a processor; there are `hogs` such machines. False if it is not
    /// known yet whether that is possible. System monitor only.
    boolean demote(Machine machine, int hogs) {
        prepare();
        LinuxCalls calls = linked;
        if (calls != null && ability == Ability.READY && machine.probe.threadId() != 0) {
            machine.endSoon(); // before the call: it must not run other entries at the lower priority
            if (setSlice(calls, machine, niceness(hogs))) {
                machine.isDemoted = true;
                kernel.tracing.note(EventKind.DEMOTE, machine.id);
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
            kernel.failures.countRepair(); // the hog keeps its priority
            return true;
        }
    }

    static int niceness(int hogs) {
        return NICENESS[hogs <= FEW ? 0 : hogs <= SOME ? 1 : 2];
    }

    /// Lets the calling thread, the system monitor, preempt hogs that own a processor. False if the system call
    /// is not linked yet. Where the operating system does not allow it, the monitor preempts a hog a few
    /// milliseconds later.
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

    /// Links the system call. Null where threads cannot be demoted: hogs keep their priority there, and
    /// everything else works.
    ///
    /// The first hog may be suspected while the heap is full. No error may escape from this thread: the JVM
    /// would print it. Printing may use a class for the first time, and a class whose initialiser fails is
    /// unusable for the whole program.
    private @Nullable LinuxCalls loadPatiently() {
        while (!kernel.isEnded()) {
            try {
                JvmCpuTime.prepareIfNeeded();
                return loader.get();
            } catch (OutOfMemoryError failure) {
                kernel.failures.countRepair();
                Jdk.parkSelf(RETRY_NANOS);
            } catch (Throwable failure) { // mostly a class whose initialiser ran out of memory: it stays unusable
                kernel.failures.countRepair();
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
