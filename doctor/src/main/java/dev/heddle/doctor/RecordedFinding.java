package dev.heddle.doctor;

import java.util.List;

/// A cause that a recording proves.
///
/// @param cause     what is wrong
/// @param scheduler the name of the scheduler
/// @param evidence  what the recording shows, with goroutines and times, one sentence each
public record RecordedFinding(RecordedCause cause, String scheduler, List<String> evidence) {

    public RecordedFinding {
        evidence = List.copyOf(evidence);
        if (evidence.isEmpty()) {
            throw new IllegalArgumentException("a finding needs evidence: " + cause);
        }
    }
}
