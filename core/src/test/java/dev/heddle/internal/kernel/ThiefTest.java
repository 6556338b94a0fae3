package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a thief takes, from whom and when, on machines that the test drives step by step.
class ThiefTest {

    private static final int PROCS = 4;

    private final Kernel kernel = DrivenMachine.kernel(PROCS);
    private final List<DrivenMachine> machines = new ArrayList<>();
    private final DrivenMachine own;
    private final DrivenMachine victim;
    private final Thief thief;

    ThiefTest() {
        for (int i = 0; i < PROCS; i++) {
            machines.add(new DrivenMachine(kernel));
        }
        own = machines.getFirst();
        victim = machines.getLast();
        thief = new Thief(own.machine, kernel, new DueTimers(own.machine, kernel));
    }

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    private record Entry(int number) implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("only queued");
        }
    }

    private void queue(DrivenMachine machine, int count) {
        for (int i = 0; i < count; i++) {
            machine.processor.runQueue.put(new Entry(i), /* next= */ false, machine.processor);
        }
    }

    private static Entry putRunNext(DrivenMachine machine) {
        Entry entry = new Entry(1_000);
        machine.processor.runQueue.put(entry, /* next= */ true, machine.processor);
        return entry;
    }

    private static void letTimePass() {
        long since = System.nanoTime();
        while (System.nanoTime() - since < TimeUnit.MICROSECONDS.toNanos(20)) {
            Thread.onSpinWait();
        }
    }

    /// The older half, rounded up; one entry runs and the others are in the thief's queue.
    @ParameterizedTest
    @CsvSource({"1,0", "2,0", "3,1", "8,3", "255,127", "256,127"})
    void takesTheOlderHalf(int queued, int kept) {
        queue(victim, queued);
        assertThat(thief.steal(own.processor)).isEqualTo(new Entry(kept));
        assertThat(own.processor.runQueue.size()).isEqualTo(kept);
        assertThat(victim.processor.runQueue.size()).isEqualTo(queued - kept - 1);
        assertThat(own.processor.steals).isOne();
        assertThat(own.processor.stolen).isEqualTo(kept + 1);
        assertThat(victim.processor.stolenFrom()).isOne();
    }

    @Test
    void findsAnyVictim() {
        Set<Integer> robbed = new HashSet<>();
        for (DrivenMachine other : machines.subList(1, PROCS)) {
            queue(other, 1);
            assertThat(thief.steal(own.processor)).isNotNull();
            robbed.add(other.processor.id);
        }
        assertThat(robbed).hasSize(PROCS - 1);
        assertThat(thief.steal(own.processor)).isNull();
    }

    @Test
    void doesNotAlwaysBeginWithTheSameVictim() {
        Set<Processor> first = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            machines.stream().skip(1).forEach(it -> queue(it, 1));
            long[] before =
                    machines.stream().mapToLong(it -> it.processor.stolenFrom()).toArray();
            assertThat(thief.steal(own.processor)).isNotNull();
            for (DrivenMachine other : machines) {
                if (other.processor.stolenFrom() != before[machines.indexOf(other)]) {
                    first.add(other.processor);
                }
                while (other.processor.runQueue.get() != null) {
                    continue;
                }
            }
        }
        assertThat(first).hasSize(PROCS - 1);
    }

    /// The owner of a runNext is about to run it.
    @Test
    void leavesARunNextAloneWhileItsOwnerSwitches() {
        putRunNext(victim);
        for (int i = 0; i < 10; i++) {
            assertThat(thief.steal(own.processor)).isNull();
            assertThat(thief.mayWorkAppear(own.processor))
                    .as("a nap is worth while")
                    .isTrue();
            victim.processor.switches++;
            letTimePass();
        }
    }

    @Test
    void takesTheRunNextOfAnOwnerThatHasNotSwitched() {
        Entry entry = putRunNext(victim);
        assertThat(thief.steal(own.processor))
                .as("the first search only notes the count")
                .isNull();
        letTimePass();
        assertThat(thief.steal(own.processor)).isSameAs(entry);
    }

    /// Entries in the queue come first: the runNext stays with its owner.
    @Test
    void prefersTheQueueToTheRunNext() {
        queue(victim, 1);
        Entry next = putRunNext(victim);
        letTimePass();
        assertThat(thief.steal(own.processor)).isEqualTo(new Entry(0));
        assertThat(victim.processor.runQueue.peekNext()).isSameAs(next);
    }

    @Test
    void takesTheRunNextOfABlockedOwnerAtOnce() {
        Entry entry = putRunNext(victim);
        victim.machine.exitKernel();
        assertThat(victim.machine.enterBlocking()).isTrue();
        assertThat(thief.steal(own.processor)).isSameAs(entry);
    }

    @Test
    void takesAThreadThatYieldedIfTheQueueIsEmpty() {
        Entry yielded = new Entry(7);
        victim.yieldHere(yielded);
        assertThat(thief.steal(own.processor)).isSameAs(yielded);
    }

    @Test
    void runsDueTimersOfItsVictims() {
        AtomicInteger fired = new AtomicInteger();
        victim.processor.timers.push(new KernelTimer(kernel, kernel.now() - 1, () -> {
            fired.incrementAndGet();
            queue(own, 1);
        }));
        assertThat(thief.steal(own.processor)).isEqualTo(new Entry(0));
        assertThat(fired).hasValue(1);
    }

    @Test
    void anIdleProcessorHasNothingButTimers() {
        queue(victim, 1);
        victim.processor.status = Processor.Status.IDLE;
        assertThat(thief.steal(own.processor)).isNull();
        victim.processor.status = Processor.Status.RUNNING;
        assertThat(thief.steal(own.processor)).isNotNull();
    }

    @Test
    void noWorkMayAppearWhileNoProcessorSwitches() {
        assertThat(thief.steal(own.processor)).isNull();
        boolean _ = thief.mayWorkAppear(own.processor); // notes the counts
        assertThat(thief.mayWorkAppear(own.processor)).isFalse();
        victim.processor.switches++;
        assertThat(thief.mayWorkAppear(own.processor)).isTrue();
        own.processor.switches++;
        assertThat(thief.mayWorkAppear(own.processor))
                .as("its own switches do not count")
                .isFalse();
    }
}
