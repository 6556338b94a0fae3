package dev.heddle.client;

import dev.heddle.internal.observe.Frames;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How long goroutines have waited or been runnable, from samples of the same JVM.
///
/// The JVM knows when a timed wait and a wait in Heddle's own channels and groups began. Of the others it knows
/// how long observers have seen them, without the thread running in between. Only a thread that has not begun
/// to run has to be remembered here: it has no place for the JVM's mark.
public final class ThreadTimes {

    /// When each thread that has not begun was first seen.
    private Map<Long, Long> notBegun = Map.of();

    /// Takes the next sample.
    ///
    /// @param nowNanos its time, on any monotonic clock
    public List<ThreadTime> next(List<GoroutineStats> goroutines, long nowNanos) {
        Map<Long, Long> stillNotBegun = new HashMap<>();
        List<ThreadTime> times = new ArrayList<>();
        for (GoroutineStats goroutine : goroutines) {
            long seen = goroutine.seenNanos();
            if (hasNotBegun(goroutine)) {
                long since = notBegun.getOrDefault(goroutine.id(), nowNanos);
                stillNotBegun.put(goroutine.id(), since);
                seen = nowNanos - since;
            }
            times.add(time(goroutine, seen));
        }
        notBegun = stillNotBegun;
        return times;
    }

    private static boolean hasNotBegun(GoroutineStats goroutine) {
        return goroutine.state() == GoroutineState.RUNNABLE
                && goroutine.stack().isEmpty()
                && goroutine.seenNanos() == 0;
    }

    private static ThreadTime time(GoroutineStats goroutine, long seen) {
        boolean exact = goroutine.waitNanos() >= 0;
        String reason = goroutine.waitReason();
        return new ThreadTime(
                goroutine.id(),
                goroutine.name(),
                goroutine.state(),
                reason != null ? reason : goroutine.state().toString(),
                exact ? goroutine.waitNanos() : seen,
                exact,
                hasNotBegun(goroutine) ? "(has not begun)" : place(goroutine));
    }

    /// The place in the program's own code: the first frame that is neither the JDK's nor Heddle's.
    private static String place(GoroutineStats goroutine) {
        List<String> frames = Frames.worthReading(goroutine);
        return frames.stream()
                .map(Frames::withoutModule)
                .filter(it -> !it.startsWith("java.") && !it.startsWith("jdk.") && !it.startsWith("sun."))
                .filter(it -> !it.startsWith("dev.heddle.Chan.")
                        && !it.startsWith("dev.heddle.Select.")
                        && !it.startsWith("dev.heddle.WaitGroup."))
                .findFirst()
                .orElse(frames.isEmpty() ? "" : Frames.withoutModule(frames.getFirst()));
    }
}
