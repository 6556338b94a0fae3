package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.broken.RacyQueue;
import dev.heddle.internal.queue.broken.ShadowRunQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The owner puts a new entry into an empty queue while a thief tries to steal: the thief gets nothing, or the complete
/// entry.
public class StealVsPut {
    @JCStressTest
    @Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "the thief came first")
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "stolen")
    @State
    public static class Correct {
        final RacyQueue queue = new RacyQueue.Real(Races.CAPACITY);
        final RacyQueue thief = new RacyQueue.Real(Races.CAPACITY);

        @Actor
        public void owner() {
            Races.put(queue, 7);
        }

        @Actor
        public void thief(II_Result r) {
            r.r1 = Races.stealSoon(thief, queue);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = Races.rest(thief, queue);
        }
    }

    /// Must fail: the thief finds the tail advanced and the slot empty.
    @JCStressTest
    @Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "the thief came first")
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "stolen")
    @State
    public static class MissingRelease {
        final RacyQueue queue = new ShadowRunQueue.MissingRelease(Races.CAPACITY);
        final RacyQueue thief = new ShadowRunQueue.MissingRelease(Races.CAPACITY);

        @Actor
        public void owner() {
            Races.put(queue, 7);
        }

        @Actor
        public void thief(II_Result r) {
            r.r1 = Races.stealSoon(thief, queue);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = Races.rest(thief, queue);
        }
    }
}
