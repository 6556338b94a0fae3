package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A goroutine: a body to run, and what it inherits from the thread that started it.
///
/// The API has the one subclass, which knows the body. A second loaded subclass would cost a type check at every start.
///
/// Until it first runs, it is only this object, which is itself the queued entry. The M that picks it up runs it in
/// a [Shell]. From then on it is a virtual thread like any other, and the queues hold that thread's resume task.
/// Go: g, newproc1.
public abstract class Goroutine implements Runnable {

    private static final VarHandle STATUS = Handles.field(lookup(), "status", int.class);
    private static final VarHandle THREAD = Handles.field(lookup(), "thread", Thread.class);

    /*
     * FRESH        -> RUNNING       // the shell that takes it: exactly once, however often it is queued (N5)
     * RUNNING      -> INTERRUPTING  // an interrupter; until it is done, the shell waits in end()
     * INTERRUPTING -> RUNNING       // the same interrupter, when it is done
     * RUNNING      -> DONE          // the shell, when the body has returned or thrown
     */
    private static final int FRESH = 0;
    private static final int RUNNING = 1;
    private static final int INTERRUPTING = 2;
    private static final int DONE = 3;

    private final @Nullable ClassLoader loader;
    private final @Nullable Object inheritable;

    /// Where the goroutine was started, if creations are recorded.
    private final @Nullable Creation creation;

    private volatile int status; // written through STATUS except where noted

    /// The thread of the shell while RUNNING. It is set just after RUNNING begins and cleared just after DONE.
    /// Written through THREAD with release: an interrupter goes through STATUS first, so the field needs no
    /// full fence.
    private volatile @Nullable Thread thread;

    /// The next goroutine in the list of goroutines for which no shell could be made. Owned by the processor.
    @Nullable
    Goroutine stalledNext;

    /// Loads and initialises the classes that a start needs before it checks [StackReserve].
    static void initialise() {
        boolean _ = Creation.isNoted();
    }

    /// Makes the goroutines of the warm-up, which must be of the same class as the program's.
    @FunctionalInterface
    public interface Factory {
        Goroutine of(Runnable body);
    }

    /// Captures what a child thread of the current thread would inherit.
    protected Goroutine() {
        this.loader = Jdk.contextClassLoader();
        this.inheritable = Jdk.inheritableThreadLocals();
        this.creation = Creation.here();
    }

    /// What the goroutine does, for dumps.
    public abstract Object body();

    /// Runs the body, which may throw anything. On the current virtual thread.
    protected abstract void runBody() throws Throwable;

    /// Where the goroutine was started; null unless [Creation] is recorded.
    public @Nullable Creation creation() {
        return creation;
    }

    /// True for exactly one caller: its thread `self` now runs the goroutine.
    boolean begin(Thread self) {
        if (!STATUS.compareAndSet(this, FRESH, RUNNING)) {
            return false;
        }
        THREAD.setRelease(this, self);
        Jdk.inherit(self, loader, inheritable);
        return true;
    }

    /// The goroutine has ended. Waits until an interrupter is done, so that its interrupt does not hit the
    /// shell's next goroutine.
    void end() {
        for (int spins = 0; !STATUS.compareAndSet(this, RUNNING, DONE); spins++) {
            if (spins < 1000) {
                Thread.onSpinWait(); // the interrupter is pinned and needs only a few instructions
            } else {
                Thread.yield(); // the operating system may have descheduled the interrupter
            }
        }
        THREAD.setRelease(this, (Thread) null);
    }

    /// Interrupts this goroutine if it runs, and never another one. Returns whether it did.
    public boolean interrupt() {
        StackReserve.check();
        Jdk.pin();
        try {
            if (!STATUS.compareAndSet(this, RUNNING, INTERRUPTING)) {
                return false;
            }
            try {
                Thread target = thread;
                if (target != null) {
                    target.interrupt();
                }
                return target != null;
            } finally {
                status = RUNNING; // a store, even if interrupt() threw: the shell waits for RUNNING
            }
        } finally {
            Jdk.unpin();
        }
    }

    public boolean isDone() {
        return (int) STATUS.getAcquire(this) == DONE;
    }

    /// Never called: a goroutine is an entry of the run queues, not a task. Machines give it to a shell.
    @Override
    public void run() {
        throw new SchedulerBug("a goroutine was run without a shell: " + this);
    }
}
