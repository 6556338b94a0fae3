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

/// An owner puts two entries and takes one, and a thief takes what piles up: what either pays for the other.
/// Time of one such step of the owner, and of one attempt of the thief with all that it then takes out of its
/// own queue.
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StealBenchmark {

    /// How much a thief takes at once.
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
