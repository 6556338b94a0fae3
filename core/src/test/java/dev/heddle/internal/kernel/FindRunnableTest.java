package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.queue.RunBatch;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a search for work changes besides the queues: turns, slices, tokens, naps of others. One machine is driven by
/// the test; no other one exists, so that a processor for which one is wanted stays pending.
class FindRunnableTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel = DrivenMachine.kernelWithoutThreads(2);
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

    /// One entry at every 61st tick: it has a slice of its own, and is one of the turns that the global queue has
    /// before
    /// yielded threads.
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
