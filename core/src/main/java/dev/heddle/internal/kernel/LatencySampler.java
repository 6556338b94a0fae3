package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.event.LatencyHistogram;
import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Measures how long goroutines wait between becoming runnable and running.
/// Go: gTrackingPeriod, sched.timeToRun.
final class LatencySampler {
    /*
     * Shape.      One entry of the queues is followed at a time, in `followed`. `since` is the time when it became
     *             runnable. Every 256th entry that a processor's owner queues takes the slot if it is free. So does
     *             every 256th entry that callers without a processor inject.
     * Why one.    Neither a resume task nor its thread has room for a time stamp, and a table of many would have to be
     *             searched at every switch. With one slot, a switch costs one read of a line that is seldom written.
     *             The sample is fair as long as an entry's waiting time does not depend on whether the slot was free.
     *
     *             null -> BUSY    // the thread that queues an entry, by CAS
     *             BUSY -> entry   // the same thread, after writing `since` and before the entry is queued
     *             entry -> BUSY   // the machine that runs the entry, by CAS
     *             BUSY -> null    // the same machine, after counting: so the histogram has one writer at a time
     *
     *             The followed entry may never run: its queueing failed, or the stack overflowed in this class. After a
     *             minute the next sampled entry takes its slot.
     */

    private static final VarHandle FOLLOWED = Handles.field(lookup(), "followed", Runnable.class);

    /// Go samples every 8th transition. A start is cheaper here than in Go, so samples are rarer to keep it cheap.
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

    /// An entry is about to be queued by a caller without a processor. Any thread.
    void injects(Runnable entry) {
        if ((injected++ & PERIOD_MASK) == 0) { // racy: it does not matter which entry is sampled
            follow(entry);
        }
    }

    private void follow(Runnable entry) {
        Runnable before = (Runnable) FOLLOWED.getOpaque(this);
        if (before != null && Jdk.nanoTime() - since < LOST_NANOS) {
            return;
        }
        if (FOLLOWED.compareAndSet(this, before, BUSY)) {
            since = Jdk.nanoTime();
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
            histogram.record(Jdk.nanoTime() - since);
            FOLLOWED.setRelease(this, (Runnable) null);
        }
    }
}
