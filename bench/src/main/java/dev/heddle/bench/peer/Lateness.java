package dev.heddle.bench.peer;

/// How late somebody woke who wanted to sleep for a millisecond, again and again, while hogs kept all
/// processors busy.
///
/// A hog computes until the time is over and never waits. Lateness counts from the moment that every processor
/// has its hog to the moment that the hogs end; who did not wake once in between would never have.
public final class Lateness {

    private static final long PERIOD_NANOS = 1_000_000;

    private final Job job;
    private final int processors;
    private final long end;
    private volatile int started;
    private boolean isCounted;
    private final Percentiles late = new Percentiles();

    /// @param job its size is how long the hogs compute, in milliseconds; its width how many there are per
    /// processor
    public Lateness(Job job) {
        this.job = job;
        this.processors = Integer.getInteger("heddle.procs", 1);
        this.end = System.nanoTime() + job.size() * 1_000_000L;
    }

    public int hogs() {
        return job.width() * processors;
    }

    /// What a hog does.
    public void hog() {
        synchronized (this) {
            started++;
        }
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /// What the sleeper does.
    public void sleepAgainAndAgain() throws InterruptedException {
        long due;
        do {
            due = due();
            Thread.sleep(1);
        } while (woke(due));
    }

    /// When somebody who goes to sleep now wants to wake. Sleeper only.
    public long due() {
        isCounted = started >= processors;
        return System.nanoTime() + PERIOD_NANOS;
    }

    /// Notes that the sleeper woke; false when the hogs have ended. Sleeper only.
    public boolean woke(long due) {
        long now = System.nanoTime();
        if (now - end >= 0) {
            return false;
        }
        if (isCounted) {
            late.add(now - due);
        }
        return true;
    }

    /// Reports the median and the 99th of a hundred, when hogs and sleeper have ended.
    public void report() {
        late.report(job);
    }
}
