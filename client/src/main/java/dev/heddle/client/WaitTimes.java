package dev.heddle.client;

import dev.heddle.internal.observe.Frames;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How long goroutines have waited, estimated from repeated samples.
///
/// Heddle's own channels and groups record when a wait began. For other waits only a lower bound is known: the
/// goroutine has been at the same place in every sample since the first one.
public final class WaitTimes {

    private Map<Long, Since> seen = Map.of();

    private record Since(String place, long nanos) {}

    /// A waiting goroutine.
    ///
    /// @param id      its id
    /// @param nanos   how long it has waited, at least
    /// @param exact   whether the time counts from the begin of the wait, not from the first sample that showed it
    /// @param reason  why it waits
    /// @param place   the innermost relevant frame
    public record Wait(long id, long nanos, boolean exact, String reason, String place) {}

    /// The waiting goroutines, the longest wait first.
    ///
    /// @param nowNanos the time of this sample, on any monotonic clock
    public List<Wait> look(List<GoroutineStats> goroutines, long nowNanos) {
        Map<Long, Since> next = new HashMap<>();
        for (GoroutineStats goroutine : goroutines) {
            if (goroutine.state() == GoroutineState.WAITING) {
                Since before = seen.get(goroutine.id());
                String place = goroutine.waitReason() + goroutine.blocker() + place(goroutine);
                next.put(
                        goroutine.id(),
                        before != null && before.place.equals(place) ? before : new Since(place, nowNanos));
            }
        }
        seen = next;
        return goroutines.stream()
                .filter(it -> it.state() == GoroutineState.WAITING)
                .map(it -> wait(it, nowNanos))
                .sorted(Comparator.comparingLong(Wait::nanos).reversed().thenComparingLong(Wait::id))
                .toList();
    }

    private Wait wait(GoroutineStats goroutine, long nowNanos) {
        Since since = seen.get(goroutine.id());
        boolean exact = goroutine.waitNanos() >= 0;
        long nanos = exact ? goroutine.waitNanos() : since == null ? 0 : nowNanos - since.nanos;
        return new Wait(goroutine.id(), nanos, exact, String.valueOf(goroutine.waitReason()), place(goroutine));
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
