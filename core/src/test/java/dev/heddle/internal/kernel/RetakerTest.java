package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.internal.queue.RunBatch;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What the system monitor finds at one sample, and what it does about it. The test drives the machine and the
/// clock, and takes the place of the monitor, which never starts. The evidence is real: the operating system
/// answers for a thread that the test lets sleep or compute.
@EnabledOnOs(OS.LINUX)
class RetakerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long MILLI = 1_000_000;

    /// When the first sample is taken: long after the kernel was made, so that "never seen before" looks old.
    private static final long FIRST = TimeUnit.HOURS.toNanos(1);

    private final List<ObservedThread> threads = new ArrayList<>();
    private Kernel kernel = DrivenMachine.kernel(1);
    private Retaker retaker = new Retaker(kernel);

    /// What the monitor reports; the test reads it.
    private final EventFeed feed = new EventFeed(Thread.currentThread());

    @BeforeEach
    void eventsAreWanted() {
        kernel.setEventFeed(feed);
    }

    @AfterEach
    void end() {
        threads.forEach(ObservedThread::end);
        PreemptionPoint.request(false);
        DrivenMachine.end(kernel);
    }

    // ---- declared blocking

    /// The interval may have begun a microsecond before the first sample.
    @Test
    void aDeclaredBlockIsBelievedAtTheSecondSample() throws InterruptedException {
        DrivenMachine driven = inUserCode();
        assertThat(driven.machine.enterBlocking()).isTrue();
        assertThat(sample(FIRST)).isEqualTo(Retaker.Result.QUIET);
        assertThat(driven.processor.machine).isSameAs(driven.machine);
        assertThat(sample(FIRST + 1)).isEqualTo(Retaker.Result.TOOK);
        assertThat(driven.processor.status).as("handed off").isEqualTo(Processor.Status.PENDING);
        assertThat(kernel.counters.blockedHandOffs.get()).isOne();
        assertReported(EventFeed.Kind.DECLARED, driven);
    }

    @Test
    void aDeclaredBlockKeepsItsProcessorWhileAnotherIsIdleAndNoWorkWaits() throws InterruptedException {
        use(DrivenMachine.kernel(2));
        DrivenMachine driven = inUserCode();
        assertThat(driven.machine.enterBlocking()).isTrue();
        sample(FIRST);
        assertThat(sample(FIRST + 1)).isEqualTo(Retaker.Result.QUIET);
        queueWork();
        assertThat(sample(FIRST + 2)).isEqualTo(Retaker.Result.TOOK);
    }

    /// The processor is taken from the very word that was judged.
    @Test
    void aVerdictOnABlockIsVoidIfTheMachineHasEnteredTheKernel() {
        DrivenMachine driven = inUserCode();
        long judged = driven.machine.word();
        driven.machine.enterKernel();
        assertThat(retaker.takeBlocked(driven.processor, driven.machine, judged))
                .isFalse();
        assertThat(retaker.takeAsleep(driven.processor, driven.machine, judged, FIRST))
                .isFalse();
        assertThat(driven.processor.machine).isSameAs(driven.machine);
        assertThat(kernel.counters.blockedHandOffs.get()).isZero();
        assertThat(kernel.counters.undeclaredHandOffs.get()).isZero();
    }

    // ---- undeclared blocking

    @Test
    void aSleepIsBelievedAtItsSecondSample() throws InterruptedException {
        DrivenMachine driven = inUserCode();
        asleep(driven);
        assertThat(sample(FIRST)).isEqualTo(Retaker.Result.QUIET);
        assertThat(sample(FIRST + 3 * MILLI / 2)).isEqualTo(Retaker.Result.MAY_BE_ASLEEP);
        assertThat(driven.processor.machine).isSameAs(driven.machine);
        assertThat(sample(FIRST + 2 * MILLI)).isEqualTo(Retaker.Result.TOOK);
        assertThat(driven.processor.status).as("handed off").isEqualTo(Processor.Status.PENDING);
        assertThat(kernel.counters.undeclaredHandOffs.get()).isOne();
        assertReported(EventFeed.Kind.UNDECLARED, driven);
    }

    /// The thread ran between the samples. Less than 2.5 ms pass, so that nothing else reads its CPU time.
    @Test
    void twoShortSleepsAreNotOneLongSleep() throws InterruptedException {
        DrivenMachine driven = inUserCode();
        ObservedThread thread = asleep(driven);
        assertThat(sample(FIRST)).isEqualTo(Retaker.Result.QUIET);
        assertThat(sample(FIRST + 3 * MILLI / 2)).isEqualTo(Retaker.Result.MAY_BE_ASLEEP);
        thread.compute();
        thread.sleep();
        assertThat(sample(FIRST + 2 * MILLI)).isEqualTo(Retaker.Result.MAY_BE_ASLEEP);
    }

    /// Threads are often blocked one after the other.
    @Test
    void afterABlockedThreadSparesAreKept() throws InterruptedException {
        use(DrivenMachine.kernel(2));
        kernel.starter.start();
        DrivenMachine driven = inUserCode();
        DrivenMachine _ = new DrivenMachine(kernel); // no processor is idle, so this one is needed
        asleep(driven);
        sample(FIRST);
        sample(FIRST + 3 * MILLI / 2);
        assertThat(sample(FIRST + 2 * MILLI)).isEqualTo(Retaker.Result.TOOK);
        await("one for the processor, and a spare").atMost(PATIENCE).until(() -> kernel.machineCounts.machines() >= 2);
    }

    // ---- time slices. A machine that naps is judged by its slice only

    @Test
    void aSliceEndsWhenItsThreadHasUsedIt() throws InterruptedException {
        DrivenMachine driven = napping();
        ObservedThread thread = computing(driven);
        sample(FIRST);
        sample(FIRST + 3 * MILLI);
        thread.use(10 * MILLI);
        sample(FIRST + 4 * MILLI);
        assertThat(driven.processor.isYieldRequested()).isTrue();
        assertThat(kernel.counters.preemptions.get()).isOne();
        assertThat(driven.processor.preemptions).isOne();
    }

    /// A goroutine that does little but start others is in the kernel nearly always. Its slice ends all the same.
    @Test
    void aSliceEndsInTheKernel() throws InterruptedException {
        DrivenMachine driven = new DrivenMachine(kernel);
        ObservedThread thread = computing(driven);
        sample(FIRST);
        sample(FIRST + 3 * MILLI);
        thread.use(10 * MILLI);
        assertThat(sample(FIRST + 4 * MILLI)).isEqualTo(Retaker.Result.QUIET);
        assertThat(Word.state(driven.machine.word())).isEqualTo(Word.KERNEL);
        assertThat(driven.processor.isYieldRequested()).isTrue();
    }

    /// The operating system may run other threads for as long as it likes.
    @Test
    void aSliceThatItsThreadHasNotUsedGoesOn() throws InterruptedException {
        DrivenMachine driven = napping();
        asleep(driven);
        sample(FIRST);
        sample(FIRST + 3 * MILLI);
        sample(FIRST + 500 * MILLI);
        assertThat(driven.processor.isYieldRequested()).isFalse();
    }

    @Test
    void aNewSliceIsMeasuredFromItsOwnBegin() throws InterruptedException {
        DrivenMachine driven = napping();
        ObservedThread thread = computing(driven);
        sample(FIRST);
        sample(FIRST + 3 * MILLI);
        thread.use(10 * MILLI);
        driven.processor.beginSlice();
        sample(FIRST + 4 * MILLI);
        sample(FIRST + 7 * MILLI);
        assertThat(kernel.counters.preemptions.get()).isZero();
    }

    // ---- hogs

    @Test
    void aThreadThatComputesWhileWorkWaitsLosesItsProcessor() throws InterruptedException {
        DrivenMachine driven = suspect();
        assertThat(sample(FIRST + 4 * MILLI)).isEqualTo(Retaker.Result.COMPUTES);
        assertThat(driven.processor.status).as("handed off").isEqualTo(Processor.Status.PENDING);
        assertThat(kernel.counters.hogHandOffs.get()).isOne();
        assertThat(driven.machine.isFreeHog).as("told apart from owners").isTrue();
        assertThat(driven.processor.isYieldRequested())
                .as("the request was for the hog")
                .isFalse();
        assertThat(driven.processor.sample.turnsSinceHandOff())
                .as("the hand-off will be judged")
                .isZero();
        assertReported(EventFeed.Kind.HOG, driven);
    }

    /// The machine enters the kernel while it is judged.
    @Test
    void aVerdictOnAHogIsVoidIfTheMachineHasEnteredTheKernel() throws InterruptedException {
        kernel.setPreemptionPoints(machine -> {
            machine.reportNoPoints(); // so that the judgement goes on
            machine.enterKernel();
        });
        DrivenMachine driven = suspect();
        sample(FIRST + 4 * MILLI);
        assertThat(Word.state(driven.machine.word())).isEqualTo(Word.KERNEL);
        assertThat(driven.processor.machine).isSameAs(driven.machine);
        assertThat(driven.machine.isFreeHog).isFalse();
        assertThat(kernel.counters.hogHandOffs.get()).isZero();
    }

    /// It keeps making others runnable, and begins a slice each time. The other processor runs what it shares.
    @Test
    void aThreadThatSharesItsQueueKeepsItsProcessorWhileAnotherSwitches() throws InterruptedException {
        use(DrivenMachine.kernel(2));
        DrivenMachine other = napping();
        DrivenMachine driven = suspect();
        driven.processor.beginSlice();
        other.processor.sample.seeSwitches(1, 0, FIRST + 3 * MILLI);
        assertThat(sample(FIRST + 10 * MILLI)).isEqualTo(Retaker.Result.QUIET);
        assertThat(sample(FIRST + 50 * MILLI)).as("it switches no more").isEqualTo(Retaker.Result.COMPUTES);
        assertThat(kernel.counters.hogHandOffs.get()).isOne();
    }

    @Test
    void aThreadThatSwitchesIsNoHog() throws InterruptedException {
        DrivenMachine driven = suspect();
        driven.processor.countSwitch();
        assertThat(sample(FIRST + 4 * MILLI)).isEqualTo(Retaker.Result.QUIET);
        assertThat(kernel.counters.hogHandOffs.get()).isZero();
    }

    /// A thread that passes scheduling points has half a slice of CPU time to honour a request. What it used before
    /// the request does not count: the operating system may suspend it before it sees the request.
    @Test
    void theTimeToHonourARequestBeginsWithTheRequest() throws InterruptedException {
        DrivenMachine driven = inUserCode();
        ObservedThread thread = computing(driven);
        sample(FIRST);
        sample(FIRST + 3 * MILLI);
        thread.use(20 * MILLI);
        sample(FIRST + 4 * MILLI);
        assertThat(driven.processor.isYieldRequested()).isTrue();
        assertThat(driven.processor.sample.cpuAtSliceEnd)
                .as("CPU time of the turn at the request")
                .isGreaterThanOrEqualTo(Verdict.SLICE_NANOS);
    }

    @Test
    void afterAHogSparesAreKept() throws InterruptedException {
        use(DrivenMachine.kernel(2));
        kernel.starter.start();
        DrivenMachine driven = suspect();
        kernel.counters.externalStarts.incrementAndGet(); // what waits will run
        DrivenMachine _ = new DrivenMachine(kernel); // no processor is idle, so this one is needed
        sample(FIRST + 4 * MILLI);
        await("one for the processor, and a spare").atMost(PATIENCE).until(() -> kernel.machineCounts.machines() >= 2);
        assertThat(driven.machine.isFreeHog).isTrue();
    }

    /// Its code may have preemption points: these are told first, and the thread gets time to reach one.
    @Test
    void preemptionPointsAreAskedBeforeAProcessorIsTaken() throws InterruptedException {
        List<Machine> asked = new ArrayList<>();
        kernel.setPreemptionPoints(asked::add);
        DrivenMachine driven = suspect();
        assertThat(sample(FIRST + 4 * MILLI)).isEqualTo(Retaker.Result.COMPUTES);
        assertThat(asked).containsExactly(driven.machine);
        assertThat(PreemptionPoint.isRequested()).isTrue();
        assertThat(driven.processor.machine).isSameAs(driven.machine);
        assertThat(sample(FIRST + 5 * MILLI)).isEqualTo(Retaker.Result.COMPUTES);
        assertThat(asked).as("asked once").hasSize(1);
        driven.machine.reportNoPoints();
        sample(FIRST + 6 * MILLI);
        assertThat(kernel.counters.hogHandOffs.get()).isOne();
    }

    /// The demoter needs a tenth of a second.
    @Test
    void theDemoterBeginsAtTheFirstSuspicion() throws InterruptedException {
        DrivenMachine driven = suspect();
        kernel.setPreemptionPoints(_ -> {}); // so that it keeps its processor
        assertThat(retaker.demoter().getState()).isEqualTo(Thread.State.NEW);
        sample(FIRST + 4 * MILLI);
        assertThat(driven.processor.machine).isSameAs(driven.machine);
        assertThat(retaker.demoter().getState()).isNotEqualTo(Thread.State.NEW);
    }

    @Test
    void theOldestHogMakesRoomForTheNext() throws Exception {
        retaker.demoter().prepare();
        await("linked").atMost(PATIENCE).until(() -> retaker.demoter().ability() != Demoter.Ability.LOADING);
        assumeTrue(retaker.demoter().ability() == Demoter.Ability.READY, "threads cannot be demoted here");
        Machine older = freeHog();
        DrivenMachine driven = suspect();
        assertThat(sample(FIRST + 4 * MILLI)).isEqualTo(Retaker.Result.COMPUTES);
        assertThat(older.isDemoted).isTrue();
        assertThat(driven.processor.machine).as("not yet").isSameAs(driven.machine);
        sample(FIRST + 5 * MILLI);
        assertThat(kernel.counters.hogHandOffs.get()).isOne();
    }

    @Test
    void hogsAreCountedAtEachSample() throws Exception {
        Machine hog = freeHog();
        sample(FIRST);
        assertThat(kernel.counters.freeHogs).isOne();
        mount(hog, null);
        sample(FIRST + MILLI);
        assertThat(kernel.counters.freeHogs).isZero();
    }

    /// Its processor was taken because it blocked. Since then it has computed.
    @Test
    void aThreadThatComputesWithoutAProcessorIsAHog() throws Exception {
        List<Machine> asked = new ArrayList<>();
        kernel.setPreemptionPoints(asked::add);
        Machine machine = new Machine(kernel, 100, "detached");
        ObservedThread thread = observe(machine);
        mount(machine, () -> {});
        kernel.allMachines.add(machine);
        thread.compute();
        sample(FIRST);
        thread.use(DetachedMachines.HOG_NANOS);
        sample(FIRST + 100 * MILLI);
        assertThat(machine.isFreeHog).isTrue();
        assertThat(kernel.counters.detachedHogs.get()).isOne();
        assertThat(asked).as("to yield at its preemption points").containsExactly(machine);
        assertReported(EventFeed.Kind.DETACHED_HOG, -1, machine);
    }

    // ---- what a hand-off led to

    @Test
    void aHandOffAfterWhichAProcessorIsIdleHasHelped() throws InterruptedException {
        ProcessorSample sample = kernel.processors().all()[0].sample;
        sample.seeSwitches(1, 0, FIRST);
        sample.seeHandOff();
        sample(FIRST);
        assertThat(sample.turnsSinceHandOff()).as("judged").isNegative();
    }

    @Test
    void aHandOffAfterWhichAHogFollowsIsJudged() throws InterruptedException {
        kernel.setPreemptionPoints(_ -> {}); // so that it keeps its processor
        DrivenMachine driven = suspect();
        ProcessorSample sample = driven.processor.sample;
        sample.seeHandOff();
        sample.switches++; // the turn of the hog is the first since
        driven.processor.countSwitch();
        assertThat(sample.turnsSinceHandOff()).isOne();
        sample(FIRST + 4 * MILLI);
        assertThat(sample.turnsSinceHandOff()).as("judged").isNegative();
    }

    // ---- preparation

    @Test
    void anIdleSchedulerPrepares() throws InterruptedException {
        kernel.starter.start();
        retaker.prepare();
        assertThat(retaker.demoter().getState()).isNotEqualTo(Thread.State.NEW);
        await("a spare machine").atMost(PATIENCE).until(() -> kernel.machineCounts.machines() == 1);
    }

    // ---- the scene

    private void use(Kernel other) {
        DrivenMachine.end(kernel);
        kernel = other;
        retaker = new Retaker(kernel);
    }

    private void assertReported(EventFeed.Kind kind, DrivenMachine driven) {
        assertReported(kind, driven.processor.id, driven.machine);
    }

    private void assertReported(EventFeed.Kind kind, int processor, Machine machine) {
        EventFeed.Event event = feed.poll();
        assertThat(event).isNotNull();
        assertThat(event.kind()).isEqualTo(kind);
        assertThat(event.processor()).isEqualTo(processor);
        assertThat(event.machine()).isSameAs(machine);
        assertThat(event.nanos()).isPositive();
        assertThat(feed.poll()).as("reported once").isNull();
    }

    private DrivenMachine inUserCode() {
        DrivenMachine driven = new DrivenMachine(kernel);
        driven.machine.exitKernel();
        return driven;
    }

    private DrivenMachine napping() {
        DrivenMachine driven = new DrivenMachine(kernel);
        driven.machine.enterNap();
        return driven;
    }

    /// A thread that was asked to yield, but has computed for 10 ms since; meanwhile work waits. The last of
    /// two samples was at 3 ms.
    private DrivenMachine suspect() throws InterruptedException {
        DrivenMachine driven = inUserCode();
        ObservedThread thread = computing(driven);
        queueWork();
        driven.processor.endSlice(driven.processor.schedTick);
        assertThat(sample(FIRST)).isEqualTo(Retaker.Result.QUIET);
        assertThat(sample(FIRST + 3 * MILLI)).isIn(Retaker.Result.COMPUTES, Retaker.Result.QUIET);
        thread.use(10 * MILLI);
        return driven;
    }

    private void queueWork() {
        kernel.lock.lock();
        assertThat(kernel.globalQueue.makeRoomLocked(new RunBatch())).isTrue();
        kernel.globalQueue.putLocked(new TestGoroutine(() -> {}));
        kernel.lock.held = 0;
    }

    /// A machine that computes without a processor, and was found to be a hog. Its thread uses no CPU time now.
    private Machine freeHog() throws Exception {
        Machine machine = new Machine(kernel, 100, "free-hog");
        observe(machine).sleep();
        mount(machine, () -> {});
        kernel.allMachines.add(machine);
        boolean _ = machine.sample.isSameTurn(machine.word(), machine.mounts());
        machine.sample.isHog = true;
        return machine;
    }

    private static void mount(Machine machine, Runnable task) throws ReflectiveOperationException {
        Field current = Machine.class.getDeclaredField("current");
        current.setAccessible(true);
        current.set(machine, task);
    }

    private ObservedThread observe(Machine machine) {
        ObservedThread thread = new ObservedThread(machine);
        threads.add(thread);
        return thread;
    }

    private ObservedThread asleep(DrivenMachine driven) {
        ObservedThread thread = observe(driven.machine);
        thread.sleep();
        return thread;
    }

    private ObservedThread computing(DrivenMachine driven) {
        ObservedThread thread = observe(driven.machine);
        thread.compute();
        return thread;
    }

    /// One sample, on a thread of its own: a judgement that asks the same question for ever fails the test.
    private Retaker.Result sample(long now) throws InterruptedException {
        AtomicReference<Retaker.Result> result = new AtomicReference<>();
        Thread monitor = Thread.ofPlatform().daemon().start(() -> result.set(retaker.sample(now, false)));
        assertThat(monitor.join(PATIENCE)).as("judged").isTrue();
        return result.get();
    }
}
