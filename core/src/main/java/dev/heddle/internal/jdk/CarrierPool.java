package dev.heddle.internal.jdk;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The ForkJoinPool face of a scheduler: the type that the JDK expects a virtual-thread scheduler to have.
///
/// Only the interface is used. No worker of ForkJoinPool ever runs here, so **every** public method is overridden. The
/// JDK calls [#execute(Runnable)], [#externalSubmit] and [#schedule(Runnable, long, TimeUnit)]. The general executor
/// methods run their task in a virtual thread of this scheduler. Methods that make no sense for a scheduler of threads
/// throw an exception that says so. A test compares this class with ForkJoinPool by reflection.
public abstract class CarrierPool extends ForkJoinPool {

    /// No worker of ForkJoinPool is ever made, so there are never enough. A class, not lambdas: J13.
    private static final class NoWorkers implements ForkJoinWorkerThreadFactory, Predicate<ForkJoinPool> {
        static final NoWorkers INSTANCE = new NoWorkers();

        @Override
        @SuppressWarnings("NullAway") // null is the factory's way to say no
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            return null;
        }

        @Override
        public boolean test(ForkJoinPool pool) {
            return true;
        }
    }

    /// A timer of a scheduler. It is a `ScheduledFuture` because the JDK expects one.
    public interface Timeout extends ScheduledFuture<Object> {
        /// Cancels the timer: true if its command will not run because of this call. Any thread.
        boolean withdraw();
    }

    /// The scheduler of the API that this pool belongs to, or the object from which the API makes one when it is
    /// first asked for; null if the API does not know this pool.
    private volatile @Nullable Object owner;

    protected CarrierPool() {
        super(1, NoWorkers.INSTANCE, null, true, 0, 1, 1, NoWorkers.INSTANCE, 30, TimeUnit.SECONDS);
    }

    /// See [#setOwner].
    public final @Nullable Object owner() {
        return owner;
    }

    /// Sets the scheduler of the API that this pool belongs to, or the object from which the API makes one.
    public final void setOwner(Object object) {
        owner = object;
    }

    // ---- what the scheduler implements

    /// A thread of this scheduler became runnable: started, unparked, unblocked or yielded. `resumeTask` is the
    /// JDK's one object per thread. Never throws for a thread that has already started.
    protected abstract void ready(Runnable resumeTask);

    /// The current thread is about to start another and is not pinned: it may yield here.
    protected abstract void beforeUnpinnedSubmit();

    /// Runs `command` on a carrier after the delay. The command is short and does not block.
    protected abstract Timeout scheduleTimer(Runnable command, long delayNanos);

    protected abstract int procs();

    protected abstract void setProcs(int procs);

    protected abstract int machineCount();

    /// Machines with a thread mounted.
    protected abstract int activeMachineCount();

    /// Runnable threads in the queues of processors.
    protected abstract long queuedCount();

    protected abstract int globallyQueuedCount();

    protected abstract long stealCount();

    protected abstract long timerCount();

    protected abstract String describe();

    /// From now on, this scheduler refuses the start of every virtual thread. False if it may not do so.
    protected abstract boolean refuseStarts();

    protected abstract boolean isRefusingStarts();

    protected abstract boolean isTerminatedNow();

    protected abstract boolean awaitEnd(long timeout, TimeUnit unit) throws InterruptedException;

    // ---- the three hooks of the JDK

    @Override
    public final void execute(Runnable task) {
        if (Jdk.isResumeTask(task)) {
            ready(task);
        } else {
            newThread(task).start();
        }
    }

    @Override
    public final <T> ForkJoinTask<T> externalSubmit(ForkJoinTask<T> task) {
        Runnable resumeTask = Jdk.unwrapResumeTask(task);
        if (resumeTask == null) {
            newThread(task::quietlyInvoke).start(); // the task keeps its exception for the joining thread
        } else {
            // The JDK asks the pool of the *carrier*; the thread may belong to another scheduler (J4).
            CarrierPool owner = Jdk.poolOf(resumeTask);
            beforeUnpinnedSubmit();
            if (owner == this) {
                ready(resumeTask);
            } else {
                Jdk.executorOf(resumeTask).execute(resumeTask);
            }
        }
        return task;
    }

    @Override
    public final Timeout schedule(Runnable command, long delay, TimeUnit unit) {
        Objects.requireNonNull(command);
        return scheduleTimer(command, unit.toNanos(delay));
    }

    // ---- the executor's face: a task that is not a resume task runs in a virtual thread of its own, which
    // cancel(true) of its future interrupts

    private Thread newThread(Runnable task) {
        return Jdk.newVirtualThread(this, null, 0, task);
    }

    @Override
    public final void execute(ForkJoinTask<?> task) {
        externalSubmit(task);
    }

    @Override
    public final <T> ForkJoinTask<T> lazySubmit(ForkJoinTask<T> task) {
        return externalSubmit(task);
    }

    @Override
    public final <T> ForkJoinTask<T> submit(ForkJoinTask<T> task) {
        return externalSubmit(task);
    }

    @Override
    public final <T> ForkJoinTask<T> submit(Callable<T> task) {
        return externalSubmit(ForkJoinTask.adaptInterruptible(task));
    }

    @Override
    public final <T> ForkJoinTask<T> submit(Runnable task, T result) {
        return externalSubmit(ForkJoinTask.adaptInterruptible(task, result));
    }

    @Override
    @SuppressWarnings("unchecked")
    public final ForkJoinTask<?> submit(Runnable task) {
        return externalSubmit((ForkJoinTask<Object>) ForkJoinTask.adaptInterruptible(task));
    }

    @Override
    public final <T> T invoke(ForkJoinTask<T> task) {
        return externalSubmit(task).join();
    }

    @Override
    public final <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        List<Future<T>> futures = submitAll(tasks);
        for (Future<T> future : futures) {
            try {
                future.get();
            } catch (ExecutionException | java.util.concurrent.CancellationException _) {
                // the caller reads each outcome from its future
            }
        }
        return futures;
    }

    @Override
    public final <T> List<Future<T>> invokeAllUninterruptibly(Collection<? extends Callable<T>> tasks) {
        List<Future<T>> futures = submitAll(tasks);
        for (Future<T> future : futures) {
            ((ForkJoinTask<T>) future).quietlyJoin();
        }
        return futures;
    }

    @Override
    public final <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        List<Future<T>> futures = submitAll(tasks);
        for (Future<T> future : futures) {
            try {
                future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                future.cancel(true);
            } catch (ExecutionException | java.util.concurrent.CancellationException _) {
                // the caller reads each outcome from its future
            }
        }
        return futures;
    }

    private <T> List<Future<T>> submitAll(Collection<? extends Callable<T>> tasks) {
        List<Future<T>> futures = new ArrayList<>(tasks.size());
        for (Callable<T> task : tasks) {
            futures.add(submit(task));
        }
        return futures;
    }

    @Override
    public final <T> T invokeAny(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        try (var executor = java.util.concurrent.Executors.newThreadPerTaskExecutor(this::newThread)) {
            return executor.invokeAny(tasks);
        }
    }

    @Override
    public final <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        try (var executor = java.util.concurrent.Executors.newThreadPerTaskExecutor(this::newThread)) {
            return executor.invokeAny(tasks, timeout, unit);
        }
    }

    // ---- delayed and periodic tasks other than the JDK's own timeouts

    @Override
    public final <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw notAScheduledExecutor();
    }

    @Override
    public final ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw notAScheduledExecutor();
    }

    @Override
    public final ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        throw notAScheduledExecutor();
    }

    @Override
    public final <V> ForkJoinTask<V> submitWithTimeout(
            Callable<V> task, long timeout, TimeUnit unit, Consumer<? super ForkJoinTask<V>> onTimeout) {
        throw notAScheduledExecutor();
    }

    private static RejectedExecutionException notAScheduledExecutor() {
        return new RejectedExecutionException("this pool schedules virtual threads: start one that sleeps instead");
    }

    @Override
    public final void cancelDelayedTasksOnShutdown() {
        // timeouts of live threads are never cancelled by a shutdown
    }

    // ---- what the JDK and tools ask

    @Override
    public final ForkJoinWorkerThreadFactory getFactory() {
        return NoWorkers.INSTANCE;
    }

    @Override
    public final Thread.UncaughtExceptionHandler getUncaughtExceptionHandler() {
        return (thread, failure) -> thread.getThreadGroup().uncaughtException(thread, failure);
    }

    @Override
    public final int getParallelism() {
        return procs();
    }

    @Override
    public final int setParallelism(int size) {
        int before = procs();
        setProcs(size);
        return before;
    }

    @Override
    public final int getPoolSize() {
        return machineCount();
    }

    @Override
    public final boolean getAsyncMode() {
        return true;
    }

    @Override
    public final int getRunningThreadCount() {
        return activeMachineCount();
    }

    @Override
    public final int getActiveThreadCount() {
        return activeMachineCount();
    }

    @Override
    public final boolean isQuiescent() {
        return queuedCount() == 0 && activeMachineCount() == 0;
    }

    @Override
    public final long getStealCount() {
        return stealCount();
    }

    @Override
    public final long getQueuedTaskCount() {
        return queuedCount();
    }

    @Override
    public final int getQueuedSubmissionCount() {
        return globallyQueuedCount();
    }

    @Override
    public final long getDelayedTaskCount() {
        return timerCount();
    }

    @Override
    public final boolean hasQueuedSubmissions() {
        return globallyQueuedCount() != 0;
    }

    @Override
    public final String toString() {
        return getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(this)) + describe();
    }

    // The queues hold resume tasks of live threads: no code outside the kernel may take one.

    @Override
    protected final @Nullable ForkJoinTask<?> pollSubmission() {
        return null;
    }

    @Override
    protected final int drainTasksTo(Collection<? super ForkJoinTask<?>> sink) {
        return 0;
    }

    // ---- life cycle

    @Override
    public final void shutdown() {
        refuseStarts();
    }

    @Override
    public final List<Runnable> shutdownNow() {
        refuseStarts();
        return List.of();
    }

    @Override
    public final boolean isTerminated() {
        return isTerminatedNow();
    }

    @Override
    public final boolean isTerminating() {
        return isRefusingStarts() && !isTerminatedNow();
    }

    @Override
    public final boolean isShutdown() {
        return isRefusingStarts();
    }

    @Override
    public final boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitEnd(timeout, unit);
    }

    @Override
    public final boolean awaitQuiescence(long timeout, TimeUnit unit) {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        while (!isQuiescent()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            Thread.onSpinWait();
            Thread.yield();
        }
        return true;
    }

    @Override
    public final void close() {
        if (refuseStarts()) {
            boolean interrupted = false;
            boolean ended = false;
            while (!ended) {
                try {
                    ended = awaitEnd(1, TimeUnit.DAYS);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
