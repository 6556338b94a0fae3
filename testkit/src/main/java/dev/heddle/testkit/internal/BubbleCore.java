package dev.heddle.testkit.internal;

import dev.heddle.internal.event.Goexit;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.SchedulerCore;
import dev.heddle.stats.SchedulerStats;
import java.util.concurrent.TimeUnit;

/// The face of a bubble to Heddle's API.
final class BubbleCore extends SchedulerCore {

    private final BubbleRun run;

    BubbleCore(BubbleRun run) {
        this.run = run;
    }

    @Override
    public CarrierPool pool() {
        return run.pool;
    }

    @Override
    public String name() {
        return "bubble";
    }

    @Override
    public void spawn(Goroutine goroutine) {
        Jdk.newBareVirtualThread(run.pool, () -> run(goroutine)).start();
    }

    private void run(Goroutine goroutine) {
        try {
            goroutine.runAlone();
        } catch (Goexit _) {
            // the goroutine ended itself
        } catch (Throwable thrown) {
            run.threadFailed(Thread.currentThread(), thrown);
        }
    }

    @Override
    public int procs() {
        return 1;
    }

    @Override
    public void setProcs(int procs) {
        // accepted and ignored: a program that sets its processors is tested with one
    }

    @Override
    public int numCpu() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public void lockThread() {
        // there is one carrier
    }

    @Override
    public void unlockThread() {
        // there is one carrier
    }

    @Override
    public SchedulerStats stats() {
        return new SchedulerStats(
                run.clock.now() / 1_000_000,
                1,
                0,
                1,
                0,
                false,
                0,
                0,
                new int[] {run.runnableCount()},
                new long[] {run.steps()},
                run.liveCount(),
                run.steps(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                run.clock.size(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false);
    }

    @Override
    public void close() {
        throw new IllegalStateException("a bubble ends with its test and cannot be closed");
    }

    @Override
    public boolean awaitEnd(long timeout, TimeUnit unit) {
        return false;
    }
}
