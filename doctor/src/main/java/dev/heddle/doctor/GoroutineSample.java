package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Frames;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One goroutine in one dump.
///
/// @param goroutine the entry in the dump
/// @param frames    its parsed stack, innermost frame first
record GoroutineSample(GoroutineStats goroutine, List<Frame> frames) {

    static GoroutineSample of(GoroutineStats goroutine) {
        return new GoroutineSample(
                goroutine,
                goroutine.stack().stream()
                        .map(Frame::parse)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /// Each goroutine with all its sightings, oldest first.
    static Collection<List<GoroutineSample>> byGoroutine(Observation seen) {
        Map<Long, List<GoroutineSample>> all = new LinkedHashMap<>();
        for (Dump dump : seen.dumps()) {
            for (GoroutineStats goroutine : dump.goroutines()) {
                all.computeIfAbsent(goroutine.id(), _ -> new ArrayList<>()).add(of(goroutine));
            }
        }
        return all.values();
    }

    /// Its frames for display, without the frames of the parking machinery.
    List<String> stack() {
        return Frames.worthReading(goroutine);
    }

    /// Whether the goroutine is running or runnable.
    boolean isBusy() {
        return goroutine.state() == GoroutineState.RUNNING || goroutine.state() == GoroutineState.RUNNABLE;
    }

    boolean waitsFor(String... reasons) {
        for (String reason : reasons) {
            if (reason.equals(goroutine.waitReason())) {
                return true;
            }
        }
        return false;
    }

    /// The innermost frame of the program's own code.
    @Nullable
    Frame usersTop() {
        return frames.stream().filter(Frame::isUsers).findFirst().orElse(null);
    }

    /// The innermost frames of the program's own code, at most `limit`.
    List<Frame> users(int limit) {
        return frames.stream().filter(Frame::isUsers).limit(limit).toList();
    }

    /// The outermost frame of the program's own code: what the goroutine was started for.
    @Nullable
    Frame usersBottom() {
        return frames.reversed().stream().filter(Frame::isUsers).findFirst().orElse(null);
    }

    /// Its place in the program's own code, for display.
    String place() {
        for (int i = 0; i < goroutine.stack().size(); i++) {
            Frame frame = Frame.parse(goroutine.stack().get(i));
            if (frame != null && frame.isUsers()) {
                return goroutine.stack().get(i);
            }
        }
        return goroutine.stack().isEmpty()
                ? "an unknown place"
                : goroutine.stack().getFirst();
    }

    /// Whether it is a virtual thread that the program started as such, not a goroutine of Heddle's API. The frames
    /// below a goroutine's body are left out of a dump; those below a virtual thread's are not.
    boolean isPlainThread() {
        return !frames.isEmpty()
                && frames.getLast().className().startsWith("java.lang.")
                && frames.stream().noneMatch(Frame::isHeddles);
    }

    /// What it does, in a few words: its wait reason, or its state.
    String doing() {
        return goroutine.waitReason() != null
                ? goroutine.waitReason()
                : goroutine.state().toString();
    }

    /// Whether it waits, parked or with its carrier.
    boolean isWaiting() {
        return switch (goroutine.state()) {
            case WAITING, PINNED, SYSCALL -> true;
            case RUNNING, RUNNABLE -> false;
        };
    }

    /// Whether its stack has one of these methods.
    boolean isIn(String className, String... methods) {
        return frames.stream().anyMatch(it -> it.is(className, methods));
    }

    /// The share of the sightings, 0 to 1, in which the goroutine was busy.
    static double busyShare(List<GoroutineSample> sightings) {
        return (double) sightings.stream().filter(GoroutineSample::isBusy).count() / sightings.size();
    }
}
