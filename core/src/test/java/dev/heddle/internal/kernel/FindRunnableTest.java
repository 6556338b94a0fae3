package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.procs.CpuLimits;
import dev.heddle.internal.procs.CpuSet;
import dev.heddle.internal.procs.NumaTopology;
import dev.heddle.internal.procs.Pinning;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.procs.Throttling;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What a search for work changes besides the queues: turns, slices, tokens, naps of others. One machine is driven by
/// the test; no other one exists, so that a processor for which one is wanted stays pending.
class FindRunnableTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel = DrivenMachine.kernel(2);
    private final DrivenMachine driven = new DrivenMachine(kernel);
    private final Processor processor = driven.processor;

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    private void putGlobally(int count) {
        kernel.lock.lock();
        try {
            for (int i = 0; i < count; i++) {
                assertThat(kernel.globalQueue.makeRoomLocked(new RunBatch())).isTrue();
                kernel.globalQueue.putLocked(new TestGoroutine(() -> {}));
            }
        } finally {
            kernel.lock.held = 0;
        }
    }

    private void putLocally(DrivenMachine owner, int count) {
        for (int i = 0; i < count; i++) {
            owner.processor.runQueue.put(new TestGoroutine(() -> {}), /* next= */ false, owner.processor);
        }
    }

    /// The whole search, on a thread of its own: one that finds nothing would sleep.
    private @Nullable Runnable find() throws InterruptedException {
        AtomicReference<Runnable> found = new AtomicReference<>();
        Thread carrier = Thread.ofPlatform().daemon().start(() -> found.set(driven.machine.search.find()));
        assertThat(carrier.join(PATIENCE)).as("found something").isTrue();
        return found.get();
    }

    // ---- the global queue

    /// A napper looks for work without the scheduler lock: it may have missed entries that moved.
    @Test
    void aShareOfTheGlobalQueueEndsANap() {
        DrivenMachine napper = new DrivenMachine(kernel).nap();
        putGlobally(8);
        processor.schedTick = 1; // not a tick at which one entry is taken
        assertThat(driven.machine.search.findLocally(processor)).isNotNull();
        assertThat(processor.runQueue.size()).isPositive();
        assertThat(napper.isNapOver()).isTrue();
    }

    @Test
    void aShareThatAShellTakesEndsANap() {
        DrivenMachine napper = new DrivenMachine(kernel).nap();
        putGlobally(8);
        processor.schedTick = 1;
        assertThat(driven.machine.search.nextFresh(processor)).isNotNull();
        assertThat(napper.isNapOver()).isTrue();
    }

    /// One entry at every 61st tick: it has a slice of its own, and is one of the turns that the global queue
    /// has before yielded threads.
    @Test
    void anEntryOfTheGlobalQueueIsATurnAndASlice() {
        putGlobally(2);
        processor.globalTurns = 5;
        assertThat(driven.machine.search.nextFresh(processor)).isNotNull();
        assertThat(processor.globalTurns).isEqualTo(4);
        assertThat(processor.schedTick).isOne();
        processor.schedTick = 0;
        assertThat(driven.machine.search.findLocally(processor)).isNotNull();
        assertThat(processor.globalTurns).isEqualTo(3);
    }

    /// Unlike the entry in runNext, which inherits the slice.
    @Test
    void theHeadOfTheQueueBeginsASlice() {
        putLocally(driven, 1);
        processor.schedTick = 1;
        assertThat(driven.machine.search.nextFresh(processor)).isNotNull();
        assertThat(processor.schedTick).isEqualTo(2);
        processor.runQueue.put(new TestGoroutine(() -> {}), /* next= */ true, processor);
        assertThat(driven.machine.search.nextFresh(processor)).isNotNull();
        assertThat(processor.schedTick).isEqualTo(2);
    }

    /// A chain of goroutines that each start the next would keep all others of this processor waiting.
    @Test
    void anEntryThatWouldInheritASliceThatIsOverComesLast() {
        Goroutine heir = new TestGoroutine(() -> {});
        processor.runQueue.put(heir, /* next= */ true, processor);
        putLocally(driven, 1);
        processor.schedTick = 1;
        processor.endSlice(1);
        assertThat(driven.runNext()).isNotNull().isNotSameAs(heir);
        assertThat(driven.runNext()).isSameAs(heir);
    }

    /// While yielded threads move from ring to ring, a machine that is about to sleep cannot see them.
    @Test
    void yieldedThreadsThatAreStolenForTheirTurnWakeAMachine() {
        Kernel three = DrivenMachine.kernel(3);
        DrivenMachine thief = new DrivenMachine(three);
        DrivenMachine victim = new DrivenMachine(three);
        Goroutine own = new TestGoroutine(() -> {});
        thief.processor.schedTick = 1;
        thief.yieldHere(own);
        for (int i = 0; i < 4; i++) {
            victim.yieldHere(new TestGoroutine(() -> {}));
        }
        assertThat(thief.runNext()).as("its turn in the next round").isSameAs(own);
        thief.yieldHere(own);
        assertThat(three.idle.pendingProcessors()).as("woken for yields").isZero();
        assertThat(thief.runNext()).as("the victim's threads are behind").isNotSameAs(own);
        assertThat(three.idle.pendingProcessors()).as("woken for the theft").isOne();
        DrivenMachine.end(three);
    }

    // ---- tokens

    /// Go: resetspinning.
    @Test
    void aSpinnerThatFoundWorkGivesItsTokenToASuccessor() throws InterruptedException {
        driven.spin();
        putLocally(driven, 1);
        assertThat(find()).isNotNull();
        assertThat(driven.machine.spinning).isFalse();
        assertThat(kernel.idle.pendingProcessors()).as("a machine is wanted").isOne();
        assertThat(kernel.spin.spinning()).as("the token of the successor").isOne();
    }

    @Test
    void aMachineThatStealsHasSpun() throws InterruptedException {
        putLocally(new DrivenMachine(kernel), 4);
        assertThat(find()).isNotNull();
        assertThat(processor.spins).isOne();
        assertThat(kernel.spin.spinning()).isZero();
    }

    // ---- a stop of the world

    /// The stopper waits for it: a machine in the kernel cannot be robbed of its processor.
    @Test
    void aMachineThatSearchesGivesItsProcessorToTheStopper() throws InterruptedException {
        putLocally(driven, 1);
        Thread stopper = Thread.ofPlatform().daemon().start(() -> kernel.setProcs(3));
        await("the world stops").atMost(PATIENCE).until(kernel::isStopping);
        assertThat(find()).isNull();
        assertThat(driven.machine.p).isNull();
        assertThat(stopper.join(PATIENCE)).as("the world goes on").isTrue();
        assertThat(kernel.procs()).isEqualTo(3);
    }

    // ---- CPUs

    @Test
    @EnabledOnOs(OS.LINUX)
    void aMachineMovesToTheCpuOfItsProcessor() throws Exception {
        CpuSet allowed = CpuSet.parse(allowedCpus());
        int last = allowed.toArray()[allowed.size() - 1];
        Kernel pinned = Kernel.start(new KernelOptions(
                "pinned",
                new ProcsWatcher(_ -> null, ProcsSettings.NONE, 1, System.nanoTime()),
                Pinning.of(
                        new ProcsSettings(0, "", CpuSet.of(last), false, true, true, null),
                        new CpuLimits(allowed.size(), allowed, null, null, Throttling.NONE, null),
                        NumaTopology.single()),
                /* maxMachines= */ 10,
                KernelOptions.DEFAULT_IDLE_NANOS,
                StealRule.GO,
                /* handler= */ null,
                /* warmUp= */ null));
        AtomicReference<String> cpus = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        pinned.spawn(new TestGoroutine(() -> {
            cpus.set(allowedCpus());
            ran.countDown();
        }));
        assertThat(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(cpus.get()).isEqualTo(Integer.toString(last));
        pinned.close();
    }

    private static String allowedCpus() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(it -> it.startsWith("Cpus_allowed_list:"))
                .map(it -> it.substring(it.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    // ---- what a stack overflow left behind

    @Test
    void entriesThatTheMachineKeptAreQueuedFirst() throws InterruptedException {
        DrivenMachine _ = new DrivenMachine(kernel); // no processor is idle
        Goroutine kept = new TestGoroutine(() -> {});
        driven.machine.rescue.entries = new Object[] {kept, null};
        assertThat(find()).isSameAs(kept);
        assertThat(driven.machine.rescue.entries).isNull();
    }
}
