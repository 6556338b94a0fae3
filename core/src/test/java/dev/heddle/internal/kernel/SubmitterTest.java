package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.jdk.Carrier;
import dev.heddle.internal.jdk.Jdk;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which queue takes what became runnable, and whether a machine is woken for it: then the idle processor waits for a
/// machine, because this kernel can make none.
class SubmitterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private record Entry(String name) implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("only queued");
        }
    }

    private final Kernel kernel = DrivenMachine.kernel(2);
    private final DrivenMachine driven = new DrivenMachine(kernel);
    private final Processor processor = driven.processor;

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    private void assertWoken() {
        assertThat(kernel.idle.pendingProcessors())
                .as("processors that need a machine")
                .isOne();
    }

    private void endSlice() {
        processor.endSlice(processor.schedTick);
    }

    private void putLocally(String name, boolean next) {
        processor.runQueue.put(new Entry(name), next, processor);
    }

    // ---- the end of a slice

    @Test
    void theHeirOfASliceThatIsOverWaitsAtTheEndAndAMachineIsWokenForIt() {
        putLocally("heir", /* next= */ true);
        kernel.submitter.endTimeSlice(driven.machine, processor);
        assertThat(processor.schedTick).isOne();
        assertThat(processor.runQueue.hasNext()).isFalse();
        assertThat(processor.yielded.size()).isOne();
        assertWoken();
    }

    /// A yield lets all others run, including the heir of the slice.
    @Test
    void aThreadThatYieldsAfterItsSliceComesBehindTheHeir() {
        putLocally("heir", /* next= */ true);
        endSlice();
        driven.yieldHere(new Entry("yields"));
        assertThat(driven.runNext()).isEqualTo(new Entry("heir"));
        assertThat(driven.runNext()).isEqualTo(new Entry("yields"));
    }

    /// Threads that yielded here were at the end of the global queue before the local ones.
    @Test
    void aThreadWhoseSliceIsOverSharesItsQueues() {
        driven.yieldHere(new Entry("yielded"));
        putLocally("local", /* next= */ false);
        endSlice();
        assertThat(kernel.submitter.start(driven.machine, new TestGoroutine(() -> {})))
                .as("should yield")
                .isTrue();
        assertThat(kernel.globalQueue.take()).isEqualTo(new Entry("yielded"));
        assertThat(kernel.globalQueue.take()).isEqualTo(new Entry("local"));
        assertThat(processor.sliceShared).isTrue();
        assertThat(processor.isYieldRequested()).as("a new slice").isFalse();
        assertWoken();
    }

    // ---- a full ring of yielded threads

    private void fillYielded() {
        for (int i = 0; i < Yielded.CAPACITY; i++) {
            driven.yieldHere(new Entry("y" + i));
        }
        assertThat(kernel.idle.pendingProcessors())
                .as("a yield wakes no machine")
                .isZero();
    }

    /// While they move, they are in neither queue: a machine that was about to sleep cannot see them.
    @Test
    void whatMovesOutOfAFullRingWakesAMachine() {
        fillYielded();
        driven.yieldHere(new Entry("one more"));
        assertThat(kernel.globalQueue.size()).isEqualTo(Yielded.CAPACITY);
        assertThat(processor.yielded.size()).isOne();
        assertWoken();
    }

    @Test
    void theHeirOfASliceFindsRoomInAFullRing() {
        fillYielded();
        putLocally("heir", /* next= */ true);
        kernel.submitter.endTimeSlice(driven.machine, processor);
        assertThat(kernel.globalQueue.size()).isEqualTo(Yielded.CAPACITY);
        assertThat(processor.yielded.size()).isOne();
    }

    /// Turns that a processor missed while no thread waited there are not made up for.
    @Test
    void aThreadThatYieldsTakesPartInTheLatestRound() {
        Kernel three = DrivenMachine.kernel(3);
        DrivenMachine first = new DrivenMachine(three);
        DrivenMachine second = new DrivenMachine(three);
        DrivenMachine third = new DrivenMachine(three);
        first.yieldHere(new Entry("first"));
        second.yieldHere(new Entry("second"));
        assertThat(first.runNext()).isNotNull(); // begins a round, because the second waits
        assertThat(first.processor.yielded.round()).isOne();
        third.yieldHere(new Entry("third"));
        assertThat(third.processor.yielded.round()).isOne();
        DrivenMachine.end(three);
    }

    // ---- what the JDK is told

    /// Otherwise a virtual thread that waits in a SynchronousQueue would spin while another one waits for its
    /// carrier.
    @Test
    void theJdkIsToldThatAnotherThreadWaitsForTheCarrier() throws Exception {
        Field shown = Carrier.class.getDeclaredField("showsQueuedWork");
        shown.setAccessible(true);
        List<Object> seen = new CopyOnWriteArrayList<>();
        try (Rig rig = Rig.procs(1)) {
            Thread parked = rig.start(LockSupport::park);
            await().atMost(PATIENCE).until(() -> parked.getState() == Thread.State.WAITING);
            rig.await(rig.goMany(1, () -> {
                Jdk.pin();
                Machine machine = Objects.requireNonNull(rig.kernel().entries.machineHere());
                machine.showQueuedWork(false);
                rig.go(() -> {});
                seen.add(shown.get(machine));
                machine.showQueuedWork(false);
                LockSupport.unpark(parked);
                seen.add(shown.get(machine));
                Jdk.unpin();
            }));
        }
        assertThat(seen).containsExactly(true, true);
    }

    // ---- callers without a processor

    /// The safety net takes any growth of this number for progress.
    @Test
    void anEntryFromOutsideIsCountedAndAMachineIsWokenForIt() {
        long before = kernel.counters.submissions();
        kernel.submitter.inject(new Entry("outside"), /* starts= */ false);
        assertThat(kernel.counters.submissions()).isEqualTo(before + 1);
        assertThat(kernel.globalQueue.size()).isOne();
        assertWoken();
    }

    @Test
    void aClosedSchedulerRefusesEveryStartAndCountsNone() {
        DrivenMachine _ = new DrivenMachine(kernel);
        kernel.close();
        long live = kernel.live();
        assertThatThrownBy(() -> kernel.submitter.start(null, new TestGoroutine(() -> {})))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> kernel.submitter.start(driven.machine, new TestGoroutine(() -> {})))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(kernel.live()).isEqualTo(live);
        assertThat(kernel.globalQueue.isEmpty()).isTrue();
    }
}
