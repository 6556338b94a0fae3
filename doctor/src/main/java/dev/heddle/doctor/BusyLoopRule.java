package dev.heddle.doctor;

import dev.heddle.internal.observe.Sample;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A loop that is always busy, and whose code shows that it only polls for work and never waits for it.
///
/// Stacks alone cannot tell polling from computing: a stack shows a compiled loop at its end, whatever the loop calls.
/// So the rule reads the class file of the running method and searches for a loop that polls, and neither waits nor
/// yields.
final class BusyLoopRule implements Rule {

    /// Share of the sightings in which the goroutine is busy: nearly all.
    private static final double ALWAYS = 0.9;

    /// Share of the sightings in the loop itself or in a poll, not in a task that the loop runs.
    private static final double IN_LOOP = 0.7;

    private static final int SIGHTINGS = 4;

    @Override
    public Cause cause() {
        return Cause.BUSY_LOOP;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        for (List<GoroutineSample> sightings : GoroutineSample.byGoroutine(seen)) {
            if (sightings.size() >= SIGHTINGS && GoroutineSample.busyShare(sightings) >= ALWAYS) {
                Optional<Finding> finding = check(sightings, code, seen);
                if (finding.isPresent()) {
                    return finding;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Finding> check(List<GoroutineSample> sightings, CodeReader code, Observation seen) {
        List<GoroutineSample> inLoop =
                sightings.stream().filter(it -> loopOf(it, code) != null).toList();
        if (inLoop.size() < IN_LOOP * sightings.size()) {
            return Optional.empty();
        }
        GoroutineSample last = inLoop.getLast();
        AskingLoop loop = loopOf(last, code);
        if (loop == null) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                        Cause.BUSY_LOOP,
                        "goroutine %d was busy at %d of %d looks, in the loop of %s"
                                .formatted(last.goroutine().id(), inLoop.size(), sightings.size(), loop.place()),
                        "that loop calls %s, and nothing that waits or yields"
                                .formatted(String.join(", ", loop.asks())),
                        "the process used %.1f CPUs meanwhile".formatted(seen.rate(Sample::cpuNanos) / 1e9))
                .at(last));
    }

    /// The outermost polling loop that this goroutine is in; null if it has entered something that does not
    /// poll, such as a task.
    private static @Nullable AskingLoop loopOf(GoroutineSample sighting, CodeReader code) {
        AskingLoop outermost = null;
        for (Frame frame : sighting.frames()) { // innermost first
            if (!frame.isUsers()) {
                continue;
            }
            AskingLoop asking = code.askingLoop(frame);
            AskingLoop loop = asking == null ? SpinLoop.around(frame, code) : asking;
            if (loop != null) {
                outermost = loop;
            } else if (outermost == null && !code.asks(frame)) {
                return null;
            }
        }
        return outermost;
    }
}
