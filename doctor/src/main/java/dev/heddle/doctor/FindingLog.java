package dev.heddle.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What changes from one diagnosis to the next: which findings are new, and which have gone.
///
/// A finding is one cause in one scheduler. Not thread-safe.
public final class FindingLog {

    /// Successive diagnoses without a finding after which it has gone: a rule that is just below its threshold
    /// would otherwise come and go.
    private static final int ABSENCES = 2;

    /// A change.
    ///
    /// @param isNew     whether the finding is new; otherwise it has gone
    /// @param scheduler the scheduler's name
    /// @param finding   the finding; one that has gone as it was seen last
    public record Change(boolean isNew, String scheduler, Finding finding) {}

    private record Key(String scheduler, Cause cause) {}

    private static final class Present {
        private Finding finding;
        private int absences;

        Present(Finding finding) {
            this.finding = finding;
        }
    }

    private final Map<Key, Present> present = new LinkedHashMap<>();

    /// The changes since the last call, new findings first.
    public List<Change> update(List<Diagnosis> diagnoses) {
        List<Change> changes = new ArrayList<>();
        Set<Key> seen = new HashSet<>();
        for (Diagnosis diagnosis : diagnoses) {
            for (Finding finding : diagnosis.findings()) {
                Key key = new Key(diagnosis.scheduler(), finding.cause());
                seen.add(key);
                Present known = present.get(key);
                if (known == null) {
                    present.put(key, new Present(finding));
                    changes.add(new Change(/* isNew= */ true, diagnosis.scheduler(), finding));
                } else {
                    known.finding = finding;
                    known.absences = 0;
                }
            }
        }
        present.entrySet().removeIf(each -> {
            boolean isGone = !seen.contains(each.getKey()) && ++each.getValue().absences == ABSENCES;
            if (isGone) {
                changes.add(new Change(/* isNew= */ false, each.getKey().scheduler(), each.getValue().finding));
            }
            return isGone;
        });
        return changes;
    }
}
