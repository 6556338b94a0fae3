package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.queue.LocalRunQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// In which order one processor takes the entries of the global queue and the threads that have yielded.
class GlobalRunQueueTest {

    private record Entry(String name) implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("only queued");
        }
    }

    private Kernel kernel = DrivenMachine.kernel(1);
    private DrivenMachine machine = new DrivenMachine(kernel);

    private void beginWithTwoProcessors() {
        DrivenMachine.end(kernel);
        kernel = DrivenMachine.kernel(2);
        machine = new DrivenMachine(kernel);
        DrivenMachine _ = new DrivenMachine(kernel); // nobody else is there to take anything
    }

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    private void global(int from, int to) {
        LocalRunQueue source = new LocalRunQueue();
        for (int i = from; i < to; i++) {
            source.put(new Entry("g" + i), false, machine.processor);
            kernel.globalQueue.takeOver(source);
        }
    }

    private void yields(int from, int to) {
        for (int i = from; i < to; i++) {
            machine.yieldHere(new Entry("y" + i));
        }
    }

    private void local(String name) {
        machine.processor.runQueue.put(new Entry(name), false, machine.processor);
    }

    private String runOne() {
        Runnable entry = machine.runNext();
        return entry == null ? "nothing" : ((Entry) entry).name();
    }

    /// What runs, if whatever runs ends at once.
    private List<String> runAll() {
        return Stream.generate(this::runOne)
                .takeWhile(it -> !it.equals("nothing"))
                .toList();
    }

    private static List<String> names(String prefix, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
    }

    @Test
    void yieldedThreadsComeAfterTheGlobalQueue() {
        global(0, 3);
        yields(0, 2);
        assertThat(runAll()).containsExactly("g0", "g1", "g2", "y0", "y1");
    }

    @Test
    void aShareOfTheGlobalQueueIsEnough() {
        beginWithTwoProcessors();
        global(0, 10);
        yields(0, 2);
        assertThat(runAll()).containsExactly("g0", "g1", "g2", "g3", "g4", "y0", "y1", "g5", "g6", "g7", "g8", "g9");
    }

    @Test
    void aLargeGlobalQueueTakesSeveralLooks() {
        global(0, 300);
        yields(0, 1);
        List<String> expected = new ArrayList<>(names("g", 0, 300));
        expected.add("y0");
        assertThat(runAll()).containsExactlyInAnyOrderElementsOf(expected).endsWith("y0");
    }

    /// Entries that a full local queue spilled, or that the end of a slice moved, come behind threads that
    /// yielded before.
    @Test
    void yieldedThreadsComeBeforeEntriesThatTheProcessorAddsLater() {
        yields(0, 3);
        machine.runNext();
        machine.yieldHere(new Entry("y3"));
        kernel.globalQueue.takeOver(machine.processor.yielded);
        global(0, 2);
        assertThat(runAll()).containsExactly("y1", "y2", "y3", "g0", "g1");
    }

    /// However much comes to the global queue meanwhile.
    @Test
    void yieldedThreadsHaveTheirTurn() {
        global(0, 256);
        yields(0, 200);
        List<String> seen = new ArrayList<>();
        for (int next = 256; seen.stream().filter(it -> it.startsWith("y")).count() < 200; next++) {
            assertThat(next).as("all of them were passed over").isLessThan(256 + 10 * 128);
            seen.add(runOne());
            global(next, next + 1);
        }
        assertThat(seen).doesNotHaveDuplicates();
    }

    /// Those who yield again and again do not keep the global queue waiting.
    @Test
    void entriesOfTheGlobalQueueHaveTheirTurn() {
        yields(0, 3);
        machine.runNext();
        global(0, 20);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            if (machine.current instanceof Entry(String name) && name.startsWith("y")) {
                machine.yieldHere(machine.current);
            }
            seen.add(runOne());
        }
        assertThat(seen).containsAll(names("g", 0, 20)).containsAll(names("y", 0, 3));
    }

    /// While the local queue never becomes empty, every 61st turn goes to the global queue or to a yielded
    /// thread.
    @Test
    void aLocalQueueWithoutEndKeepsNeitherWaiting() {
        global(0, 20);
        yields(0, 10);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 61 * 40; i++) {
            local("l");
            global(20 + i, 21 + i);
            seen.add(runOne());
        }
        List<String> expected = new ArrayList<>(names("g", 0, 21)); // the first look finds 21
        expected.addAll(names("y", 0, 10));
        assertThat(seen).filteredOn(it -> !it.equals("l")).startsWith(expected.toArray(String[]::new));
    }
}
