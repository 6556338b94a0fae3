package dev.heddle;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.SchedulerCore;
import dev.heddle.stats.SchedulerStats;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// The least scheduler that the API can use instead of the kernel: one carrier, one queue.
final class OneCarrierScheduler extends SchedulerCore {

    private static final Runnable END = () -> {};

    final AtomicInteger timers = new AtomicInteger();
    private final AtomicInteger live = new AtomicInteger();
    private final LinkedBlockingQueue<Runnable> runnable = new LinkedBlockingQueue<>();
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
    private final Pool pool = new Pool();

    OneCarrierScheduler() {
        pool.setOwner(this);
        Thread.ofPlatform().daemon().name("one-carrier").start(this::carry);
    }

    private void carry() {
        try {
            for (Runnable next = runnable.take(); next != END; next = runnable.take()) {
                next.run();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Thread newThread(Runnable task) {
        return Jdk.newVirtualThread(pool, null, 0, () -> {
            live.incrementAndGet();
            try {
                task.run();
            } finally {
                live.decrementAndGet();
            }
        });
    }

    void end() {
        clock.shutdownNow();
        runnable.add(END);
    }

    @Override
    public CarrierPool pool() {
        return pool;
    }

    @Override
    public String name() {
        return "one carrier";
    }

    @Override
    public void spawn(Goroutine goroutine) {
        newThread(() -> {
                    try {
                        goroutine.runAlone();
                    } catch (Throwable failure) {
                        throw new AssertionError(failure);
                    }
                })
                .start();
    }

    @Override
    public int procs() {
        return 1;
    }

    @Override
    public void setProcs(int procs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int numCpu() {
        return 1;
    }

    @Override
    public void lockThread() {}

    @Override
    public void unlockThread() {}

    /// All figures are 0, but for the number of live threads.
    @Override
    public SchedulerStats stats() {
        try {
            RecordComponent[] components = SchedulerStats.class.getRecordComponents();
            Object[] values = new Object[components.length];
            Class<?>[] types = new Class<?>[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = components[i].getName().equals("live") ? live.get() : zero(types[i]);
            }
            Constructor<SchedulerStats> constructor = SchedulerStats.class.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object zero(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        return type.isArray() ? java.lang.reflect.Array.newInstance(type.componentType(), 0) : (Object) 0;
    }

    @Override
    public void close() {
        end();
    }

    @Override
    public boolean awaitEnd(long timeout, TimeUnit unit) {
        return true;
    }

    /// A timer of the platform thread `clock`, whose command runs on the carrier.
    private record Alarm(Runnable command, AtomicReference<Runnable> pending) implements CarrierPool.Timeout {
        @Override
        public boolean withdraw() {
            return pending.getAndSet(null) != null;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return withdraw();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return pending.get() == null;
        }

        @Override
        public Object get() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object get(long timeout, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException();
        }
    }

    private final class Pool extends CarrierPool {
        @Override
        protected void ready(Runnable resumeTask) {
            runnable.add(resumeTask);
        }

        @Override
        protected void beforeUnpinnedSubmit() {}

        @Override
        protected Timeout scheduleTimer(Runnable command, long delayNanos) {
            timers.incrementAndGet();
            Alarm alarm = new Alarm(command, new AtomicReference<>(command));
            clock.schedule(
                    () -> runnable.add(() -> {
                        if (alarm.withdraw()) {
                            command.run();
                        }
                    }),
                    delayNanos,
                    TimeUnit.NANOSECONDS);
            return alarm;
        }

        @Override
        protected int procs() {
            return 1;
        }

        @Override
        protected void setProcs(int procs) {}

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
            return runnable.size();
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
            return 0;
        }

        @Override
        protected String describe() {
            return "[one carrier]";
        }

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
            return true;
        }
    }
}
