package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.event.LatencyHistogram;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Measures how long goroutines wait between becoming runnable and running. Go: gTrackingPeriod,
/// sched.timeToRun.
final class LatencySampler {
    /*
     * Shape.      One entry of the queues at a time is followed, in `followed`; `since` says when it became runnable. Every
     *             256th entry that a processor's owner queues takes the place if it is free.
     * Why one.    Neither a resume task nor its thread has room for a time stamp, and a table of many would have to be searched
     *             at every switch. So a switch costs one read of a line that is seldom written. The sample is fair
     *             as long as how long an entry waits does not depend on whether the place was free before it.
     *
     *             null -> BUSY    // who queues an entry, by CAS
     *             BUSY -> entry   // the same, `since` written; before the entry is queued
     *             entry -> BUSY   // the machine that runs it, by CAS
     *             BUSY -> null    // the same, having counted: so the histogram has one writer at a time
     *
     *             An entry that never runs (its queueing failed, or the stack ended in here) is given up after a minute.
     */

    private static final VarHandle FOLLOWED = Handles.field(lookup(), "followed", Runnable.class);

    /// Go takes every 8th transition; the rarer, the less a start costs, which is cheaper here than in Go.
    private static final int PERIOD_MASK = 255;

    private static final long LOST_NANOS = 60_000_000_000L;

    private static final Runnable BUSY = new Runnable() {
        @Override
        public void run() {
            throw new SchedulerBug("a mark was run");
        }
    };

    @SuppressWarnings("UnusedVariable") // accessed through FOLLOWED
    private @Nullable Runnable followed;

    private long since;
    private int injected;

    final LatencyHistogram histogram = new LatencyHistogram();

    /// An entry is about to be queued with this processor. Owner only, in the kernel.
    void queues(Processor processor, Runnable entry) {
        if ((processor.queued++ & PERIOD_MASK) == 0) {
            follow(entry);
        }
    }

    /// An entry is about to be queued by someone without a processor. Any thread.
    void injects(Runnable entry) {
        if ((injected++ & PERIOD_MASK) == 0) { // racy: which one it hits does not matter
            follow(entry);
        }
    }

    private void follow(Runnable entry) {
        Runnable before = (Runnable) FOLLOWED.getOpaque(this);
        if (before != null && System.nanoTime() - since < LOST_NANOS) {
            return;
        }
        if (FOLLOWED.compareAndSet(this, before, BUSY)) {
            since = System.nanoTime();
            FOLLOWED.setRelease(this, entry);
        }
    }

    /// An entry is about to run. In the kernel.
    void runs(Runnable entry) {
        if (FOLLOWED.getOpaque(this) == entry) {
            count(entry);
        }
    }

    private void count(Runnable entry) {
        if (FOLLOWED.compareAndSet(this, entry, BUSY)) {
            histogram.record(System.nanoTime() - since);
            FOLLOWED.setRelease(this, (Runnable) null);
        }
    }
}
