package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The pure parts of the monitor's judgement.
class MonitorEvidenceTest {

    private static final long MILLI = 1_000_000;

    // ---- SleepEvidence

    @Test
    void oneSleepIsProvedByTwoSamplesHoweverLate() {
        SleepEvidence evidence = new SleepEvidence();
        assertThat(evidence.asleep(7, 100, 0)).isOne();
        assertThat(evidence.asleep(7, 100, 0)).isEqualTo(2);
    }

    @Test
    void twoDifferentShortWaitsAreNotOneSleep() {
        SleepEvidence evidence = new SleepEvidence();
        assertThat(evidence.asleep(7, 100, 0)).isOne();
        assertThat(evidence.asleep(8, 100, 0)).isOne();
        assertThat(evidence.asleep(8, 101, 0)).isOne();
    }

    @Test
    void aSleepIsMeasuredFromItsOwnFirstSample() {
        SleepEvidence evidence = new SleepEvidence();
        assertThat(evidence.asleep(7, 100, MILLI)).isOne();
        assertThat(evidence.asleep(7, 100, 2 * MILLI)).isEqualTo(2);
        assertThat(evidence.since()).isEqualTo(MILLI);
        assertThat(evidence.asleep(8, 100, 3 * MILLI)).isOne();
        assertThat(evidence.since()).isEqualTo(3 * MILLI);
    }

    @Test
    void aThreadSeenAwakeBeginsAnew() {
        SleepEvidence evidence = new SleepEvidence();
        assertThat(evidence.asleep(7, 100, 0)).isOne();
        assertThat(evidence.awake()).isZero();
        assertThat(evidence.asleep(7, 100, 0)).isOne();
    }

    @Test
    void whereOnlyCpuTimeIsKnownASliceWithoutAnyIsSleep() {
        SleepEvidence evidence = new SleepEvidence();
        assertThat(evidence.unknown(100, 0, 10 * MILLI, false)).isZero();
        assertThat(evidence.unknown(100, 9 * MILLI, 10 * MILLI, false)).isZero();
        assertThat(evidence.unknown(100, 10 * MILLI, 10 * MILLI, false)).isEqualTo(2);
    }

    @Test
    void aThreadThatGainsCpuTimeIsAwake() {
        SleepEvidence evidence = new SleepEvidence();
        for (int i = 0; i < 100; i++) {
            assertThat(evidence.unknown(i, 10 * i * MILLI, 10 * MILLI, false)).isZero();
        }
    }

    @Test
    void aMonitorThatWasStarvedItselfTakesNoThreadForAsleep() {
        SleepEvidence evidence = new SleepEvidence();
        assertThat(evidence.unknown(100, 0, 10 * MILLI, false)).isZero();
        assertThat(evidence.unknown(100, 50 * MILLI, 10 * MILLI, true)).isZero();
        assertThat(evidence.unknown(100, 55 * MILLI, 10 * MILLI, false)).isZero();
        assertThat(evidence.unknown(100, 60 * MILLI, 10 * MILLI, false)).isEqualTo(2);
    }

    // ---- Oversleep

    @Test
    void aLateSleepIsUnusualWhereOthersAreOnTime() {
        Oversleep oversleep = new Oversleep();
        for (int i = 0; i < 10; i++) {
            assertThat(oversleep.isUnusual(20_000, 80_000)).isFalse();
        }
        assertThat(oversleep.isUnusual(20_000, 50 * MILLI)).isTrue();
        assertThat(oversleep.isUnusual(20_000, 80_000)).isFalse();
    }

    /// Timers of 16 ms, as on Windows: the monitor would never trust its evidence.
    @Test
    void coarseTimersAreNotOversleeping() {
        Oversleep oversleep = new Oversleep();
        for (int i = 0; i < 1_000; i++) {
            assertThat(oversleep.isUnusual(20_000, 15_600_000)).isFalse();
        }
        assertThat(oversleep.isUnusual(20_000, 200 * MILLI)).isTrue();
    }

    @Test
    void aMachineThatBecomesFullIsUsualAfterAWhile() {
        Oversleep oversleep = new Oversleep();
        assertThat(oversleep.isUnusual(MILLI, 1_060_000)).isFalse();
        int unusual = 0;
        for (int i = 0; i < 200; i++) {
            unusual += oversleep.isUnusual(MILLI, 20 * MILLI) ? 1 : 0;
        }
        assertThat(unusual).isBetween(1, 60);
    }

    // ---- ProcessorSample

    @Test
    void withoutCpuTimeATurnOfTwoSlicesIsAHog() {
        ProcessorSample sample = new ProcessorSample();
        sample.seeSwitches(1, 0, 0);
        assertThat(sample.seeCpu(-1, MILLI)).isFalse();
        assertThat(sample.seeCpu(-1, 19 * MILLI)).isTrue();
        assertThat(sample.cpuUsed).isLessThan(Verdict.SLICE_NANOS * 3 / 4);
        assertThat(sample.seeCpu(-1, 20 * MILLI)).isTrue();
        assertThat(sample.cpuUsed).isGreaterThanOrEqualTo(Verdict.SLICE_NANOS * 3 / 4);
    }

    @Test
    void aTurnIsChargedItsOwnCpuTimeOnly() {
        ProcessorSample sample = new ProcessorSample();
        sample.seeSwitches(1, 0, 0);
        sample.seeCpu(500, 1);
        sample.seeCpu(800, 2);
        assertThat(sample.cpuUsed).isEqualTo(300);
        sample.seeSwitches(2, 0, 3);
        assertThat(sample.switchesSince).isEqualTo(3);
        assertThat(sample.cpuUsed).isZero();
        assertThat(sample.seeCpu(900, 4)).isFalse();
        assertThat(sample.cpuUsed).isZero();
    }

    // ---- Patience

    @Test
    void patienceGrowsWhileTakingProcessorsDoesNotHelp() {
        Patience patience = new Patience(10 * MILLI);
        assertThat(patience.nanos(false)).isEqualTo(10 * MILLI);
        for (int i = 0; i < 7; i++) {
            patience.didNotHelp(2);
            assertThat(patience.nanos(false)).isEqualTo(10 * MILLI);
        }
        patience.didNotHelp(2);
        assertThat(patience.nanos(false)).isEqualTo(20 * MILLI);
        for (int i = 0; i < 100; i++) {
            patience.didNotHelp(2);
        }
        assertThat(patience.nanos(false)).isEqualTo(40 * MILLI);
        patience.helped();
        assertThat(patience.nanos(false)).isEqualTo(10 * MILLI);
    }

    @Test
    void inACrowdOfHogsAQuarterOfASliceIsEnoughWhileThatHelps() {
        Patience patience = new Patience(10 * MILLI);
        assertThat(patience.nanos(true)).isEqualTo(2_500_000);
        for (int i = 0; i < 4; i++) {
            patience.didNotHelp(1);
        }
        assertThat(patience.nanos(true)).isEqualTo(20 * MILLI);
        patience.helped();
        assertThat(patience.nanos(true)).isEqualTo(2_500_000);
    }

    /// One ticker among hogs on several processors: each round one of the hand-offs helps, but which one of the
    /// next round is a matter of chance, and the ticker may sleep through a round or two.
    @Test
    void oneUsefulHandOffInThreeRoundsIsEnough() {
        Patience patience = new Patience(10 * MILLI);
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 3 * 4; i++) {
                patience.didNotHelp(4);
            }
            patience.helped();
            assertThat(patience.nanos(false)).isEqualTo(10 * MILLI);
        }
    }

    // ---- Demoter

    @Test
    void manyHogsTogetherWeighAboutAsMuchAsFew() {
        assertThat(Demoter.niceness(1)).isEqualTo(10);
        assertThat(Demoter.niceness(8)).isEqualTo(10);
        assertThat(Demoter.niceness(9)).isEqualTo(15);
        assertThat(Demoter.niceness(28)).isEqualTo(15);
        assertThat(Demoter.niceness(29)).isEqualTo(19);
    }
}
