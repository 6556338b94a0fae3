package dev.heddle.doctor;

import dev.heddle.internal.observe.SampleWindow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        private final List<List<Finding>> windows = new ArrayList<>();
        private double seconds;

        Windows(String scheduler) {
            this.scheduler = scheduler;
        }

        void add(Observation seen) {
            seconds += seen.seconds();
            windows.add(Doctor.examine(seen));
        }

        /// The findings of all windows by cause, without symptoms. A rule needs evidence from a whole window,
        /// so a cause that begins or ends within a window may show there by a symptom only: the windows
        /// beside it count, too.
        private Map<Cause, List<Finding>> found() {
            Map<Cause, List<Finding>> found = new EnumMap<>(Cause.class);
            for (int i = 0; i < windows.size(); i++) {
                List<Finding> around = windows.subList(Math.max(0, i - 1), Math.min(windows.size(), i + 2)).stream()
                        .flatMap(List::stream)
                        .toList();
                Set<Cause> explained = Doctor.explainedBy(around);
                for (Finding finding : windows.get(i)) {
                    if (!explained.contains(finding.cause())) {
                        found.computeIfAbsent(finding.cause(), _ -> new ArrayList<>())
                                .add(finding);
                    }
                }
            }
            return found;
        }

        /// Of a cause found in several windows, takes the finding of the middle one, away from the start
        /// and the end of the program.
        Diagnosis diagnosis() {
            List<Finding> findings = new ArrayList<>();
            found().forEach((_, all) -> {
                Finding one = all.get(all.size() / 2);
                List<String> evidence = new ArrayList<>(one.evidence());
                if (windows.size() > 1) {
                    evidence.add("so it was in %d of %d windows of time".formatted(all.size(), windows.size()));
                }
                findings.add(new Finding(one.cause(), evidence, one.goroutine(), one.stack(), one.remedy()));
            });
            return new Diagnosis(scheduler, seconds, findings);
        }
    }
}
