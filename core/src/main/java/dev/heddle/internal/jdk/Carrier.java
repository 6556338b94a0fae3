package dev.heddle.internal.jdk;

import jdk.internal.misc.CarrierThread;

/// A platform thread that carries virtual threads, of the class that the JDK expects; the kernel's machines extend it.
///
/// The JDK calls [#beginBlocking], [#endBlocking] and [#getQueuedTaskCount] on the carrier of the thread that blocks or
/// yields.
public abstract class Carrier extends CarrierThread {

    private final Object workQueue;
    private boolean showsQueuedWork;

    @SuppressWarnings("this-escape") // setName and the read of one field
    protected Carrier(CarrierPool pool, String name) {
        super(pool); // with the JVM's default stack size: a thread resumed on a smaller stack can crash JDK 25 (X12)
        setName(name);
        workQueue = Jdk.workQueueOf(this);
    }

    /// Tells the JDK whether other virtual threads wait for this carrier. If so, a virtual thread that waits in
    /// a SynchronousQueue, LinkedTransferQueue or Exchanger parks at once; otherwise it first spins briefly.
    /// Called on this carrier only.
    public final void showQueuedWork(boolean any) {
        if (showsQueuedWork != any) {
            showsQueuedWork = any;
            Jdk.setQueued(workQueue, any ? 1 : 0);
        }
    }

    /// The kernel's loop, for the whole life of the carrier. Replaces ForkJoinPool's loop, which is never entered.
    @Override
    public abstract void run();

    /// A declared blocking operation begins on this carrier. Returns whether [#endBlocking] must be called.
    @Override
    public abstract boolean beginBlocking();

    /// A declared blocking operation may have ended. Also called on every yield, without a preceding
    /// [#beginBlocking].
    @Override
    public abstract void endBlocking();

    /// Never zero: with zero the JDK's yields and late unparks would call `lazySubmit` instead of `execute`.
    @Override
    public final int getQueuedTaskCount() {
        return 1;
    }

    /// Starts this thread in the pool's container, where thread dumps also show the JDK's own carriers.
    public final void startCarrier() {
        Jdk.startIn(this, Jdk.containerOf((CarrierPool) getPool()));
    }
}
