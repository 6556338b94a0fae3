package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.CarrierPool;
import java.util.concurrent.TimeUnit;

/// The face of a bubble to the JDK: the scheduler of its virtual threads.
final class BubblePool extends CarrierPool {

    private final BubbleRun run;

    BubblePool(BubbleRun run) {
        this.run = run;
    }

    @Override
    protected void ready(Runnable resumeTask) {
        run.ready(resumeTask);
    }

    @Override
    protected void beforeUnpinnedSubmit() {
        // no switch here: a point may be before the call
    }

    @Override
    protected Timeout scheduleTimer(Runnable command, long delayNanos) {
        return run.schedule(command, delayNanos);
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
        return run.runnableCount();
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
        return run.clock.size();
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
