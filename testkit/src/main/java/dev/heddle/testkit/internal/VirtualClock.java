package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.CarrierPool;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The clock of a bubble, and its timers. It begins at 2000-01-01T00:00Z, as in Go's synctest. Used on the bubble's
/// carrier only.
final class VirtualClock {

    static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private static final long EPOCH_MILLIS = EPOCH.toEpochMilli();

    /// What `System.nanoTime` says at the beginning: as if the machine had been on for a day, because programs
    /// take 0 for "never".
    private static final long NANO_TIME_ORIGIN = TimeUnit.DAYS.toNanos(1);

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private long now;
    private long made;

    /// Nanoseconds since the beginning.
    long now() {
        return now;
    }

    long nanoTime() {
        return NANO_TIME_ORIGIN + now;
    }

    long currentTimeMillis() {
        return EPOCH_MILLIS + now / 1_000_000;
    }

    /// See `jdk.internal.misc.VM.getNanoTimeAdjustment`.
    long nanoTimeAdjustment(long offsetSeconds) {
        return (EPOCH_MILLIS / 1000 - offsetSeconds) * 1_000_000_000 + now;
    }

    void pass(long nanos) {
        now = saturatedSum(now, nanos);
    }

    private static long saturatedSum(long time, long nanos) {
        long sum = time + Math.max(0, nanos);
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    CarrierPool.Timeout schedule(Runnable command, long delayNanos) {
        Alarm alarm = new Alarm(command, saturatedSum(now, delayNanos), made++);
        alarms.add(alarm);
        return alarm;
    }

    int size() {
        return alarms.size();
    }

    /// When the next timer is due; null if none ever is.
    @Nullable
    Long nextDue() {
        Alarm next = alarms.peek();
        return next == null || next.when == Long.MAX_VALUE ? null : next.when;
    }

    boolean isDue() {
        Alarm next = alarms.peek();
        return next != null && next.when <= now;
    }

    /// Whether a timer will be due, and is not yet.
    boolean hasFuture() {
        Alarm next = alarms.peek();
        return next != null && next.when > now && next.when != Long.MAX_VALUE;
    }

    /// Moves to the time at which the next timer is due.
    void jump() {
        Long next = nextDue();
        if (next != null) {
            now = Math.max(now, next);
        }
    }

    /// Runs the timers that are due, on the carrier.
    void runDue() {
        while (isDue()) {
            Alarm alarm = alarms.remove();
            alarm.isOver = true;
            alarm.command.run();
        }
    }

    private final class Alarm implements CarrierPool.Timeout {
        private final Runnable command;
        private final long when;
        private final long number;
        private boolean isOver;
        private boolean isWithdrawn;

        Alarm(Runnable command, long when, long number) {
            this.command = command;
            this.when = when;
            this.number = number;
        }

        @Override
        public boolean withdraw() {
            if (isOver) {
                return false;
            }
            isOver = true;
            isWithdrawn = true;
            alarms.remove(this);
            return true;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return withdraw();
        }

        @Override
        public boolean isCancelled() {
            return isWithdrawn;
        }

        @Override
        public boolean isDone() {
            return isOver;
        }

        @Override
        public Object get() {
            throw new UnsupportedOperationException("a timer of a bubble has no result");
        }

        @Override
        public Object get(long timeout, TimeUnit unit) {
            return get();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(when - now, TimeUnit.NANOSECONDS);
        }

        /// By time, and then in the order of making.
        @Override
        public int compareTo(Delayed other) {
            Alarm alarm = (Alarm) other;
            int byTime = Long.compare(when, alarm.when);
            return byTime != 0 ? byTime : Long.compare(number, alarm.number);
        }
    }
}
