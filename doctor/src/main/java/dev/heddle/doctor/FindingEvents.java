package dev.heddle.doctor;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.wire.FoundCause;
import java.io.IOException;

/// Makes findings visible in the flight recording of the program that was examined, beside its other events.
public final class FindingEvents {

    private FindingEvents() {}

    /// Tells the JVM what was found. A JVM that has ended meanwhile, or that is not recorded, is not told:
    /// whoever asked gets the report either way.
    public static void tell(JvmConnection jvm, Iterable<Diagnosis> diagnoses) {
        for (Diagnosis diagnosis : diagnoses) {
            for (Finding finding : diagnosis.findings()) {
                tell(jvm, diagnosis.scheduler(), finding);
            }
        }
    }

    /// The same for one finding.
    public static void tell(JvmConnection jvm, String scheduler, Finding finding) {
        Cause cause = finding.cause();
        try {
            boolean _ = jvm.tellFound(
                    scheduler,
                    new FoundCause(cause.key(), cause.title(), String.join("; ", finding.evidence()), cause.remedy()));
        } catch (IOException _) {
            // it has ended
        }
    }
}
