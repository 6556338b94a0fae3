package dev.heddle.internal.jdk;

import jdk.internal.misc.CarrierThread;

/// A platform thread that carries virtual threads, as the JDK wants to see one; the kernel's machines extend it.
///
/// The JDK calls the three hooks below on the carrier of the thread that blocks or yields.
public abstract class Carrier extends CarrierThread {

    private final Object workQueue;
    private boolean showsQueuedWork;

    @SuppressWarnings("this-escape") // setName and a look at a field
    protected Carrier(CarrierPool pool, String name) {
        super(pool); // with the JVM's default stack size: a thread resumed on a smaller stack can crash JDK 25 (X12)
        setName(name);
        workQueue = Jdk.workQueueOf(this);
    }

    /// Whether others wait for this carrier, as far as the JDK asks: then a virtual thread that waits in a
    /// SynchronousQueue, LinkedTransferQueue or Exchanger parks at once; else it first spins for a moment.
    /// On this carrier.
    protected final void showQueuedWork(boolean any) {
        if (showsQueuedWork != any) {
            showsQueuedWork = any;
            Jdk.setQueued(workQueue, any ? 1 : 0);
        }
    }

    /// The carrier's life: the kernel's loop. Replaces ForkJoinPool's, which is never entered.
    @Override
    public abstract void run();

    /// A declared blocking operation begins on this carrier. Returns whether [#endBlocking] must be called.
    @Override
    public abstract boolean beginBlocking();

    /// A declared blocking operation may have ended. Called on every yield as well, with no begin before it.
    @Override
    public abstract void endBlocking();

    /// Never zero: zero would lead the JDK's yields and late unparks to `lazySubmit`, away from `execute`.
    @Override
    public final int getQueuedTaskCount() {
        return 1;
    }

    /// Starts this thread where the JDK's own carriers live in thread dumps: in the pool's container.
    public final void startCarrier() {
        Jdk.startIn(this, Jdk.containerOf((CarrierPool) getPool()));
    }
}
