package dev.heddle.doctor;

import dev.heddle.observe.Dump;
import dev.heddle.observe.Sample;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.MachineStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Many goroutines that keep their carrier threads: in native calls, file reads, or pinned.
///
/// Such a machine runs a goroutine and owns no processor, or says that it blocks; hogs do so too and are told
/// apart.
final class BlockingCallsRule implements Rule {

    /// Beyond the processors. A pool of eight for a native library is a good limit, not a finding; sixteen
    /// threads that do nothing still cost little.
    private static final int THREADS = 16;

    /// Most of the time, not in a burst.
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
                "%.0f carrier threads on average, and %d at most, were blocked by what they run; there are %d processors"
                        .formatted(
                                seen.mean(BlockingCallsRule::blocked),
                                seen.samples().stream()
                                        .mapToInt(BlockingCallsRule::blocked)
                                        .max()
                                        .orElse(0),
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
            boolean runs = machine.goroutine() != 0 && !machine.hog() && machine.locked() == 0;
            if (runs && (machine.blocked() || machine.processor() < 0)) {
                blocked++;
            }
        }
        return blocked;
    }

    /// Where most of the mounted goroutines are.
    private static Optional<Sighting> mostCommon(List<Dump> dumps) {
        Map<String, Integer> sizes = new HashMap<>();
        Map<String, Sighting> members = new HashMap<>();
        for (Dump dump : dumps) {
            for (GoroutineStats goroutine : dump.goroutines()) {
                if (goroutine.machine() >= 0) {
                    Sighting sighting = Sighting.of(goroutine);
                    sizes.merge(sighting.place(), 1, Integer::sum);
                    members.put(sighting.place(), sighting);
                }
            }
        }
        return sizes.entrySet().stream().max(Map.Entry.comparingByValue()).map(it -> members.get(it.getKey()));
    }
}
