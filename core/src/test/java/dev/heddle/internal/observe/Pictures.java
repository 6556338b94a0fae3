package dev.heddle.internal.observe;

import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.LimitStats;
import dev.heddle.stats.MachineStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Pictures with chosen figures, for tests of texts.
final class Pictures {

    private Pictures() {}

    static GoroutineStats waiting(long id, String reason, long nanos, String... stack) {
        return new GoroutineStats(
                id,
                "",
                GoroutineState.WAITING,
                reason,
                nanos,
                -1,
                false,
                -1,
                null,
                0,
                List.of(),
                List.of(stack),
                null,
                null,
                0);
    }

    static GoroutineStats running(long id, String name, int machine, @Nullable String createdBy, String... stack) {
        return new GoroutineStats(
                id,
                name,
                GoroutineState.RUNNING,
                null,
                -1,
                -1,
                true,
                machine,
                null,
                0,
                List.of(),
                List.of(stack),
                null,
                createdBy,
                createdBy == null ? 0 : 1);
    }

    /// Of two processors and as many machines, with `live` goroutines.
    static SchedulerSnapshot scheduler(String name, long live) {
        SchedulerStats stats = new SchedulerStats(
                208,
                2,
                1,
                3,
                0,
                true,
                1,
                3,
                new int[] {2, 1},
                new long[] {10, 8},
                live,
                100,
                4,
                7,
                0,
                5,
                0,
                6,
                2,
                1,
                1,
                2,
                3,
                0,
                0,
                4,
                0,
                0,
                0,
                0,
                0,
                1,
                false,
                true);
        return new SchedulerSnapshot(
                name,
                false,
                1_000_000_000,
                stats,
                List.of(processor(0, ProcessorStats.RUNNING, 3), processor(1, ProcessorStats.IDLE, -1)),
                List.of(
                        new MachineStats(3, 40, 4040, "w-3", 0, 9, 9, false, false, true, true, false),
                        new MachineStats(2, 39, 4039, "w-2", -1, 0, 0, true, true, false, false, true)),
                new LatencyStats(new long[] {1024, 1L << 20}, new long[] {3, 1}, 1_003_000),
                new LimitStats("procs=2: affinity 2", false, 2, 1.5, 10, 4, 1_500_000_000, true),
                50,
                7,
                1,
                0,
                Math.max(0, live - 8));
    }

    private static ProcessorStats processor(int id, int status, int machine) {
        return new ProcessorStats(id, status, 10, machine, 3, id == 0, 1, 100, 5, 4, 2, 6, 1, 3, 2, 9, 1, 0, 0, 1);
    }
}
