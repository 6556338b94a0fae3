package sample;

import dev.heddle.Scheduler;
import dev.heddle.stats.SchedulerStats;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// More threads that compute without end than processors, each in another kind of loop, and a ticker that wants to run
/// every millisecond. Says what the scheduler had to do, one fact per line.
///
/// Outside of `dev.heddle`, whose classes are never woven.
public final class HogProgram {

    private static final long MILLIS = 2_000;

    /// Requests to yield that are enough to judge by.
    private static final int ENOUGH_REQUESTS = 20;

    private static volatile boolean stop;
    private static volatile long result;

    private HogProgram() {}

    public static void main(String[] args) throws InterruptedException {
        List<Runnable> hogs = args.length > 0
                ? List.of(HogProgram::pinned, HogProgram::whileLoop, HogProgram::whileLoop)
                : List.of(
                        HogProgram::whileLoop,
                        HogProgram::countedLoop,
                        HogProgram::longLoop,
                        HogProgram::nestedLoops,
                        HogProgram::doWhileLoop,
                        HogProgram::inSynchronized);
        CountDownLatch ended = new CountDownLatch(hogs.size());
        for (Runnable hog : hogs) {
            Thread.startVirtualThread(() -> {
                hog.run();
                ended.countDown();
            });
        }
        // The first request to yield throws compiled code away: the figures are those of the time after it.
        ticks(MILLIS / 2);
        Scheduler scheduler = Scheduler.current();
        SchedulerStats before = scheduler.stats();
        long[] late = ticks(MILLIS);
        SchedulerStats after = scheduler.stats();
        while (after.preemptions() - before.preemptions() < ENOUGH_REQUESTS && args.length == 0) {
            late = ticks(MILLIS); // a full machine: slices are CPU time
            after = scheduler.stats();
        }
        stop = true;
        ended.await();
        System.out.println("ticks: " + late.length);
        System.out.println("late, p50: " + late[late.length / 2] / 1_000 + " us");
        System.out.println("late, p99: " + late[late.length * 99 / 100] / 1_000 + " us");
        System.out.println("busy threads: " + (after.threads() - after.idleThreads()));
        System.out.println("requests to yield: " + (after.preemptions() - before.preemptions()));
        System.out.println("hand-offs: " + (after.hogHandOffs() - before.hogHandOffs()));
        System.out.println("processors taken: " + (after.hogHandOffs() + after.undeclaredHandOffs()));
        System.out.println("safety net: " + after.safetyNet());
    }

    /// How late a virtual thread is that sleeps for a millisecond again and again; sorted.
    private static long[] ticks(long millis) throws InterruptedException {
        long[] late = new long[(int) millis];
        int[] count = {0};
        Thread ticker = Thread.startVirtualThread(() -> {
            long end = System.nanoTime() + millis * 1_000_000;
            long due;
            while ((due = System.nanoTime() + 1_000_000) < end) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                late[count[0]++] = System.nanoTime() - due;
            }
        });
        ticker.join();
        long[] sorted = Arrays.copyOf(late, count[0]);
        Arrays.sort(sorted);
        return sorted;
    }

    private static void whileLoop() {
        long x = 1;
        while (!stop) {
            x = (x & 1) == 0 ? x >> 1 : 3 * x + 1;
        }
        result = x;
    }

    private static void countedLoop() {
        int x = 1;
        while (!stop) {
            for (int i = 0; i < 200_000_000; i++) {
                x = x * 31 + i;
            }
        }
        result = x;
    }

    private static void longLoop() {
        long x = 1;
        while (!stop) {
            for (long i = 0; i < 200_000_000L; i++) {
                x = x * 6_364_136_223_846_793_005L + i;
            }
        }
        result = x;
    }

    private static void nestedLoops() {
        int[] array = new int[10_000];
        while (!stop) {
            for (int i = 0; i < array.length; i++) {
                for (int j = 0; j < array.length; j++) {
                    array[j] += i;
                }
            }
        }
        result = array[1];
    }

    private static void doWhileLoop() {
        long x = 1;
        do {
            int n = 1_000_000;
            do {
                x += n;
            } while (--n > 0);
        } while (!stop);
        result = x;
    }

    private static void pinned() {
        result = Initialised.VALUE;
    }

    private static final class Initialised {
        static final long VALUE = compute();

        private static long compute() {
            whileLoop();
            return result;
        }
    }

    private static void inSynchronized() {
        synchronized (new Object()) {
            whileLoop();
        }
    }
}
