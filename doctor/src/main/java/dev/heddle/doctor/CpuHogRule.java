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
        return Hogs.in(seen).map(hogs -> {
            List<String> evidence = new ArrayList<>();
            evidence.add(hogs.describe());
            if (hogs.sightings().isEmpty()) {
                return new Finding(Cause.CPU_HOG, evidence, 0, List.of());
            }
            List<GoroutineSample> worst = hogs.sightings().getFirst();
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
        });
    }
}
