package dev.heddle.bench.peer;

import java.util.Arrays;

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
    private long[] late = new long[1024];
    private int count;

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
            add(now - due);
        }
        return true;
    }

    private void add(long nanos) {
        if (count == late.length) {
            late = Arrays.copyOf(late, 2 * count);
        }
        late[count++] = nanos;
    }

    /// Reports the median and the 99th of a hundred, when hogs and sleeper have ended.
    public void report() {
        long[] sorted = Arrays.copyOf(late, count);
        Arrays.sort(sorted);
        job.figure("p50", count == 0 ? Double.POSITIVE_INFINITY : sorted[count / 2]);
        job.figure("p99", count == 0 ? Double.POSITIVE_INFINITY : sorted[count * 99 / 100]);
    }
}
