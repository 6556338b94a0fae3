package dev.heddle.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A loop that computes without a scheduling point while others wait.
final class CpuHogRule implements Rule {

    @Override
    public Cause cause() {
        return Cause.CPU_HOG;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        return Hogs.in(seen).flatMap(hogs -> finding(hogs, new CodeReader(seen.classes())));
    }

    /// Not about loops that poll, and calls on files: these have rules of their own, and do not compute.
    private static Optional<Finding> finding(Hogs hogs, CodeReader code) {
        List<String> evidence = new ArrayList<>();
        evidence.add(hogs.describe());
        if (hogs.sightings().isEmpty()) {
            return Optional.of(new Finding(Cause.CPU_HOG, evidence, 0, List.of()));
        }
        return hogs.sightings().stream()
                .filter(it -> it.stream().anyMatch(sighting -> isComputing(sighting, code)))
                .findFirst()
                .map(worst -> finding(worst, evidence));
    }

    private static boolean isComputing(GoroutineSample sighting, CodeReader code) {
        Frame top = sighting.usersTop();
        return top != null && SlowDiskRule.callOf(sighting).isEmpty() && code.pollingLoop(top, Call::yields) == null;
    }

    private static Finding finding(List<GoroutineSample> worst, List<String> evidence) {
        evidence.add("goroutine %d was computing at %d looks, at %s"
                .formatted(
                        worst.getLast().goroutine().id(),
                        worst.size(),
                        worst.getLast().place()));
        GoroutineSample hog = worst.getLast();
        Finding finding = new Finding(Cause.CPU_HOG, evidence, 0, List.of()).at(hog);
        Frame top = hog.usersTop();
        return top == null
                ? finding
                : finding.toDo(finding.remedy().replace("preempt=CLASS", "preempt=" + top.className()));
    }
}
