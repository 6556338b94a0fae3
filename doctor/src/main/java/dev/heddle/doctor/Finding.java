package dev.heddle.doctor;

import java.util.List;

/// A cause that was found, with its evidence.
///
/// @param cause     what is wrong
/// @param evidence  the figures and facts that support it, one sentence each
/// @param goroutine the goroutine whose stack to read; 0 if no single one matters
/// @param stack     its frames, the innermost first; may be empty
/// @param remedy    what to do about it, in this program
public record Finding(Cause cause, List<String> evidence, long goroutine, List<String> stack, String remedy) {

    public Finding {
        evidence = List.copyOf(evidence);
        stack = List.copyOf(stack);
        if (evidence.isEmpty()) {
            throw new IllegalArgumentException("a finding needs evidence: " + cause);
        }
    }

    /// With the remedy that fits every program.
    Finding(Cause cause, List<String> evidence, long goroutine, List<String> stack) {
        this(cause, evidence, goroutine, stack, cause.remedy().strip());
    }

    static Finding of(Cause cause, String... evidence) {
        return new Finding(cause, List.of(evidence), 0, List.of());
    }

    /// The same finding, with the stack to read, a remedy that fits this kind of thread, and the line to change.
    Finding at(GoroutineSample sighting) {
        String what = sighting.isPlainThread() ? cause.remedyForThreads() : cause.remedy();
        String where = sighting.usersTop() == null ? "" : " The line to change is in " + sighting.place() + ".";
        return new Finding(cause, evidence, sighting.goroutine().id(), sighting.stack(), what.strip() + where);
    }

    /// The same finding, with another remedy, which names what to change itself.
    Finding toDo(String what) {
        return new Finding(cause, evidence, goroutine, stack, what.strip());
    }
}
