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

    private static final VarHandle HAS_BEGUN = Handles.field(lookup(), "hasBegun", boolean.class);

    private final @Nullable ClassLoader loader;
    private final @Nullable Object inheritable;

    /// Where the goroutine was started, if creations are recorded.
    private final @Nullable CreationSite creation;

    /// Set by the shell that takes the goroutine: exactly once, however often it is queued (N5).
    @SuppressWarnings("UnusedVariable") // accessed through HAS_BEGUN
    private volatile boolean hasBegun;

    /// Its number in recordings of events; 0 if nothing was recorded when it was created. Written before it is queued.
    int traceNumber;

    /// The next goroutine in the list of goroutines for which no shell could be made. Owned by the processor.
    @Nullable
    Goroutine stalledNext;

    /// Loads and initialises the classes that a start needs before it checks [StackReserve].
    static void initialise() {
        boolean _ = CreationSite.isNoted();
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
        this.creation = CreationSite.here();
    }

    /// What the goroutine does, for dumps.
    public abstract Object body();

    /// Runs the body, which may throw anything. On the current virtual thread.
    protected abstract void runBody() throws Throwable;

    /// Where the goroutine was started; null unless [CreationSite] is recorded.
    public @Nullable CreationSite creation() {
        return creation;
    }

    /// True for exactly one caller: its thread `self` now runs the goroutine.
    boolean begin(Thread self) {
        if (!HAS_BEGUN.compareAndSet(this, false, true)) {
            return false;
        }
        Jdk.inherit(self, loader, inheritable);
        return true;
    }

    /// Runs the goroutine in a virtual thread that it has for itself. For a scheduler without shells; what the body
    /// throws goes to the caller.
    public final void runAlone() throws Throwable {
        if (begin(Thread.currentThread())) {
            runBody();
        }
    }

    /// Never called: a goroutine is an entry of the run queues, not a task. Machines give it to a shell.
    @Override
    public void run() {
        throw new SchedulerBug("a goroutine was run without a shell: " + this);
    }
}
