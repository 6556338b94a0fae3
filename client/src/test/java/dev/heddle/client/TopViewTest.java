package dev.heddle.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.observe.JvmFigures;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.LimitStats;
import dev.heddle.stats.MachineStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopViewTest {

    private static final long SECOND = 1_000_000_000;
    private static final String PLACE =
            "com.example.some.packages.deep.inside.OrderService.checkOut(OrderService.java:142)";

    /// @param seconds when it is taken; the process uses half a CPU, and each counter grows by 1,000 per second
    private static TopSample sample(int seconds, int procs, int threads, int latencies) {
        long count = 1_000L * seconds;
        SchedulerStats stats = new SchedulerStats(
                seconds * 1_000L,
                procs,
                1,
                4,
                0,
                false,
                1,
                3,
                new int[procs],
                new long[procs],
                threads,
                count,
                count,
                count,
                0,
                count,
                0,
                0,
                count,
                7,
                count,
                0,
                0,
                0,
                0,
                count,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false);
        SchedulerSnapshot scheduler = new SchedulerSnapshot(
                "heddle",
                true,
                seconds * SECOND,
                stats,
                IntStream.range(0, procs).mapToObj(it -> processor(it, count)).toList(),
                List.of(
                        new MachineStats(3, 40, 4040, "w-3", 0, 9, 0, false, false, true, true, false),
                        new MachineStats(2, 39, 4039, "w-2", -1, 8, 0, false, false, true, false, false)),
                new LatencyStats(new long[] {1024, 1L << 20}, new long[] {latencies, 1}, 5_000),
                new LimitStats("procs=2: affinity 2, no CPU quota in / (cgroup v1)", false, 2, 0, 0, 0, 0, false),
                count,
                2,
                1,
                2,
                threads);
        JvmFigures jvm =
                new JvmFigures(seconds * SECOND, 2, seconds * SECOND / 2, 45L << 20, 512L << 20, 10L * seconds, 18);
        List<ThreadTime> times = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            times.add(new ThreadTime(i, "worker-" + i, GoroutineState.WAITING, "sleep", i * SECOND, true, PLACE));
        }
        times.add(new ThreadTime(900, "starved", GoroutineState.RUNNABLE, "runnable", 2 * SECOND, false, PLACE));
        times.add(new ThreadTime(901, "late", GoroutineState.RUNNABLE, "runnable", SECOND, false, PLACE));
        return new TopSample(scheduler, jvm, times);
    }

    private static ProcessorStats processor(int id, long count) {
        return new ProcessorStats(
                id, 1, 10, id, 3, id == 0, 1, count, 0, 0, count, count, count, count, count, count, count, 0, 0, 0);
    }

    private static List<String> lines(int procs, int threads, int latencies, int height, int width) {
        return new TopView(sample(10, procs, threads, latencies), sample(12, procs, threads, latencies))
                .lines(4711, ThreadOrder.wait, height, width);
    }

    @Test
    void eightyColumnsAndTwentyThreeLinesShowAllThatMatters() {
        List<String> lines = lines(2, 20, 500, 23, 80);

        assertThat(lines)
                .hasSizeLessThanOrEqualTo(23)
                .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(80));
        assertThat(lines)
                .startsWith(
                        "heddle top: process 4711, up 12.0 s, scheduler heddle (every virtual thread)",
                        "CPU         50 % of 200 %, heap 45 MB of 512 MB, collections 1.0 %,",
                        "            18 platform threads",
                        "goroutines  20 live: 1 running, 2 runnable, 1 in syscalls, 1 pinned, 20 waiting",
                        "threads     4: 1 idle, 0 spinning, 2 blocked (1 pinned), 0 hogs")
                .anySatisfy(it -> assertThat(it)
                        .startsWith("runnable    longest > 2.0 s: goroutine 900 \"starved\" in ~")
                        .endsWith("(OrderService.java:142)"))
                .contains("latency     p50 1.0 us, p99 1.0 us, max 1.0 ms (501 samples since the start)")
                .anySatisfy(it -> assertThat(it).startsWith("per second  1,000 started, 1,000 switches"))
                .contains("  0 running    0     3  yes      1       1,000     1,000   1,000.0   1,000.0")
                .anySatisfy(it -> assertThat(it)
                        .matches(" +20 +20.0 s  sleep           worker-20 +~.*\\(OrderService.java:142\\)"));
    }

    @ParameterizedTest
    @CsvSource({"23, 80", "39, 120", "49, 200", "11, 60"})
    void noScreenIsOverflown(int height, int width) {
        assertThat(lines(64, 500, 3, height, width))
                .hasSizeLessThanOrEqualTo(height)
                .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(width));
    }

    @Test
    void manyProcessorsLeaveRoomForThreads() {
        List<String> lines = lines(64, 500, 3, 23, 80);

        assertThat(lines).anySatisfy(it -> assertThat(it).isEqualTo("    and 63 more"));
        assertThat(lines.stream().filter(it -> it.contains("worker-"))).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void moreWidthShowsMore() {
        assertThat(lines(2, 20, 3, 40, 200))
                .anySatisfy(it -> assertThat(it).contains("STOLEN/s", "SPINS/s"))
                .anySatisfy(it -> assertThat(it).endsWith(PLACE));
        assertThat(String.join("\n", lines(2, 20, 3, 40, 80))).doesNotContain("STOLEN/s");
    }

    @Test
    void fewSamplesHaveNoPercentiles() {
        assertThat(lines(2, 20, 3, 23, 80))
                .contains("latency     4 samples, too few to tell; 100 are needed")
                .noneMatch(it -> it.contains("p99"));
    }

    @Test
    void timesAreInTheUnitThatFits() {
        assertThat(List.of(999L, 1_500L, 2_500_000L, 3_500_000_000L, 190_000_000_000L, 7_500_000_000_000L))
                .extracting(TopView::time)
                .containsExactly("999 ns", "1.5 us", "2.5 ms", "3.5 s", "3m10s", "2h5m");
    }

    @Test
    void jsonHasTheSameFigures() {
        String line = new TopJson(sample(10, 2, 1, 3), sample(12, 2, 1, 3)).line(4711, ThreadOrder.runnable);

        assertThat(line)
                .startsWith("{\"pid\":4711,\"cpus\":0.5,\"pauses\":0.01,\"jvm\":{")
                .contains("\"perSecond\":{\"started\":1000.0,")
                .contains("\"longestRunnable\":{\"id\":900,\"name\":\"starved\",\"state\":\"runnable\"")
                .contains("\"blockedThreads\":2,\"pinnedThreads\":1,\"threads\":[{\"id\":900,")
                .contains("\"nanos\":2000000000,\"exact\":false")
                .doesNotContain("\n");
    }
}
