package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.broken.RacyQueue;
import dev.heddle.internal.queue.broken.ShadowRunQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/// Go's TestSchedLocalQueueEmpty: the owner displaces an entry from `runNext` into the ring and then takes the new
/// `runNext`. The queue is never empty, so an observer must never find it empty.
public class PutVsEmpty {
    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE, desc = "never empty")
    @State
    public static class Correct {
        final RacyQueue queue = new RacyQueue.Real(Races.CAPACITY);

        {
            Races.putNext(queue, 1);
        }

        @Actor
        public void owner() {
            Races.putNext(queue, 2);
            Races.get(queue);
        }

        @Actor
        public void observer(Z_Result r) {
            r.r1 = queue.isEmpty();
        }
    }

    /// Must fail: the check misses the entry that moves from `runNext` to the ring.
    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE, desc = "never empty")
    @State
    public static class EmptyWithoutSecondLook {
        final RacyQueue queue = new ShadowRunQueue.EmptyWithoutSecondLook(Races.CAPACITY);

        {
            Races.putNext(queue, 1);
        }

        @Actor
        public void owner() {
            Races.putNext(queue, 2);
            Races.get(queue);
        }

        @Actor
        public void observer(Z_Result r) {
            r.r1 = queue.isEmpty();
        }
    }
}
