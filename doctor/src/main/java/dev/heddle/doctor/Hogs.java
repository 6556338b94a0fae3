package dev.heddle.doctor;

import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.MachineStats;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Goroutines that computed without yielding while others waited, so that the system monitor had to take their
/// processors.
///
/// @param share     the share of the samples, 0 to 1, in which at least one hog computed without a processor
/// @param handOffs  the number of processors taken from hogs
/// @param sightings the dump entries that show each hog running, the most frequently seen hog first
record Hogs(double share, long handOffs, List<List<GoroutineSample>> sightings) {

    /// A lower share means occasional bursts without a noticeable effect, such as loading a class or sorting a
    /// list.
    private static final double SHARE = 0.3;

    /// At each hand-off other goroutines had waited for more than a time slice. A program has one or two while it
    /// starts.
    private static final double HAND_OFFS_PER_SECOND = 5;

    /// On a host that is busy with other processes, a thread may be suspended between the request to yield and the
    /// yield, and then look like a hog. There only the share counts, and it must be higher.
    private static final double SHARE_IF_STARVED = 0.5;

    private static final double STARVED = 0.7;

    /// Wake-ups of waiting threads. A batch that computes on all processors has hardly any: the tasks that wait are
    /// the batch itself, and come later in any order. A service has some for every request.
    private static final double WAKE_UPS_PER_SECOND = 10;

    static Optional<Hogs> in(Observation seen) {
        if (wakeUpsPerSecond(seen) < WAKE_UPS_PER_SECOND) {
            return Optional.empty();
        }
        double share = seen.share(it -> it.snapshot().machines().stream().anyMatch(MachineStats::hog));
        long handOffs = seen.growth(it -> it.snapshot().stats().hogHandOffs());
        boolean enough = isStarved(seen)
                ? share >= SHARE_IF_STARVED
                : share >= SHARE || handOffs >= HAND_OFFS_PER_SECOND * seen.seconds();
        if (!enough) {
            return Optional.empty();
        }
        Set<Long> ids = new HashSet<>();
        for (Sample sample : seen.samples()) {
            for (MachineStats machine : sample.snapshot().machines()) {
                if (machine.hog()) {
                    ids.add(machine.goroutine());
                }
            }
        }
        List<List<GoroutineSample>> culprits = new ArrayList<>();
        for (List<GoroutineSample> sightings : GoroutineSample.byGoroutine(seen)) {
            List<GoroutineSample> running = sightings.stream()
                    .filter(it -> ids.contains(it.goroutine().id()) && it.isBusy() && it.usersTop() != null)
                    .toList();
            if (!running.isEmpty()) {
                culprits.add(running);
            }
        }
        culprits.sort((a, b) -> Integer.compare(b.size(), a.size()));
        return Optional.of(new Hogs(share, handOffs, culprits));
    }

    /// Turns of threads that had waited, and were neither started nor interrupted.
    static double wakeUpsPerSecond(Observation seen) {
        return seen.rate(it -> it.snapshot().stats().switches()
                - it.snapshot().created()
                - it.snapshot().stats().preemptions()
                - it.snapshot().stats().hogHandOffs());
    }

    /// Whether the process got much less CPU time than its busy processors could use.
    private static boolean isStarved(Observation seen) {
        double cpus = CpuAllowance.of(seen.last().snapshot().limits()).cpus();
        double busy = seen.mean(
                it -> it.snapshot().stats().procs() - it.snapshot().stats().idleProcs());
        return seen.rate(Sample::cpuNanos) / 1e9 < STARVED * Math.min(cpus, busy);
    }

    String describe() {
        return "%d processors were taken from threads that computed for more than a time slice while others waited; %.0f %% of the time such a thread ran on without one"
                .formatted(handOffs, share * 100);
    }
}
