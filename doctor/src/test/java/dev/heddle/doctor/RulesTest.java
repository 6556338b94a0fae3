package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.blockedMachine;
import static dev.heddle.doctor.Seen.goroutine;
import static dev.heddle.doctor.Seen.locked;
import static dev.heddle.doctor.Seen.machine;
import static dev.heddle.doctor.Seen.running;
import static dev.heddle.doctor.Seen.waiting;
import static dev.heddle.doctor.Seen.wantsLock;
import static org.assertj.core.api.Assertions.assertThat;

import app.Fixtures;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.MachineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Each cause on a made-up observation that shows it, and on the nearest one that a healthy program shows.
final class RulesTest {

    private static final String WORK = "app.Worker.run(Worker.java:7)";

    @Test
    void everyCauseHasOneRule() {
        assertThat(Rule.ALL.stream().map(Rule::cause)).containsExactlyInAnyOrder(Cause.values());
    }

    @Test
    void nothingIsSaidOfAHealthyScheduler() {
        assertThat(causes(_ -> {})).isEmpty();
    }

    @Test
    void twoGoroutinesThatHoldEachOthersLocksAreADeadlock() {
        assertThat(causes(it -> it.goroutines =
                        _ -> List.of(wantsLock(1, "Lock@a", 2, List.of()), wantsLock(2, "Lock@b", 1, List.of()))))
                .containsExactly(Cause.DEADLOCK);
    }

    @Test
    void monitorsMakeADeadlockAsWell() {
        assertThat(causes(it -> it.goroutines = _ -> List.of(
                        wantsLock(1, "Object@a", 0, List.of("Object@b")),
                        wantsLock(2, "Object@b", 0, List.of("Object@a")))))
                .containsExactly(Cause.DEADLOCK);
    }

    @Test
    void aQueueForOneLockIsNoDeadlock() {
        assertThat(causes(it -> it.goroutines = _ -> List.of(
                        wantsLock(1, "Lock@a", 3, List.of()), wantsLock(2, "Lock@a", 3, List.of()), running(3, WORK))))
                .isEmpty();
    }

    @Test
    void aCircleThatComesApartIsNoDeadlock() {
        assertThat(causes(it -> it.goroutines = dump -> dump == Seen.DUMPS - 1
                        ? List.of(wantsLock(1, "Lock@a", 2, List.of()), wantsLock(2, "Lock@b", 1, List.of()))
                        : List.of(wantsLock(1, "Lock@a", 2, List.of()), running(2, WORK))))
                .isEmpty();
    }

    @Test
    void aThreadInObjectWaitHasReleasedTheMonitor() {
        GoroutineStats waits = goroutine(
                1, GoroutineState.WAITING, "sync.Cond.Wait", false, -1, "Object@a", 0, List.of("Object@a"), WORK);
        assertThat(causes(it ->
                        it.goroutines = _ -> List.of(waits, wantsLock(2, "Object@a", 0, List.of()), running(3, WORK))))
                .isEmpty();
    }

    @Test
    void aWaitGroupThatNoGoroutineCanFinishHasLostTasks() {
        assertThat(causes(it -> {
                    it.switchesPerSecond = 0;
                    it.timers = 0;
                    it.goroutines = _ -> List.of(waiting(1, "sync.WaitGroup.Wait", "app.Main.run(Main.java:3)"));
                }))
                .containsExactly(Cause.LOST_TASKS);
    }

    @Test
    void workersThatWaitForMoreHaveLostNothing() {
        assertThat(causes(it -> {
                    it.switchesPerSecond = 0;
                    it.timers = 0;
                    it.goroutines = _ -> List.of(
                            waiting(1, "sync.WaitGroup.Wait", "app.Main.run(Main.java:3)"),
                            waiting(2, "chan receive", WORK));
                }))
                .isEmpty();
    }

    @Test
    void aPlainRingInTwoHandsIsARace() throws IOException {
        Finding finding = only(ringUsers(Fixtures.PlainRing.class));

        assertThat(finding.cause()).isEqualTo(Cause.RACY_QUEUE);
        assertThat(finding.evidence().getFirst()).contains("PlainRing").contains("head and tail");
    }

    @Test
    void atomicAndLockedRingsAndHistogramsAreNone() throws IOException {
        assertThat(Doctor.examine(
                        ringUsers(Fixtures.AtomicRing.class, Fixtures.LockedRing.class, Fixtures.Histogram.class)))
                .isEmpty();
    }

    @Test
    void aPlainRingInOneHandIsFine() throws IOException {
        Seen seen = new Seen().with(Fixtures.RingUser.class, Fixtures.PlainRing.class);
        seen.goroutines = _ -> List.of(running(1, RING_USER), waiting(2, "chan receive", RING_USER));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    private static final String RING_USER = "app.Fixtures$RingUser.run(Fixtures.java:1)";

    private static Observation ringUsers(Class<?>... rings) throws IOException {
        Seen seen = new Seen().with(Fixtures.RingUser.class).with(rings);
        seen.goroutines = _ -> List.of(running(1, RING_USER), running(2, RING_USER));
        return seen.observation();
    }

    @Test
    void goroutinesThatOnlyComeAndNeverGoOnAreLeaked() {
        Finding finding = only(seen(it -> it.goroutines = dump -> waitingSenders(1, 10 + 5 * dump)));

        assertThat(finding.cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
        assertThat(finding.stack()).isNotEmpty();
    }

    /// The first looks do not get to all of them, and seem to miss some later.
    @Test
    void leaksAreSeenOnceAllGoroutinesAreKnown() {
        assertThat(causes(it -> {
                    it.goroutines = dump -> dump < 2 ? waitingSenders(50, 60) : waitingSenders(1, 10 + 5 * dump);
                    it.complete = dump -> dump >= 2;
                }))
                .containsExactly(Cause.LEAKED_GOROUTINES);
        assertThat(causes(it -> {
                    it.goroutines = dump -> waitingSenders(1, 10 + 5 * dump);
                    it.complete = dump -> dump != 5;
                }))
                .isEmpty();
    }

    @Test
    void goroutinesThatComeAndGoAreNotLeaked() {
        assertThat(causes(it -> it.goroutines = dump -> waitingSenders(1 + dump, 10 + 6 * dump)))
                .isEmpty();
    }

    @Test
    void aPoolThatIsFilledIsNoLeak() {
        assertThat(causes(it -> it.goroutines = dump -> waitingSenders(1, Math.min(5 + dump * 5, 40))))
                .isEmpty();
    }

    private static List<GoroutineStats> waitingSenders(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(id ->
                        waiting(id, "chan send", "dev.heddle.Chan.send(Chan.java:1)", "app.Query.first(Query.java:20)"))
                .toList();
    }

    @Test
    void aNumberOfGoroutinesThatGrowsAllTheTimeIsUnbounded() {
        assertThat(causes(it -> it.livePerSecond = 1_000)).containsExactly(Cause.UNBOUNDED_SPAWN);
    }

    @Test
    void manyGoroutinesAreFineIfTheirNumberStays() {
        assertThat(causes(it -> {
                    it.liveAtStart = 1_000_000;
                    it.livePerSecond = 1_000;
                }))
                .isEmpty();
    }

    @Test
    void aTreeOfForksComesDownByItself() {
        assertThat(causes(it -> {
                    it.livePerSecond = 10_000;
                    it.goroutines = _ ->
                            List.of(waiting(1, "sync.WaitGroup.Wait", WORK), waiting(2, "sync.WaitGroup.Wait", WORK));
                }))
                .isEmpty();
    }

    @Test
    void aServiceThatStartsIsNotUnbounded() {
        assertThat(causes(it -> it.livePerSecond = 100)).isEmpty();
    }

    @Test
    void lockedWorkersOfWhichOneHasAllTheWorkAreNamed() {
        assertThat(causes(it -> it.goroutines = _ -> List.of(
                        locked(running(1, "app.Worker.process(Worker.java:20)", WORK)),
                        locked(waiting(2, "chan receive", WORK)))))
                .containsExactly(Cause.LOCKED_WORKERS);
    }

    @Test
    void lockedGoroutinesThatDoDifferentThingsAreFine() {
        assertThat(causes(it -> it.goroutines = _ -> List.of(
                        locked(running(1, "app.Renderer.run(Renderer.java:20)")),
                        locked(waiting(2, "chan receive", "app.Audio.run(Audio.java:4)")))))
                .isEmpty();
    }

    @Test
    void workersThatAreNotLockedMayBeIdle() {
        assertThat(causes(it -> it.goroutines = _ -> List.of(running(1, WORK), waiting(2, "chan receive", WORK))))
                .isEmpty();
    }

    @Test
    void millionsOfPollsInVainAreASpin() throws IOException {
        String spinner = "app.Fixtures$Asker.run(Fixtures.java:95)";
        Seen seen = new Seen().with(Fixtures.Asker.class);
        seen.vainPollsPerSecond = 2_000_000;
        seen.goroutines = _ -> List.of(running(1, WORK), running(2, spinner));

        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.SELECT_SPIN);
        assertThat(finding.stack()).containsExactly(spinner);
    }

    @Test
    void pollingNowAndThenIsFine() {
        assertThat(causes(it -> it.vainPollsPerSecond = 10_000)).isEmpty();
    }

    @Test
    void aLoopThatAsksAndNeverWaitsIsBusy() throws IOException {
        Finding finding = only(alwaysIn(Fixtures.Spinner.class));

        assertThat(finding.cause()).isEqualTo(Cause.BUSY_LOOP);
        assertThat(finding.evidence().get(1)).contains("Queue.poll");
    }

    @Test
    void loopsThatWaitOrComputeAreNotBusyAndOneThatYieldsHasARuleOfItsOwn() throws IOException {
        assertThat(Doctor.examine(alwaysIn(Fixtures.Patient.class))).isEmpty();
        assertThat(only(alwaysIn(Fixtures.Yielder.class)).cause()).isEqualTo(Cause.YIELD_POLLING);
        assertThat(Doctor.examine(alwaysIn(Fixtures.Computer.class))).isEmpty();
    }

    @Test
    void aTaskOfTheLoopIsNotTheLoop() throws IOException {
        Seen seen = new Seen().with(Fixtures.Spinner.class, Fixtures.Computer.class);
        seen.goroutines = _ -> List.of(
                running(1, "app.Fixtures$Computer.run(Fixtures.java)", "app.Fixtures$Spinner.run(Fixtures.java)"));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    private static Observation alwaysIn(Class<?> fixture) throws IOException {
        Seen seen = new Seen().with(fixture);
        seen.goroutines = _ -> List.of(running(1, fixture.getName() + ".run(Fixtures.java)"));
        return seen.observation();
    }

    @Test
    void aMachineThatComputesWithoutAProcessorIsAHog() {
        Finding finding = only(seen(it -> {
            it.machines = _ -> List.of(machine(3, -1, 7, /* hog= */ true));
            it.goroutines = _ -> List.of(running(7, WORK));
        }));

        assertThat(finding.cause()).isEqualTo(Cause.CPU_HOG);
        assertThat(finding.goroutine()).isEqualTo(7);
        assertThat(finding.stack()).containsExactly(WORK);
    }

    /// A call on a file and a loop that polls have rules of their own, and do not compute.
    @Test
    void aHogInACallOnAFileOrInAPollingLoopDoesNotCompute() throws IOException {
        String force = "sun.nio.ch.UnixFileDispatcherImpl.force0(Native Method)";

        assertThat(Doctor.examine(hogAt(force, WORK))).isEmpty();
        assertThat(Doctor.examine(hogAt("app.Fixtures$Yielder.run(Fixtures.java)")))
                .extracting(Finding::cause)
                .containsExactly(Cause.YIELD_POLLING);
    }

    private static Observation hogAt(String... stack) throws IOException {
        Seen seen = new Seen().with(Fixtures.Yielder.class);
        seen.machines = _ -> List.of(machine(3, -1, 7, /* hog= */ true));
        seen.goroutines = _ -> List.of(running(7, stack));
        return seen.observation();
    }

    @Test
    void hogsThatComeAndGoAreNamedByTheirHandOffs() {
        assertThat(causes(it -> it.hogHandOffsPerSecond = 10)).containsExactly(Cause.CPU_HOG);
    }

    /// Another process uses the CPUs: a thread that is asked to yield does not even run.
    @Test
    void handOffsOnABusyMachineAreNoProof() {
        assertThat(causes(it -> {
                    it.hogHandOffsPerSecond = 10;
                    it.cpusUsed = 0.5;
                }))
                .isEmpty();
    }

    @Test
    void oneBurstIsNoHog() {
        assertThat(causes(it -> {
                    it.hogHandOffsPerSecond = 1;
                    it.machines = sample -> sample < 4 ? List.of(machine(3, -1, 7, /* hog= */ true)) : List.of();
                }))
                .isEmpty();
    }

    @Test
    void manyThreadsInBlockingCallsAreNamed() {
        assertThat(causes(it -> it.machines = _ -> blockedMachines(40))).containsExactly(Cause.BLOCKING_CALLS);
    }

    /// They have just come back from a blocking call, for instance.
    @Test
    void threadsThatRunWithoutAProcessorAreNotBlocked() {
        assertThat(causes(it -> it.machines = _ -> IntStream.range(0, 40)
                        .mapToObj(id -> machine(id, -1, 100 + id, /* hog= */ false))
                        .toList()))
                .isEmpty();
    }

    @Test
    void aSmallPoolOfBlockingCallsIsFine() {
        assertThat(causes(it -> it.machines = _ -> blockedMachines(8))).isEmpty();
    }

    private static List<MachineStats> blockedMachines(int number) {
        List<MachineStats> machines = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            machines.add(blockedMachine(i, 100 + i));
        }
        return machines;
    }

    @Test
    void collectionsThatTakeAThirdOfTheTimeArePressure() {
        assertThat(causes(it -> it.gcMillisPerSecond = 333)).containsExactly(Cause.GC_PRESSURE);
        assertThat(causes(it -> it.gcMillisPerSecond = 100)).isEmpty();
        assertThat(causes(it -> {
                    it.gcMillisPerSecond = 333; // by System.gc()
                    it.heapMax = 4L << 30;
                }))
                .isEmpty();
    }

    @Test
    void processorsOfTheHostInASmallContainerAreTooMany() {
        assertThat(causes(it -> {
                    it.procs = 64;
                    it.cpus = 64;
                    it.quota = 2;
                    it.idleProcs = 50;
                }))
                .containsExactly(Cause.PROCS_ABOVE_CPUS);
    }

    @Test
    void tooManyProcessorsThatAreIdleDoNoHarm() {
        assertThat(causes(it -> {
                    it.procs = 64;
                    it.idleProcs = 63;
                }))
                .isEmpty();
    }

    @Test
    void aQuotaThatStopsTheProcessIsNamed() {
        assertThat(causes(it -> {
                    it.quota = 4;
                    it.periods = 30;
                    it.throttledPeriods = 15;
                }))
                .containsExactly(Cause.THROTTLED);
        assertThat(causes(it -> {
                    it.quota = 4;
                    it.periods = 30;
                    it.throttledPeriods = 1;
                }))
                .isEmpty();
    }

    @Test
    void oneProcessorOfFourWithAQueueIsTooFew() {
        assertThat(causes(it -> {
                    it.procs = 1;
                    it.idleProcs = 0;
                    it.runnable = 15;
                }))
                .containsExactly(Cause.PROCS_BELOW_CPUS);
    }

    @Test
    void oneProcessorIsEnoughForAnIdleProgram() {
        assertThat(causes(it -> {
                    it.procs = 1;
                    it.idleProcs = 1;
                }))
                .isEmpty();
    }

    /// The default for a quota of half a CPU is 2 (F71), of 3 CPUs 3: neither is below what it could be.
    @Test
    void theDefaultIsNeverTooFew() {
        for (double quota : new double[] {0.5, 3}) {
            assertThat(causes(it -> {
                        it.cpus = 64;
                        it.quota = quota;
                        it.procs = (int) Math.max(2, quota);
                        it.idleProcs = 0;
                        it.runnable = 5;
                    }))
                    .doesNotContain(Cause.PROCS_BELOW_CPUS);
        }
    }

    @Test
    void stealingEveryThirdGoroutineIsAStorm() {
        assertThat(causes(it -> {
                    it.stealsPerSecond = 200_000;
                    it.switchesPerSecond = 500_000;
                }))
                .containsExactly(Cause.STEAL_STORM);
        assertThat(causes(it -> {
                    it.stealsPerSecond = 200_000;
                    it.switchesPerSecond = 5_000_000;
                }))
                .isEmpty();
    }

    @Test
    void theCauseIsNamedAndNotItsConsequences() {
        assertThat(causes(it -> {
                    it.livePerSecond = 1_000;
                    it.gcMillisPerSecond = 500;
                }))
                .containsExactly(Cause.UNBOUNDED_SPAWN);
    }

    @Test
    void theReportShowsEvidenceStackAndRemedy() {
        List<Finding> findings = Doctor.examine(seen(it -> {
            it.machines = _ -> List.of(machine(3, -1, 7, /* hog= */ true));
            it.goroutines = _ -> List.of(running(7, WORK));
        }));

        assertThat(Report.text(findings))
                .contains("  cpu-hog: a loop computes for long without giving way", "             at " + WORK)
                .anyMatch(it -> it.contains("Go.gosched()"));
        assertThat(Report.json(List.of(new Diagnosis("batch", 3, findings))))
                .startsWith("[{\"scheduler\":\"batch\",\"seconds\":3.0,\"findings\":[{\"cause\":\"cpu-hog\"")
                .contains("\"goroutine\":7");
    }

    private static List<Cause> causes(Consumer<Seen> change) {
        return Doctor.examine(seen(change)).stream().map(Finding::cause).toList();
    }

    private static Observation seen(Consumer<Seen> change) {
        Seen seen = new Seen();
        change.accept(seen);
        return seen.observation();
    }

    private static Finding only(Observation seen) {
        List<Finding> findings = Doctor.examine(seen);
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }
}
