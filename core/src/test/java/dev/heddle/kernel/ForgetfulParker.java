package dev.heddle.kernel;

/// A parker that loses its third wake-up: what a model checker must notice.
public final class ForgetfulParker implements Parker {
    private final MonitorParker parker = new MonitorParker();
    private volatile int wakeUps;

    @Override
    public void park(Object blocker) {
        parker.park(blocker);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        parker.parkNanos(blocker, nanos);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // any loss will do
    public void unpark(Thread thread) {
        if (++wakeUps != 3) {
            parker.unpark(thread);
        }
    }
}
