package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;
import dev.heddle.procs.LinuxCalls;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lowers the priority of threads that compute without a processor, so that the owners of processors get the
/// CPUs.
///
/// Lowering it is always allowed, raising it again is not, so such a machine ends with its goroutine's turn. A
/// thread of its own: linking the system call takes a tenth of a second and would hold up the monitor. It
/// begins while the scheduler is idle, or when the first hog is suspected.
final class Demoter extends Thread implements KernelThread {

    /// Niceness for a few hogs, for some, and for many. The scheduler of Linux gives a thread of niceness 10 a
    /// tenth of the weight of an ordinary one, 15 a thirtieth, 19 a seventieth: all hogs together weigh about
    /// as much as one owner.
    private static final int[] NICENESS = {10, 15, 19};

    /// How long to wait for memory before the system call is linked again.
    private static final long RETRY_NANOS = 100_000_000;

    private static final int FEW = 8;
    private static final int SOME = 28;

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
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private volatile Ability ability = Ability.LOADING;

    /// `word`: the machine's word when it was judged; the request is void once the turn has ended.
    private record Request(Machine machine, long word, int niceness) {}

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

    /// Demotes a machine that computes without a processor; `hogs` such machines exist. System monitor only.
    void demote(Machine machine, int hogs) {
        prepare();
        if (ability != Ability.IMPOSSIBLE && machine.probe.threadId() != 0) {
            requests.add(new Request(machine, machine.word(), niceness(hogs)));
            Jdk.unparkCarrier(this);
        }
    }

    static int niceness(int hogs) {
        return NICENESS[hogs <= FEW ? 0 : hogs <= SOME ? 1 : 2];
    }

    /// The kernel has ended. Any thread.
    void end() {
        Jdk.unparkCarrier(this);
    }

    @Override
    public void run() {
        LinuxCalls calls = loadPatiently();
        while (calls != null && !kernel.isEnded() && ability == Ability.READY) {
            Request request = requests.poll();
            if (request == null) {
                Jdk.parkCarrier(0);
                boolean _ = Thread.interrupted();
            } else if (request.machine.word() == request.word && request.machine.isMounted()) {
                request.machine.endSoon(); // before: it must not run anything else at the lower priority
                demote(calls, request);
            }
        }
    }

    private void demote(LinuxCalls calls, Request request) {
        try {
            if (calls.setNiceness(request.machine.probe.threadId(), request.niceness) == null) {
                request.machine.isDemoted = true;
                kernel.counters.demoted.incrementAndGet();
            } else if (request.machine.isAlive()) {
                ability = Ability.IMPOSSIBLE;
            }
        } catch (OutOfMemoryError failure) {
            kernel.countRepair(failure); // it keeps its priority
        }
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
                LinuxCalls calls = loader.get();
                ability = calls == null ? Ability.IMPOSSIBLE : Ability.READY;
                return calls;
            } catch (OutOfMemoryError failure) {
                kernel.countRepair(failure);
                Jdk.parkCarrier(RETRY_NANOS);
                boolean _ = Thread.interrupted();
            } catch (Throwable failure) { // mostly a class whose initialiser had no memory: it is lost for good
                kernel.countRepair(failure);
                ability = Ability.IMPOSSIBLE;
                return null;
            }
        }
        return null;
    }

    private static @Nullable LinuxCalls load() {
        try {
            LinuxCalls calls = LinuxCalls.load(Jdk::allowNativeAccess);
            MethodHandle _ = calls.linkNiceness();
            return calls;
        } catch (UnsupportedOperationException _) {
            return null;
        }
    }
}
