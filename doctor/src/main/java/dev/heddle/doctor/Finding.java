package dev.heddle.doctor;

import java.util.List;

/// A cause that was found, with its evidence.
///
/// @param cause     what is wrong
/// @param evidence  the figures and facts that support it, one sentence each
/// @param goroutine the goroutine whose stack to read; 0 if no single one matters
/// @param stack     its frames, the innermost first; may be empty
public record Finding(Cause cause, List<String> evidence, long goroutine, List<String> stack) {

    public Finding {
        evidence = List.copyOf(evidence);
        stack = List.copyOf(stack);
        if (evidence.isEmpty()) {
            throw new IllegalArgumentException("a finding needs evidence: " + cause);
        }
    }

    static Finding of(Cause cause, String... evidence) {
        return new Finding(cause, List.of(evidence), 0, List.of());
    }

    /// The same finding, with the stack to read.
    Finding at(GoroutineSample sighting) {
        return new Finding(cause, evidence, sighting.goroutine().id(), sighting.stack());
    }
}
