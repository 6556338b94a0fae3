package dev.heddle.bench.jmh;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.StealRule;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// An owner puts two entries and takes one, while a thief takes the surplus: the cost of each for the other. Measures
/// the time of one such step of the owner, and the time of one steal attempt, including the thief's removal of the
/// stolen entries from its own queue.
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StealBenchmark {

    /// How many entries a thief takes at once.
    public enum Policy {
        GO(StealRule.GO),
        QUARTER_THRESHOLD(StealRule.QUARTER_THRESHOLD),
        ONE(StealRule.ONE);

        @SuppressWarnings("ImmutableEnumChecker") // policies are pure by contract
        private final StealRule policy;

        Policy(StealRule policy) {
            this.policy = policy;
        }
    }

    @Param
    private Policy policy = Policy.GO;

    private final LocalRunQueue victim = new LocalRunQueue();
    private final LocalRunQueue own = new LocalRunQueue();
    private final LocalRunQueue.Overflow overflow = new RunQueues.Spill();

    @Benchmark
    @Group("stealing")
    @GroupThreads(1)
    public @Nullable Runnable owner() {
        victim.put(RunQueues.ENTRY, /* next= */ false, overflow);
        victim.put(RunQueues.ENTRY, /* next= */ false, overflow);
        return victim.get();
    }

    @Benchmark
    @Group("stealing")
    @GroupThreads(1)
    public @Nullable Runnable thief() {
        Runnable first = own.stealFrom(victim, policy.policy, /* includeRunNext= */ false);
        for (Runnable next = own.get(); next != null; next = own.get()) {
            first = next;
        }
        return first;
    }
}
