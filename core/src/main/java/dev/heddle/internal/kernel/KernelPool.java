package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.JdkPollers;
import dev.heddle.internal.jdk.MountNotifications;
import dev.heddle.stats.SchedulerStats;
import java.util.concurrent.TimeUnit;

/// The kernel as the JDK sees it: the executor of its virtual threads.
public class KernelPool extends CarrierPool {

    private final Kernel kernel;

    KernelPool(Kernel kernel) {
        this.kernel = kernel;
    }

    public Kernel kernel() {
        return kernel;
    }

    /// Whether the API knows this kernel: it does not know the kernel of the warm-up ([WarmUp]).
    boolean hasOwner() {
        return owner() != null;
    }

    @Override
    protected void ready(Runnable resumeTask) {
        kernel.entries.ready(resumeTask);
    }

    @Override
    protected void beforeUnpinnedSubmit() {
        Preemption.checkpoint();
    }

    @Override
    protected Timeout scheduleTimer(Runnable command, long delayNanos) {
        return kernel.schedule(command, delayNanos);
    }

    @Override
    protected int procs() {
        return kernel.procs();
    }

    @Override
    protected void setProcs(int procs) {
        kernel.setProcs(procs);
    }

    @Override
    protected int machineCount() {
        return kernel.stats().threads();
    }

    @Override
    protected int activeMachineCount() {
        int active = kernel.machineCounts.machines() - kernel.idle.idleMachines() - (kernel.sleeper.isTaken() ? 1 : 0);
        for (Processor processor : kernel.processors().all()) {
            Machine owner = processor.machine;
            if (owner != null && !owner.isMounted()) {
                active--; // its machine searches for work
            }
        }
        return Math.max(0, active);
    }

    @Override
    protected long queuedCount() {
        long queued = 0;
        for (Processor processor : kernel.processors().all()) {
            queued += processor.runQueue.size() + (processor.runQueue.hasNext() ? 1 : 0);
        }
        return queued;
    }

    @Override
    protected int globallyQueuedCount() {
        return kernel.stats().globalQueue();
    }

    @Override
    protected long stealCount() {
        return kernel.stats().steals();
    }

    @Override
    protected long timerCount() {
        return kernel.stats().timers();
    }

    @Override
    protected String describe() {
        SchedulerStats stats = kernel.stats();
        return "[" + kernel.name() + ", parallelism = " + stats.procs() + ", size = " + stats.threads() + ", active = "
                + activeMachineCount() + ", running = " + stats.live() + ", steals = " + stats.steals() + ", tasks = "
                + queuedCount() + ", submissions = " + stats.globalQueue() + ", sockets = " + socketsBy()
                + ", mounts = " + (MountNotifications.areStopped() ? "not noted" : "noted if an agent is loaded") + "]";
    }

    /// Which threads tell virtual threads that their sockets are ready.
    private String socketsBy() {
        if (kernel.sockets.isInUse()) {
            return "idle carriers in epoll";
        }
        return JdkPollers.isStarted() ? "the JDK's pollers" : "none yet";
    }

    @Override
    protected boolean refuseStarts() {
        if (DefaultScheduler.installed() == this) {
            return false; // like the common pool, it ends with the JVM
        }
        kernel.close();
        return true;
    }

    @Override
    protected boolean isRefusingStarts() {
        return kernel.isClosed();
    }

    @Override
    protected boolean isTerminatedNow() {
        return kernel.isEnded();
    }

    @Override
    protected boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException {
        return kernel.awaitEnd(timeout, unit);
    }
}
