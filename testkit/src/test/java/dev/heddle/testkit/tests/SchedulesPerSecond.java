package dev.heddle.testkit.tests;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.Test;

/// A measurement, not a test: schedules per second of a program of about 14 steps. Run by `mvn -pl core,testkit test
/// -Dtest=SchedulesPerSecond -Dsurefire.failIfNoSpecifiedTests=false`.
class SchedulesPerSecond {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int SCHEDULES = 20_000;

    @Test
    void measure() {
        measure("without points", Options.defaults().withPoints(Options.NONE));
        measure("with points", Options.defaults());
    }

    private static void measure(String name, Options options) {
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            long startCpu = THREADS.getCurrentThreadCpuTime();
            Report report = Bubble.check(options.withSchedules(SCHEDULES), _ -> program());
            double seconds = (System.nanoTime() - start) / 1e9;
            double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - startCpu) / 1e9;
            System.out.printf(
                    "%s: %.0f schedules/s, %.0f per second of CPU time, %.1f steps each%n",
                    name, SCHEDULES / seconds, SCHEDULES / cpuSeconds, (double) report.steps() / SCHEDULES);
        }
    }

    private static void program() throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Thread producer = start(() -> {
            for (int i = 0; i < 3; i++) {
                queue.put(i);
            }
        });
        Thread consumer = start(() -> {
            for (int i = 0; i < 3; i++) {
                queue.take();
            }
        });
        Thread sleeper = start(() -> Thread.sleep(1000));
        producer.join();
        consumer.join();
        sleeper.join();
    }

    private interface Action {
        void run() throws InterruptedException;
    }

    private static Thread start(Action action) {
        return Thread.startVirtualThread(() -> {
            try {
                action.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }
}
