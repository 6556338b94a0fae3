package dev.heddle.kernel;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// How late a ticker was, each time it should have run.
record Lateness(long[] sortedNanos) {

    /// Ticks every millisecond, on a virtual thread of the rig, for so long. Each tick is due one period after the
    /// one before ran.
    static Lateness measure(Rig rig, long millis) throws InterruptedException {
        long[] late = new long[(int) millis + 1];
        int[] count = {0};
        Thread ticker = rig.start(() -> {
            long period = TimeUnit.MILLISECONDS.toNanos(1);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            long now = System.nanoTime();
            while (now < end) {
                long due = now + period;
                while ((now = System.nanoTime()) < due) {
                    sleepNanos(due - now);
                }
                late[count[0]++] = now - due;
            }
        });
        rig.join(ticker);
        long[] sorted = Arrays.copyOf(late, count[0]);
        Arrays.sort(sorted);
        return new Lateness(sorted);
    }

    private static void sleepNanos(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int ticks() {
        return sortedNanos.length;
    }

    double percentileMillis(int percentile) {
        return sortedNanos[(int) ((sortedNanos.length - 1) * (long) percentile / 100)] / 1e6;
    }

    @Override
    public String toString() {
        return "%5d ticks, late by p50 %.2f ms, p99 %.2f ms, at most %.2f ms"
                .formatted(ticks(), percentileMillis(50), percentileMillis(99), percentileMillis(100));
    }
}
