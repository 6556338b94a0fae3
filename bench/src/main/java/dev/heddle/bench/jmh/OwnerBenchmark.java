package dev.heddle.bench.jmh;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.RunBatchQueue;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The owner puts an entry and takes it out again, with no other thread: the cost of a queue when nothing is stolen.
/// The other queues are the global queue, a queue that no thief could use, and a queue of the JDK that any thread could
/// use.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class OwnerBenchmark {

    private final LocalRunQueue local = new LocalRunQueue();
    private final LocalRunQueue.Overflow overflow = new RunQueues.Spill();
    private final RunBatchQueue global = new RunBatchQueue();
    private final ArrayDeque<Runnable> deque = new ArrayDeque<>(LocalRunQueue.CAPACITY);
    private final ConcurrentLinkedQueue<Runnable> concurrent = new ConcurrentLinkedQueue<>();

    @Benchmark
    public @Nullable Runnable ring() {
        local.put(RunQueues.ENTRY, /* next= */ false, overflow);
        return local.get();
    }

    @Benchmark
    public @Nullable Runnable runNext() {
        local.put(RunQueues.ENTRY, /* next= */ true, overflow);
        return local.get();
    }

    @Benchmark
    public @Nullable Runnable globalQueue() {
        if (global.needsChunk()) {
            global.recycle(new RunBatch());
        }
        global.putTail(RunQueues.ENTRY);
        return global.get();
    }

    @Benchmark
    public @Nullable Runnable arrayDeque() {
        deque.add(RunQueues.ENTRY);
        return deque.poll();
    }

    @Benchmark
    public @Nullable Runnable concurrentLinkedQueue() {
        concurrent.add(RunQueues.ENTRY);
        return concurrent.poll();
    }
}
