package dev.heddle.bench.peer;

/// Measures how late a thread wakes that repeatedly sleeps for a millisecond while hogs keep all processors busy.
///
/// A hog computes until the time is over and never waits. Sleeps count if they begin after as many hogs as processors
/// have started, and end before the hogs do. If there is none, the lateness is infinite.
public final class Lateness {

    private static final long PERIOD_NANOS = 1_000_000;

    private final Job job;
    private final int processors;
    private final long end;
    private volatile int started;
    private boolean isCounted;
    private final Percentiles late = new Percentiles();

    /// @param job its size is the time in milliseconds that the hogs compute; its width is the number of hogs per
    /// processor
    public Lateness(Job job) {
        this.job = job;
        this.processors = Integer.getInteger("heddle.procs", 1);
        this.end = System.nanoTime() + job.size() * 1_000_000L;
    }

    public int hogs() {
        return job.width() * processors;
    }

    /// The body of a hog.
    public void hog() {
        synchronized (this) {
            started++;
        }
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /// The body of the sleeper.
    public void sleepAgainAndAgain() throws InterruptedException {
        long due;
        do {
            due = due();
            Thread.sleep(1);
        } while (woke(due));
    }

    /// When a sleep that begins now should end. Sleeper only.
    public long due() {
        isCounted = started >= processors;
        return System.nanoTime() + PERIOD_NANOS;
    }

    /// Records that the sleeper woke; false when the hogs have ended. Sleeper only.
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

    /// Reports the median and the 99th percentile, after the hogs and the sleeper have ended.
    public void report() {
        late.report(job);
    }
}
