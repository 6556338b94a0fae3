package dev.heddle.internal.kernel;

/// A parker that loses its second wake-up: what a model checker must notice.
public final class ForgetfulParker extends MonitorParker {
    private int wakeUps;

    @Override
    public synchronized void unpark(Thread thread) {
        wakeUps++;
        if (wakeUps != 2) {
            super.unpark(thread);
        }
    }
}
