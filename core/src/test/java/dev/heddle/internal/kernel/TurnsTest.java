package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Turns of threads that yield, on machines that the test drives step by step: at any speeds, and stopped anywhere.
class TurnsTest {

    private static final int STEPS = 20_000;

    private Kernel kernel = DrivenMachine.kernel(1);
    private final List<DrivenMachine> machines = new ArrayList<>();
    private final List<Yielder> yielders = new ArrayList<>();

    /// A thread that does nothing but yield.
    private static final class Yielder implements Runnable {
        final int number;
        long turns;

        /// The turns of all yielders at the time when this one began to wait.
        long[] turnsAtYield = {};

        Yielder(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            throw new AssertionError("only queued");
        }

        @Override
        public String toString() {
            return "y" + number;
        }
    }

    private void begin(int procs) {
        DrivenMachine.end(kernel);
        kernel = DrivenMachine.kernel(procs);
        for (int i = 0; i < procs; i++) {
            machines.add(new DrivenMachine(kernel));
        }
    }

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    /// So many threads yield on the machine's processor; one of them is mounted.
    private void yieldOn(DrivenMachine machine, int count) {
        for (int i = 0; i < count; i++) {
            Yielder yielder = new Yielder(yielders.size());
            yielders.add(yielder);
            machine.yieldHere(yielder);
        }
        machine.runNext();
    }

    private long[] turns() {
        return yielders.stream().mapToLong(it -> it.turns).toArray();
    }

    /// The mounted thread yields, and one thread has a turn.
    private Yielder step(DrivenMachine machine) {
        if (machine.current instanceof Yielder yielding) {
            yielding.turnsAtYield = turns();
        }
        machine.yieldAndRun();
        Yielder running = (Yielder) machine.current;
        assertThat(running).as("something to run").isNotNull();
        running.turns++;
        return running;
    }

    /// One machine is fast, another slow, and now and then one is stopped for long with a thread mounted.
    @ParameterizedTest
    @CsvSource({"1,2", "1,50", "2,2", "2,3", "2,10", "2,60", "3,4", "3,30", "8,9", "8,60"})
    void whileAThreadWaitsEveryOtherHasAtMostTwoTurns(int procs, int threads) {
        long seed = Long.getLong("heddle.seed", System.nanoTime());
        Random random = new Random(seed);
        begin(procs);
        int crowd = threads - (procs - 1);
        yieldOn(machines.getFirst(), crowd); // and one on each of the others
        machines.stream().skip(1).forEach(it -> yieldOn(it, 1));
        int[] speeds = new int[procs];
        for (int i = 0; i < STEPS; i++) {
            if (i % 500 == 0) {
                for (int p = 0; p < procs; p++) {
                    speeds[p] = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(20);
                }
                speeds[random.nextInt(procs)] = 20;
            }
            Yielder running = step(machines.get(pick(random, speeds)));
            long[] before = running.turnsAtYield;
            for (Yielder other : yielders) {
                if (other != running && before.length > 0) {
                    assertThat(other.turns - before[other.number])
                            .as("turns of %s while %s waited, at step %d, -Dheddle.seed=%d", other, running, i, seed)
                            .isLessThanOrEqualTo(2);
                }
            }
        }
    }

    private static int pick(Random random, int[] weights) {
        int at = random.nextInt(IntStream.of(weights).sum());
        int index = 0;
        while (at >= weights[index]) {
            at -= weights[index++];
        }
        return index;
    }

    /// As many turns for the thread that had a processor for itself as for the others.
    @ParameterizedTest
    @CsvSource({"2,3", "2,20", "2,1000", "3,4", "4,100"})
    void onEquallyFastProcessorsAllHaveTheSameNumberOfTurns(int procs, int threads) {
        begin(procs);
        yieldOn(machines.getFirst(), threads - (procs - 1));
        machines.stream().skip(1).forEach(it -> yieldOn(it, 1));
        for (int i = 0; i < 40 * threads; i++) {
            machines.forEach(this::step);
        }
        long least = yielders.stream().mapToLong(it -> it.turns).min().orElseThrow();
        long most = yielders.stream().mapToLong(it -> it.turns).max().orElseThrow();
        assertThat(most).as("turns: %s", Arrays.toString(turns())).isLessThanOrEqualTo(least + least / 5);
    }

    /// The slice of a thread ends inside `Go.go`: the goroutine that it starts does not overtake waiting
    /// threads. With several processors the thread has moved its queue to the global one by then, in a new
    /// slice.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theHeirOfASliceComesAfterWaitingThreads(int procs) {
        begin(procs);
        DrivenMachine machine = machines.getFirst();
        yieldOn(machine, 3);
        Yielder parent = yielders.getFirst();
        assertThat(machine.current).isSameAs(parent);
        Goroutine child = new TestGoroutine(() -> {});
        machine.processor.endSlice(machine.processor.schedTick);
        machine.machine.kernel.submitter.start(machine.machine, child);
        machine.yieldHere(parent);

        List<Runnable> order = new ArrayList<>();
        for (Runnable next = machine.runNext(); next != null; next = machine.runNext()) {
            order.add(next);
        }
        assertThat(order).hasSize(4).containsSubsequence(yielders.get(1), child, parent);
        assertThat(machine.processor.isSliceOver()).isFalse();
    }

    /// The operating system stops a machine: the others have its threads, all but the one that is mounted.
    @Test
    void theThreadsOfAStoppedMachineHaveTheirTurns() {
        begin(2);
        yieldOn(machines.getFirst(), 100);
        yieldOn(machines.getLast(), 1);
        for (int i = 0; i < 500; i++) {
            step(machines.getLast());
        }
        assertThat(yielders)
                .filteredOn(it -> it != machines.getFirst().current)
                .allSatisfy(it -> assertThat(it.turns).isBetween(4L, 6L));
    }
}
