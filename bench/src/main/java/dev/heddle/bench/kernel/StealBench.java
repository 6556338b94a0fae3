package dev.heddle.bench.kernel;

import dev.heddle.Scheduler;
import dev.heddle.StealPolicy;
import dev.heddle.WaitGroup;
import dev.heddle.stats.SchedulerStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/// One goroutine starts many that do nothing; the other processors get work only by stealing. Measures time, latency
/// and steals for several numbers of processors and for each steal policy.
///
/// Arguments: rounds, goroutines. All schedulers are in one JVM and take turns.
public final class StealBench {

    private static final int[] PROCS = {1, 2, 4, 8, 16};
    private static final int WARM_UPS = 2;
    private static final int SAMPLED =
            16; // one in 16 measures its wait: reading the clock costs as much as a goroutine

    private StealBench() {}

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        int goroutines = Integer.parseInt(args[1]);
        List<Setting> settings = new ArrayList<>();
        for (int procs : PROCS) {
            settings.add(new Setting(procs, "half (Go)", StealPolicy.GO));
            settings.add(new Setting(procs, "half, above a quarter", StealPolicy.QUARTER_THRESHOLD));
            settings.add(new Setting(procs, "one", StealPolicy.ONE));
        }
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (Setting setting : settings) {
                Burst burst = setting.burst(goroutines);
                if (round >= 0) {
                    setting.bursts.add(burst);
                }
            }
        }
        System.out.println("procs  steal policy           ns per goroutine  µs from go to run     steals/s  per steal");
        for (Setting setting : settings) {
            System.out.printf(
                    "%5d  %-21s  %16.0f  %17.1f  %11.0f  %9.1f%n",
                    setting.procs,
                    setting.policy,
                    setting.median(Burst::nanosEach),
                    setting.median(Burst::latencyMicros),
                    setting.median(Burst::stealsPerSecond),
                    setting.median(Burst::perSteal));
        }
        System.exit(0); // the schedulers are not closed
    }

    private record Burst(double nanosEach, double latencyMicros, double stealsPerSecond, double perSteal) {}

    private static final class Setting {
        private final int procs;
        private final String policy;
        private final Scheduler scheduler;
        private final List<Burst> bursts = new ArrayList<>();

        Setting(int procs, String name, StealPolicy policy) {
            this.procs = procs;
            this.policy = name;
            this.scheduler =
                    Scheduler.builder().procs(procs).stealPolicy(policy).build();
        }

        Burst burst(int goroutines) throws InterruptedException {
            SchedulerStats before = scheduler.stats();
            LongAdder waited = new LongAdder();
            WaitGroup group = new WaitGroup();
            group.add(1);
            long start = System.nanoTime();
            scheduler.go(() -> {
                for (int i = 0; i < goroutines; i++) {
                    if (i % SAMPLED == 0) {
                        long born = System.nanoTime();
                        group.go(() -> waited.add(System.nanoTime() - born));
                    } else {
                        group.go(() -> {});
                    }
                }
                group.done();
            });
            group.await();
            double nanos = System.nanoTime() - start;
            SchedulerStats after = scheduler.stats();
            long steals = after.steals() - before.steals();
            long stolen = after.stolen() - before.stolen();
            return new Burst(
                    nanos / goroutines,
                    waited.sum() / 1e3 * SAMPLED / goroutines,
                    steals * 1e9 / nanos,
                    steals == 0 ? 0 : (double) stolen / steals);
        }

        double median(ToDoubleFunction<Burst> figure) {
            double[] sorted = bursts.stream().mapToDouble(figure).sorted().toArray();
            return Arrays.stream(sorted)
                    .skip((sorted.length - 1) / 2)
                    .limit(2 - sorted.length % 2)
                    .average()
                    .orElseThrow();
        }
    }
}
