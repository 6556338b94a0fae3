package dev.heddle.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.jdk.Jdk;
import java.lang.invoke.VarHandle;

/// The kernel's lock: a CAS word that never parks a virtual thread.
///
/// Sections under it are a few dozen instructions and leave the kernel by no call: no callback, unpark, thread
/// start or allocation that can fail. A waiter therefore waits long only if the operating system has
/// descheduled the holder; it spins for a moment and then sleeps on the *carrier* in short, growing steps.
/// There is no queue of waiters and so no wake-up that could be lost.
///
/// Not re-entrant. Any thread; a virtual thread must be pinned.
final class KernelLock {

    private static final VarHandle HELD = Handles.field(lookup(), "held", int.class);

    private static final int SPINS = 200; // about as long as a section takes; unmeasured
    private static final long FIRST_NAP_NANOS = 1_000;
    private static final long LAST_NAP_NANOS = 200_000;

    private volatile int held;

    void lock() {
        Chaos.point();
        if (!HELD.compareAndSet(this, 0, 1)) {
            lockSlowly();
        }
    }

    boolean tryLock() {
        return held == 0 && HELD.compareAndSet(this, 0, 1);
    }

    void unlock() {
        HELD.setRelease(this, 0); // release: pairs with the CAS of the next holder; nobody waits for it by a flag
        Chaos.point();
    }

    boolean isHeld() {
        return held != 0;
    }

    private void lockSlowly() {
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
            if (tryLock()) {
                return;
            }
        }
        long nap = FIRST_NAP_NANOS;
        while (!tryLock()) {
            Jdk.parkCarrier(nap);
            nap = Math.min(LAST_NAP_NANOS, nap * 2);
        }
        // Our park may have eaten a permit that somebody meant for the code around us. Give one back: a spurious
        // return from a park is always allowed, a lost one is not.
        Jdk.unparkCarrier(Jdk.currentCarrierThread());
    }
}
