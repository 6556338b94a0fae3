package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;

/// The kernel's lock: a CAS word that never parks a virtual thread.
///
/// Sections under it are a few dozen instructions and leave the kernel by no call: no callback, unpark, thread
/// start or allocation that can fail. A waiter therefore waits long only if the operating system has
/// descheduled the holder; it spins for a moment and then sleeps on the *carrier* in short, growing steps.
/// There is no queue of waiters and so no wake-up that could be lost.
///
/// Every section has this shape, and a test looks at the class files for it:
///
/// ```java
/// lock.lock();
/// try {
///     ...
/// } finally {
///     lock.held = 0;
/// }
/// ```
///
/// A store, not a call: stacks end where a method is called, and the section may have met the end of one. For the
/// same reason [#lock] calls nothing once the lock is won.
///
/// Not re-entrant. Any thread; a virtual thread must be pinned.
final class KernelLock {

    private static final VarHandle HELD = Handles.field(lookup(), "held", int.class);

    private static final int SPINS = 200; // about as long as a section takes; unmeasured
    private static final long FIRST_NAP_NANOS = 1_000;
    private static final long LAST_NAP_NANOS = 200_000;

    /// 1 while somebody is inside. The holder stores 0 to leave: pairs with the CAS of the next holder.
    volatile int held;

    void lock() {
        Chaos.point();
        if (!HELD.compareAndSet(this, 0, 1)) {
            lockSlowly();
        }
    }

    private void lockSlowly() {
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
            if (held == 0 && HELD.compareAndSet(this, 0, 1)) {
                return;
            }
        }
        Thread carrier = Jdk.currentCarrierThread();
        long nap = FIRST_NAP_NANOS;
        while (true) {
            Jdk.parkCarrier(nap);
            // The park may have eaten a permit that somebody meant for the code around us. One is given back, before
            // the attempt: a spurious return from a park is always allowed, a lost one is not.
            Jdk.unparkCarrier(carrier);
            if (held == 0 && HELD.compareAndSet(this, 0, 1)) {
                return;
            }
            Jdk.parkCarrier(1); // takes our own permit: with it the next nap would not be one
            nap = Math.min(LAST_NAP_NANOS, nap * 2);
        }
    }
}
