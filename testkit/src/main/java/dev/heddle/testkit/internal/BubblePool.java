package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The face of a bubble to the JDK: the scheduler of its virtual threads.
final class BubblePool extends CarrierPool {

    private static final Object ENDED = new Object();

    /// Null after the end: the JVM keeps a thread that waits for a monitor for ever, and with it this pool. It
    /// should not keep more.
    private volatile @Nullable BubbleRun run;

    /// The id of the test's own thread. Ids of all others are the same in every run, relative to it.
    private volatile long firstThreadId;

    BubblePool(BubbleRun run) {
        this.run = run;
    }

    void setFirstThread(Thread thread) {
        firstThreadId = thread.threadId();
    }

    /// The number that stands for a thread's id where that becomes visible, as its hash code.
    long relativeId(Thread thread) {
        return thread.threadId() - firstThreadId;
    }

    /// The run is over. Threads that are left will never run again.
    void end() {
        run = null;
        setOwner(ENDED);
    }

    @Override
    protected void ready(Runnable resumeTask) {
        BubbleRun current = run;
        if (current == null) {
            Hooks.lateArrival(Jdk.threadOf(resumeTask));
        } else {
            current.ready(resumeTask);
        }
    }

    private BubbleRun run() {
        BubbleRun current = run;
        if (current == null) {
            throw new IllegalStateException("the bubble of this thread has ended: state outlives the schedule.");
        }
        return current;
    }

    @Override
    protected void beforeUnpinnedSubmit() {
        // no switch here: a point may be before the call
    }

    @Override
    protected Timeout scheduleTimer(Runnable command, long delayNanos) {
        return run().schedule(command, delayNanos);
    }

    @Override
    protected int procs() {
        return 1;
    }

    @Override
    protected void setProcs(int procs) {
        // a bubble has one carrier
    }

    @Override
    protected int machineCount() {
        return 1;
    }

    @Override
    protected int activeMachineCount() {
        return 1;
    }

    @Override
    protected long queuedCount() {
        return run().runnableCount();
    }

    @Override
    protected int globallyQueuedCount() {
        return 0;
    }

    @Override
    protected long stealCount() {
        return 0;
    }

    @Override
    protected long timerCount() {
        return run().clock.size();
    }

    @Override
    protected String describe() {
        return "[bubble]";
    }

    /// Like the common pool, for which it stands in a bubble, it cannot be shut down.
    @Override
    protected boolean refuseStarts() {
        return false;
    }

    @Override
    protected boolean isRefusingStarts() {
        return false;
    }

    @Override
    protected boolean isTerminatedNow() {
        return false;
    }

    @Override
    protected boolean awaitEnd(long timeout, TimeUnit unit) {
        return false;
    }
}
