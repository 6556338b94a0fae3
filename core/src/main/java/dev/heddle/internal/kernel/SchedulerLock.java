package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;

/// The kernel's lock: a CAS word that never parks a virtual thread.
///
/// Sections under it are a few dozen instructions long, and no call in them leaves the kernel: no callback, unpark,
/// thread start or allocation that can fail. A waiter therefore waits long only if the operating system has
/// descheduled the holder. It spins briefly and then parks its *carrier* for short, growing times. There is no queue of
/// waiters, and so no wake-up that could be lost.
///
/// Every section has this shape, and a test checks the class files for it:
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
/// The holder unlocks with a store, not a call: a stack can overflow only where a method is called, and the section may
/// have failed with a stack overflow. For the same reason [#lock] calls no method after it has won the lock.
///
/// Not re-entrant. Any thread; a virtual thread must be pinned.
final class SchedulerLock {

    private static final VarHandle HELD = Handles.field(lookup(), "held", int.class);

    private static final int SPINS = 200; // about as long as a section takes; unmeasured
    private static final long FIRST_NAP_NANOS = 1_000;
    private static final long LAST_NAP_NANOS = 200_000;

    /// 1 while a thread holds the lock. The holder stores 0 to unlock: pairs with the CAS of the next holder.
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
            // The park may have consumed a permit that another thread meant for the caller of lock(). So give one back
            // before the attempt: a spurious return from a park is always allowed, a lost permit is not.
            Jdk.unparkCarrier(carrier);
            if (held == 0 && HELD.compareAndSet(this, 0, 1)) {
                return;
            }
            Jdk.parkCarrier(1); // consumes our own permit, which would end the next nap at once
            nap = Math.min(LAST_NAP_NANOS, nap * 2);
        }
    }
}
