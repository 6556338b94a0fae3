package dev.heddle.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FindingLogTest {

    private final FindingLog log = new FindingLog();

    @Test
    void aFindingIsNewOnce() {
        assertThat(update(Cause.CPU_HOG)).containsExactly("+cpu-hog");
        assertThat(update(Cause.CPU_HOG)).isEmpty();
        assertThat(update(Cause.CPU_HOG, Cause.SLOW_LOCK)).containsExactly("+slow-lock");
    }

    @Test
    void aFindingHasGoneAfterTwoDiagnosesWithoutIt() {
        update(Cause.CPU_HOG);
        assertThat(update()).isEmpty();
        assertThat(update()).containsExactly("-cpu-hog");
        assertThat(update()).isEmpty();
    }

    @Test
    void aShortAbsenceIsNotReported() {
        update(Cause.CPU_HOG);
        update();
        assertThat(update(Cause.CPU_HOG)).isEmpty();
        assertThat(update()).isEmpty();
    }

    @Test
    void aFindingThatComesBackIsNewAgain() {
        update(Cause.CPU_HOG);
        update();
        update();
        assertThat(update(Cause.CPU_HOG)).containsExactly("+cpu-hog");
    }

    @Test
    void aSchedulerThatHasEndedTakesItsFindingsWithIt() {
        update(Cause.CPU_HOG);
        log.update(List.of());
        assertThat(log.update(List.of())).singleElement().satisfies(it -> {
            assertThat(it.isNew()).isFalse();
            assertThat(it.scheduler()).isEqualTo("batch");
        });
    }

    /// The changes as `+cause` and `-cause`.
    private List<String> update(Cause... causes) {
        List<Finding> findings =
                Stream.of(causes).map(it -> Finding.of(it, "evidence")).toList();
        return log.update(List.of(new Diagnosis("batch", 3, findings))).stream()
                .map(it -> (it.isNew() ? "+" : "-") + it.finding().cause().key())
                .toList();
    }
}
