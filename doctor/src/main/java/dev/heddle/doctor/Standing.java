package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The threads that make no progress: each has been in one wait without a limit, and has not run since.
///
/// Two dumps that show a thread at the same place may show two waits. So the JVM leaves a mark in a virtual
/// thread that waits, and finds it again only if the thread has not run. A platform thread has no mark: for it,
/// the numbers of its waits have to be the same.
final class Standing {

    /// Share of the observation for which a thread has to make no progress. The program may have got stuck
    /// after its begin.
    private static final double SHARE = 0.5;

    /// A wait of a second may be one for a slow answer.
    private static final double SECONDS = 1.4;

    private static final int DUMPS = 4;

    private final Map<Long, GoroutineSample> threads = new HashMap<>();

    private Standing() {}

    static Standing in(Observation seen) {
        var standing = new Standing();
        if (seen.dumps().size() >= DUMPS) {
            double nanos = leastSeconds(seen) * 1e9;
            boolean isLongEnough =
                    seen.dumps().getLast().nanoTime() - seen.dumps().getFirst().nanoTime() >= nanos;
            Map<Long, GoroutineStats> unmarked = new HashMap<>();
            for (GoroutineStats thread : Locks.byId(seen.dumps().getLast()).values()) {
                if (thread.state() != GoroutineState.WAITING) {
                    continue;
                }
                if (Math.max(thread.seenNanos(), ofChannel(thread)) >= nanos) {
                    standing.threads.put(thread.id(), GoroutineSample.of(thread));
                } else if (thread.seenNanos() < 0 && isLongEnough) {
                    unmarked.put(thread.id(), thread);
                }
            }
            seen.dumps().forEach(dump -> removeThoseThatMoved(unmarked, dump));
            WaitNumbers.sameIn(seen.dumps()).forEach(id -> {
                GoroutineStats thread = unmarked.get(id);
                if (thread != null) {
                    standing.threads.put(id, GoroutineSample.of(thread));
                }
            });
        }
        return standing;
    }

    /// For how long each of these threads has waited at least.
    static double leastSeconds(Observation seen) {
        return Math.max(SECONDS, SHARE * seen.seconds());
    }

    private static void removeThoseThatMoved(Map<Long, GoroutineStats> threads, Dump dump) {
        Map<Long, GoroutineStats> then = Locks.byId(dump);
        threads.values().removeIf(thread -> {
            GoroutineStats before = then.get(thread.id());
            return before == null
                    || before.state() != GoroutineState.WAITING
                    || !Objects.equals(before.blocker(), thread.blocker())
                    || !before.stack().equals(thread.stack())
                    || GoroutineSample.of(thread).frames().stream().anyMatch(Standing::isTimed);
        });
    }

    /// How long the goroutine has waited in a channel or group of Heddle's, which note the time; -1
    /// elsewhere. A timed wait notes it as well, but ends by itself.
    private static long ofChannel(GoroutineStats goroutine) {
        boolean isChannel = goroutine.waitReason() != null
                && Set.of("chan send", "chan receive", "select", "sync.WaitGroup.Wait")
                        .contains(goroutine.waitReason());
        return isChannel ? goroutine.waitNanos() : -1;
    }

    private static boolean isTimed(Frame frame) {
        return frame.is("java.util.concurrent.locks.LockSupport", "parkNanos", "parkUntil");
    }

    boolean has(long thread) {
        return threads.containsKey(thread);
    }

    /// The threads, each as the last dump shows it, by id.
    Map<Long, GoroutineSample> threads() {
        return threads;
    }
}
