package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.heddle.testkit.FailureKind;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.samples.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// `@HeddleTest` by JUnit's plain launcher, as an IDE runs it.
class HeddleTestTest {

    private final List<String> names = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<Throwable> aborted = new ArrayList<>();

    private void run(Class<?> sample) {
        names.clear();
        failures.clear();
        aborted.clear();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(sample))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest()) {
                                    names.add(test.getDisplayName());
                                }
                                boolean isAborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
                                result.getThrowable().ifPresent((isAborted ? aborted : failures)::add);
                            }
                        });
    }

    private ScheduleFailure failure() {
        assertThat(failures).hasSize(1);
        return (ScheduleFailure) failures.getFirst();
    }

    @AfterEach
    void clearOverrides() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("heddle.test."));
    }

    @Test
    void aDeadlockIsFoundAndToldAndRepeated() {
        run(Samples.AccountSample.class);
        ScheduleFailure first = failure();
        assertThat(first.kind()).isEqualTo(FailureKind.DEADLOCK);
        assertThat(first.schedule()).isLessThan(100);
        assertThat(first.getMessage())
                .contains("all 3 threads wait and no timer is set")
                .contains("-Dheddle.test.replay=" + first.replayCode())
                .containsPattern(
                        "waits +at Samples.Account.transfer\\(Samples.java:\\d+\\) for ReentrantLock-\\d of #1")
                .containsPattern(
                        "waits +at Samples.Account.transfer\\(Samples.java:\\d+\\) for ReentrantLock-\\d of #2");
        System.setProperty("heddle.test.replay", first.replayCode());
        run(Samples.AccountSample.class);
        assertThat(names).containsExactly("replay of " + first.replayCode());
        assertThat(story(failure())).isEqualTo(story(first));
    }

    private static String story(ScheduleFailure failure) {
        return failure.getMessage().substring(failure.getMessage().indexOf("-Dheddle.test.replay"));
    }

    @Test
    void everyScheduleHasItsOwnInstanceAndItsMethodsInsideTheBubble() {
        Samples.LifeCycleSample.LOG.clear();
        run(Samples.LifeCycleSample.class);
        assertThat(failures).isEmpty();
        assertThat(names).contains("3 schedules", "2 schedules", "anOrdinaryTestIsUntouched()");
        Map<Boolean, List<String>> byKind = Samples.LifeCycleSample.LOG.stream()
                .collect(java.util.stream.Collectors.partitioningBy(line -> line.startsWith("before 2000")));
        assertThat(byKind.get(true)).contains("before 2000-01-01T00:00:00Z, test 2000-01-01T00:01:00Z, after true");
        assertThat(byKind.get(true)).contains("before 2000-01-01T00:00:00Z, inner, after true");
        assertThat(byKind.get(false)).anyMatch(line -> line.equals("ordinary 1 false true"));
    }

    @Test
    void propertiesOverrideAttributes() {
        System.setProperty("heddle.test.schedules", "7");
        Samples.LifeCycleSample.LOG.clear();
        run(Samples.LifeCycleSample.class);
        assertThat(names).contains("7 schedules");
        System.setProperty("heddle.test.strategy", "often");
        run(Samples.LifeCycleSample.class);
        assertThat(failures)
                .first()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("-Dheddle.test.strategy=often is refused");
    }

    @Test
    void refusalsAreSentences() {
        run(Samples.RefusedSample.class);
        assertThat(failures.getFirst()).hasMessageContaining("schedules=0 is refused: it must be at least 1.");
        run(Samples.ParameterSample.class);
        assertThat(failures.getFirst()).hasMessageContaining("parameter");
    }

    @Test
    void aNameThatIsNearlyAPropertyIsRefused() {
        System.setProperty("heddle.test.schedule", "10");
        run(Samples.LifeCycleSample.class);
        assertThat(failures.getFirst())
                .hasMessage("-Dheddle.test.schedule is refused: there is no such setting; did you mean"
                        + " -Dheddle.test.schedules?");
        System.clearProperty("heddle.test.schedule");
        System.setProperty("heddle.test.somethingElse", "10");
        run(Samples.LifeCycleSample.class);
        assertThat(failures).isEmpty();
    }

    @Test
    void aTestIsAbortedIfAnAssumptionFailsInAllSchedules() {
        run(Samples.AssumptionSample.class);
        assertThat(failures).isEmpty();
        assertThat(aborted).singleElement().extracting(Throwable::getMessage).isEqualTo("Assumption failed: never");
        assertThat(Samples.AssumptionSample.runs).as("all schedules ran").isEqualTo(7);
    }

    @Test
    void aMethodThatPreparesOneInstanceForAllIsRefused() {
        run(Samples.PerClassSample.class);
        assertThat(failures.getFirst())
                .hasMessageContaining(
                        "@BeforeAll PerClassSample.prepare is not static: each schedule of a @HeddleTest has an"
                                + " instance of its own");
    }

    @Test
    void aFieldThatAnExtensionSetsIsNamed() {
        run(Samples.InjectedSample.class);
        assertThat(failure().getCause()).isInstanceOf(NullPointerException.class);
        assertThat(failure().getSuppressed())
                .singleElement()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("[InjectedSample.folder]")
                .contains("set them where they are declared, or in @BeforeEach");
    }

    @Test
    void theReportSaysHowManySchedulesThereAre() {
        run(Samples.FewSchedulesSample.class);
        assertThat(failures).isEmpty();
        assertThat(names).containsExactlyInAnyOrder("4 schedules", "1 schedule", "at most 9 schedules");
    }

    @Test
    void aFailureAfterATestThatFailedIsNotLost() {
        run(Samples.AfterEachSample.class);
        assertThat(failure().getCause()).hasMessage("first");
        assertThat(failure().getCause().getSuppressed())
                .extracting(Throwable::getMessage)
                .containsExactly("second");
    }
}
