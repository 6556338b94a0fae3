package dev.heddle.observe.client;

import dev.heddle.observe.Frames;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// For how long goroutines have waited, as far as can be told from looking again and again.
///
/// Heddle's own channels and groups note when a wait began. Of other waits only this is known: that a goroutine
/// has been in the same place at every look since the first one.
public final class Waits {

    private Map<Long, Since> seen = Map.of();

    private record Since(String place, long nanos) {}

    /// A goroutine that waits.
    ///
    /// @param id      its id
    /// @param nanos   for how long at least
    /// @param exact   whether that is when the wait began, not when it was first seen
    /// @param reason  why
    /// @param place   the innermost frame that is worth reading
    public record Wait(long id, long nanos, boolean exact, String reason, String place) {}

    /// Those that wait, the longest first.
    ///
    /// @param nowNanos the time of this look, on any clock that goes on
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

    /// Where its own code is: the first frame that is not the JDK's or Heddle's.
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
