package dev.heddle.trace.analysis;

import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import dev.heddle.trace.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds the longest waits for a processor.
///
/// Waits of one kind of goroutine that began in the same millisecond are one entry: otherwise one burst would be all of
/// them.
public final class LongestWaits implements ReplayListener {

    private static final long SAME_BURST_NANOS = 1_000_000;

    /// Entries are kept up to this number; then all but the longest are forgotten.
    private static final int MOST_ENTRIES = 4_096;

    private record Burst(String kind, int scheduler, long millisecond) {}

    /// A wait that was found, before it is explained.
    ///
    /// @param goroutine its id
    /// @param others    how many of the same burst waited no longer
    record Found(long goroutine, long from, long until, int others) {
        long nanos() {
            return until - from;
        }
    }

    private static final Comparator<Found> LONGEST_FIRST = Comparator.comparingLong(Found::nanos)
            .reversed()
            .thenComparingLong(Found::from)
            .thenComparingLong(Found::goroutine);

    private final Map<Burst, Found> bursts = new HashMap<>();

    /// The longest waits of a recording with their causes, the longest first. Reads it twice.
    ///
    /// @param most how many
    /// @throws dev.heddle.trace.RecordingException if the recording contradicts itself
    public static List<RunnableWait> of(Recording recording, int most) throws IOException {
        LongestWaits longest = new LongestWaits();
        Replay.of(recording, longest);
        return longest.explain(recording, most);
    }

    /// Explains the longest of the waits that were found. Reads the recording once more.
    List<RunnableWait> explain(Recording recording, int most) throws IOException {
        List<Found> found = bursts.values().stream()
                .filter(it -> it.nanos() > 0)
                .sorted(LONGEST_FIRST)
                .limit(most)
                .toList();
        if (found.isEmpty()) {
            return List.of();
        }
        WaitExplainer explainer = new WaitExplainer(found);
        Replay.of(recording, explainer);
        return explainer.explained();
    }

    @Override
    public void interval(Goroutine goroutine, long until) {
        if (goroutine.state() != State.RUNNABLE) {
            return;
        }
        long from = goroutine.since();
        Burst burst = new Burst(goroutine.kind(), goroutine.scheduler().number(), from / SAME_BURST_NANOS);
        Found before = bursts.get(burst);
        if (before == null) {
            bursts.put(burst, new Found(goroutine.id(), from, until, 0));
            if (bursts.size() > MOST_ENTRIES) {
                forgetShortOnes();
            }
        } else if (until - from > before.nanos()) {
            bursts.put(burst, new Found(goroutine.id(), from, until, before.others + 1));
        } else {
            bursts.put(burst, new Found(before.goroutine, before.from, before.until, before.others + 1));
        }
    }

    private void forgetShortOnes() {
        List<Found> all = new ArrayList<>(bursts.values());
        all.sort(LONGEST_FIRST);
        long limit = all.get(MOST_ENTRIES / 2).nanos();
        bursts.values().removeIf(it -> it.nanos() <= limit);
    }
}
