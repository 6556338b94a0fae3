package dev.heddle.doctor;

import dev.heddle.internal.observe.SampleWindow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The findings for one scheduler, over one or several time windows.
///
/// @param scheduler its name
/// @param seconds   the duration of the observation
/// @param findings  the causes found, the most urgent first, each once
public record Diagnosis(String scheduler, double seconds, List<Finding> findings) {

    /// A shorter window tells nothing: the JVM is still starting, or a rate is based on two samples.
    private static final double SHORTEST_SECONDS = 1;

    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /// One diagnosis for each scheduler with a long enough window.
    ///
    /// @param windows consecutive windows, each with the recordings of all schedulers
    public static List<Diagnosis> of(List<List<SampleWindow>> windows) {
        Map<String, Windows> schedulers = new LinkedHashMap<>();
        for (List<SampleWindow> window : windows) {
            for (SampleWindow recording : window) {
                if (recording.samples().size() >= 2) {
                    Observation seen = Observation.of(recording);
                    if (seen.seconds() >= SHORTEST_SECONDS) {
                        schedulers
                                .computeIfAbsent(recording.scheduler(), Windows::new)
                                .add(seen);
                    }
                }
            }
        }
        return schedulers.values().stream().map(Windows::diagnosis).toList();
    }

    /// The windows of one scheduler.
    private static final class Windows {
        private final String scheduler;
        private final Map<Cause, List<Finding>> found = new EnumMap<>(Cause.class);
        private double seconds;
        private int number;

        Windows(String scheduler) {
            this.scheduler = scheduler;
        }

        void add(Observation seen) {
            number++;
            seconds += seen.seconds();
            for (Finding finding : Doctor.examine(seen)) {
                found.computeIfAbsent(finding.cause(), _ -> new ArrayList<>()).add(finding);
            }
        }

        /// Of a cause found in several windows, takes the finding of the middle one, away from the start
        /// and the end of the program.
        Diagnosis diagnosis() {
            List<Finding> findings = new ArrayList<>();
            found.forEach((_, all) -> {
                Finding one = all.get(all.size() / 2);
                List<String> evidence = new ArrayList<>(one.evidence());
                if (number > 1) {
                    evidence.add("so it was in %d of %d windows of time".formatted(all.size(), number));
                }
                findings.add(new Finding(one.cause(), evidence, one.goroutine(), one.stack(), one.remedy()));
            });
            return new Diagnosis(scheduler, seconds, findings);
        }
    }
}
