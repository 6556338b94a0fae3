package dev.heddle.client;

import dev.heddle.internal.observe.JvmFigures;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What `heddle top` knows at one moment.
///
/// @param scheduler the scheduler
/// @param jvm       what the whole JVM uses
/// @param threads   its goroutines and virtual threads, or some of them if there are many
public record TopSample(SchedulerSnapshot scheduler, JvmFigures jvm, List<ThreadTime> threads) {

    public TopSample {
        threads = List.copyOf(threads);
    }

    /// The thread that has been waiting for a processor the longest, as far as that is known.
    public Optional<ThreadTime> longestRunnable() {
        return threads.stream()
                .filter(it -> it.state() == GoroutineState.RUNNABLE && it.nanos() >= 0)
                .max(Comparator.comparingLong(ThreadTime::nanos));
    }
}
