package dev.heddle;

import java.util.concurrent.atomic.AtomicInteger;

/// Binds a thread to a context for the duration of one call: the context interrupts the thread when it is done.
///
/// Goroutines may share a thread one after the other, so an interrupt must not arrive after the call. The end of the
/// call therefore waits for an interrupter that has begun.
final class ThreadBinding extends Cancellation.Child {
    /*
     * ACTIVE       -> INTERRUPTING  // the cancelling thread
     * INTERRUPTING -> INTERRUPTED   // the cancelling thread, after the interrupt
     * ACTIVE       -> ENDED         // the bound thread, at the end of the call
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

    /// Ends the binding. No interrupt from the context arrives after this, and one that did arrive is cleared.  The
    /// bound thread only.
    void end() {
        if (state.compareAndSet(ACTIVE, ENDED)) {
            return;
        }
        while (state.get() == INTERRUPTING) {
            Thread.yield(); // short: a few instructions, unless the interrupter was descheduled
        }
        Thread.interrupted();
    }
}
