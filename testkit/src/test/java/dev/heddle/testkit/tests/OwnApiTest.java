package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.api.ApiProgram;
import dev.heddle.testkit.api.Mutant;
import dev.heddle.testkit.api.Mutants;
import dev.heddle.testkit.internal.Checker;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Heddle's own Chan, Select, WaitGroup, Once, Context and ErrGroup, with points in their code; and mutants of them.
class OwnApiTest {

    private static final int SCALE = Integer.getInteger("heddle.testkit.scale", 1);
    private static final Options OPTIONS =
            Options.defaults().withPoints("dev.heddle.*").withSchedules(1000);

    private static Report check(Options options, Bubble.Body body) {
        return Checker.check(options, ApiProgram.class.getPackageName(), body);
    }

    @ParameterizedTest
    @EnumSource
    void theApiHoldsInEverySchedule(ApiProgram program) {
        assertThat(check(OPTIONS.withSchedules(500 * SCALE), program).distinct())
                .isPositive();
    }

    static List<Mutant> mutants() {
        return Mutants.all();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void theMutantIsFound(Mutant mutant, @TempDir Path directory) throws Exception {
        Bubble.Body program = mutant.load(directory);
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> check(OPTIONS, program));
        assertThat(failure).as(mutant.name()).isNotNull();
        System.out.println("| " + mutant + " | " + failure.kind().title() + " | " + failure.schedule() + " |");
    }
}
