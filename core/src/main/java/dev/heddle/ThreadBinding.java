package dev.heddle;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Binds a thread to a context for the duration of one call: the context interrupts the thread when it is done.
///
/// Goroutines may share a thread one after the other, so an interrupt must not arrive after the call. The end of the
/// call therefore waits for an interrupter that has begun.
///
/// Calls nest, and a thread has only one interrupt status. The end of an inner call clears it, and sets it again if the
/// context of an enclosing call is done, too.
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

    /// The binding of the innermost call that the current thread is in.
    private static final ThreadLocal<@Nullable ThreadBinding> INNERMOST = new ThreadLocal<>();

    private final Thread thread = Thread.currentThread();
    private final AtomicInteger state = new AtomicInteger(ACTIVE);
    private final @Nullable ThreadBinding enclosing = INNERMOST.get();

    /// Begins the binding of the current thread.
    static ThreadBinding begin() {
        ThreadBinding binding = new ThreadBinding();
        INNERMOST.set(binding);
        return binding;
    }

    private ThreadBinding() {}

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
        if (enclosing == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(enclosing);
        }
        if (state.compareAndSet(ACTIVE, ENDED)) {
            return;
        }
        while (state.get() == INTERRUPTING) {
            Thread.yield(); // short: a few instructions, unless the interrupter was descheduled
        }
        Thread.interrupted();
        if (isEnclosingInterrupted()) {
            thread.interrupt(); // the status that was cleared was also that of the enclosing call
        }
    }

    private boolean isEnclosingInterrupted() {
        for (ThreadBinding outer = enclosing; outer != null; outer = outer.enclosing) {
            if (outer.state.get() != ACTIVE) {
                return true;
            }
        }
        return false;
    }
}
