package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.MachineStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Many goroutines that occupy their carrier threads: in native calls, in file reads, or pinned.
///
/// Which carriers are blocked is decided in the JVM, in one place for all tools. A goroutine that is locked to
/// its thread has that thread for itself, and does not count here.
final class BlockingCallsRule implements Rule {

    /// Blocked threads beyond the number of processors. A pool of eight threads for a native library is a
    /// reasonable limit and no finding. Sixteen blocked threads still cost little.
    private static final int THREADS = 16;

    /// Share of the samples: most of the time, not a burst.
    private static final double SHARE = 0.5;

    @Override
    public Cause cause() {
        return Cause.BLOCKING_CALLS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        int limit = THREADS + seen.last().snapshot().stats().procs();
        if (seen.share(it -> blocked(it) > limit) < SHARE) {
            return Optional.empty();
        }
        long taken = seen.growth(it -> it.snapshot().stats().undeclaredHandOffs()
                + it.snapshot().stats().blockedHandOffs());
        Finding finding = Finding.of(
                Cause.BLOCKING_CALLS,
                ("%.0f carrier threads on average, and %d at most, were blocked by what they run, %d of them pinned"
                                + " at the end; there are %d processors")
                        .formatted(
                                seen.mean(BlockingCallsRule::blocked),
                                seen.samples().stream()
                                        .mapToInt(BlockingCallsRule::blocked)
                                        .max()
                                        .orElse(0),
                                seen.last().snapshot().pinnedMachines(),
                                seen.last().snapshot().stats().procs()),
                "%d threads in all at the begin, %d at the end; %,d times a processor had to be taken from a blocked one"
                        .formatted(
                                seen.first().snapshot().stats().threads(),
                                seen.last().snapshot().stats().threads(),
                                taken));
        return Optional.of(mostCommon(seen.dumps()).map(finding::at).orElse(finding));
    }

    private static int blocked(Sample sample) {
        int blocked = 0;
        for (MachineStats machine : sample.snapshot().machines()) {
            if (machine.blocked() && machine.locked() == 0) {
                blocked++;
            }
        }
        return blocked;
    }

    /// The place where most of the goroutines are that block a carrier.
    private static Optional<GoroutineSample> mostCommon(List<Dump> dumps) {
        Map<String, Integer> sizes = new HashMap<>();
        Map<String, GoroutineSample> members = new HashMap<>();
        for (Dump dump : dumps) {
            for (GoroutineStats goroutine : dump.goroutines()) {
                if (goroutine.state().blocksCarrier()) {
                    GoroutineSample sighting = GoroutineSample.of(goroutine);
                    sizes.merge(sighting.place(), 1, Integer::sum);
                    members.put(sighting.place(), sighting);
                }
            }
        }
        return sizes.entrySet().stream().max(Map.Entry.comparingByValue()).map(it -> members.get(it.getKey()));
    }
}
