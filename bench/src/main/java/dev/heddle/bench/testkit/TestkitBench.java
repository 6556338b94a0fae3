package dev.heddle.bench.testkit;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;

/// Schedules per second of a small test: a producer, a consumer with a queue of one, and a sleeper.
///
/// The first round has cold code, and so has every test class that runs a thousand schedules; the others show what a
/// nightly build gets. A check runs on the thread that calls it, on one core.
///
/// Arguments: rounds after the first, schedules in each. The JVM must have the testkit's agent.
public final class TestkitBench {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ITEMS = 4;

    private TestkitBench() {}

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        int schedules = Integer.parseInt(args[1]);
        System.out.println(
                "                 steps of each   schedules per second   per second of CPU time   first round");
        measure("without points", Options.defaults().withPoints(Options.NONE), rounds, schedules);
        measure("with points", Options.defaults(), rounds, schedules);
    }

    /// @param steps  of a schedule
    /// @param rate   schedules per second
    /// @param onCore schedules per second of CPU time of the thread that runs them
    private record Round(double steps, double rate, double onCore) {}

    private static void measure(String name, Options options, int rounds, int schedules) {
        Round first = round(options, schedules);
        List<Double> rates = new ArrayList<>();
        List<Double> onCore = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            Round round = round(options, schedules);
            rates.add(round.rate);
            onCore.add(round.onCore);
        }
        rates.sort(null);
        onCore.sort(null);
        System.out.printf(
                "%-15s  %13.1f  %21s  %23.0f  %12.0f%n",
                name,
                first.steps,
                "%.0f (%.0f..%.0f)".formatted(rates.get(rounds / 2), rates.getFirst(), rates.getLast()),
                onCore.get(rounds / 2),
                first.rate);
    }

    private static Round round(Options options, int schedules) {
        long start = System.nanoTime();
        long startCpu = THREADS.getCurrentThreadCpuTime();
        Report report = Bubble.check(options.withSchedules(schedules), _ -> program());
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - startCpu) / 1e9;
        if (report.schedules() != schedules) {
            throw new IllegalStateException(report.schedules() + " schedules were run, not " + schedules);
        }
        return new Round((double) report.steps() / schedules, schedules / seconds, schedules / cpuSeconds);
    }

    private static void program() throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        int[] sum = new int[1];
        Thread producer = start(() -> {
            for (int i = 1; i <= ITEMS; i++) {
                queue.put(i);
            }
            return null;
        });
        Thread consumer = start(() -> {
            for (int i = 1; i <= ITEMS; i++) {
                sum[0] += queue.take();
            }
            return null;
        });
        Thread sleeper = start(() -> {
            Thread.sleep(1000);
            return null;
        });
        producer.join();
        consumer.join();
        sleeper.join();
        if (sum[0] != ITEMS * (ITEMS + 1) / 2) {
            throw new IllegalStateException("the sum is " + sum[0]);
        }
    }

    private static Thread start(Callable<?> action) {
        return Thread.startVirtualThread(() -> {
            try {
                action.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
