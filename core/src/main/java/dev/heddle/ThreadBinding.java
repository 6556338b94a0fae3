package dev.heddle;

import java.util.concurrent.atomic.AtomicInteger;

/// A thread that a context interrupts, for the length of one call and not longer.
///
/// Threads are shared by goroutines one after the other, so an interrupt must not come late: the end of the call
/// waits for an interrupter that has begun.
final class ThreadBinding extends Cancellation.Child {
    /*
     * ACTIVE       -> INTERRUPTING  // who cancels the context
     * INTERRUPTING -> INTERRUPTED   // the same, done
     * ACTIVE       -> ENDED         // the bound thread
     */
    private static final int ACTIVE = 0;
    private static final int INTERRUPTING = 1;
    private static final int INTERRUPTED = 2;
    private static final int ENDED = 3;

    private final Thread thread = Thread.currentThread();
    private final AtomicInteger state = new AtomicInteger(ACTIVE);

    @Override
    void parentIsDone(Cancellation cancellation) {
        if (state.compareAndSet(ACTIVE, INTERRUPTING)) {
            try {
                thread.interrupt();
            } finally {
                state.set(INTERRUPTED); // the bound thread waits for this
            }
        }
    }

    /// The call is over: no interrupt comes after this, and one that came is taken back.  The bound thread only.
    void end() {
        if (state.compareAndSet(ACTIVE, ENDED)) {
            return;
        }
        while (state.get() == INTERRUPTING) {
            Thread.yield(); // a few instructions of the interrupter, unless it lost its processor
        }
        Thread.interrupted();
    }
}
