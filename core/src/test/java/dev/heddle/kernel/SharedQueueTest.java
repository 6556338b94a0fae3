package dev.heddle.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.procs.ProcsSettings;
import dev.heddle.procs.ProcsWatcher;
import dev.heddle.procs.SystemFiles;
import dev.heddle.queue.LocalRunQueue;
import dev.heddle.queue.StealPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The order of those in the global queue and those who yielded, as one processor sees it.
class SharedQueueTest {

    private record Entry(String name) implements Runnable {
        @Override
        public void run() {
            throw new AssertionError("only queued");
        }
    }

    private final Kernel kernel = new Kernel(new KernelOptions(
            "queues",
            ProcsWatcher.ofThisProcess(SystemFiles.real(), ProcsSettings.ofThisProcess()),
            null,
            KernelOptions.DEFAULT_MAX_MACHINES,
            KernelOptions.DEFAULT_IDLE_NANOS,
            StealPolicy.GO,
            null));
    private final Processor processor = new Processor(0, kernel);
    private final SharedQueue shared = new SharedQueue(new KernelLock());

    @AfterEach
    void close() {
        kernel.close();
    }

    private void global(int from, int to) {
        LocalRunQueue source = new LocalRunQueue();
        for (int i = from; i < to; i++) {
            source.put(new Entry("g" + i), false, processor);
            shared.takeOver(source);
        }
    }

    private void yields(int from, int to, int procs) {
        for (int i = from; i < to; i++) {
            if (processor.yielded.isEmpty()) {
                processor.globalTurns = shared.share(procs);
            }
            processor.yielded.put(new Entry("y" + i), false, processor);
        }
    }

    /// What one look brings, in the order in which it would run.
    private List<String> look(int procs) {
        List<String> names = new ArrayList<>();
        for (Runnable entry = shared.takeBatch(processor, procs); entry != null; entry = processor.runQueue.get()) {
            names.add(((Entry) entry).name());
        }
        return names;
    }

    @Test
    void thoseWhoYieldedComeAfterThoseInTheGlobalQueue() {
        global(0, 3);
        yields(0, 2, 1);
        assertThat(look(1)).containsExactly("g0", "g1", "g2", "y0", "y1");
    }

    @Test
    void aShareOfTheGlobalQueueIsEnough() {
        global(0, 10);
        yields(0, 2, 2);
        assertThat(look(2)).containsExactly("g0", "g1", "g2", "g3", "g4", "y0", "y1");
        assertThat(look(2)).containsExactly("g5", "g6", "g7");
    }

    @Test
    void aLargeGlobalQueueTakesSeveralLooks() {
        global(0, 300);
        yields(0, 1, 1);
        assertThat(look(1)).hasSize(128).startsWith("g0").endsWith("g127");
        assertThat(look(1)).hasSize(128).startsWith("g128").endsWith("g255");
        assertThat(look(1)).hasSize(45).startsWith("g256").endsWith("g299", "y0");
    }

    /// However much comes to the global queue meanwhile.
    @Test
    void thoseWhoYieldedHaveTheirTurn() {
        global(0, 256);
        yields(0, 200, 1);
        List<String> seen = new ArrayList<>();
        for (int next = 256; seen.stream().filter(it -> it.startsWith("y")).count() < 200; next += 128) {
            assertThat(next).as("all of them were passed over").isLessThan(256 + 10 * 128);
            seen.addAll(look(1));
            global(next, next + 128);
        }
        assertThat(seen).doesNotHaveDuplicates();
    }

    @Test
    void withoutAGlobalQueueNothingIsMoved() {
        yields(0, 2, 1);
        assertThat(look(1)).isEmpty();
        assertThat(processor.yielded.size()).isEqualTo(2);
    }
}
