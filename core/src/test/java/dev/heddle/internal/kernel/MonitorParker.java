package dev.heddle.internal.kernel;

import dev.heddle.internal.runtime.Parker;
import java.util.IdentityHashMap;
import java.util.Map;

/// A parker made of one monitor, for model checkers: they know what `wait` and `notify` mean, and so see a thread that
/// is never woken. Without spurious returns, unlike the real one.
public class MonitorParker implements Parker {
    private final Map<Thread, Boolean> permits = new IdentityHashMap<>();

    @Override
    public synchronized void park(Object blocker) {
        Thread me = Thread.currentThread();
        while (permits.remove(me) == null) {
            if (me.isInterrupted()) {
                return;
            }
            try {
                wait();
            } catch (InterruptedException e) {
                me.interrupt();
                return;
            }
        }
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        park(blocker); // a model has no clock
    }

    @Override
    public synchronized void unpark(Thread thread) {
        permits.put(thread, true);
        notifyAll();
    }
}
