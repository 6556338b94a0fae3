package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.broken.RacyQueue;
import dev.heddle.internal.queue.broken.ShadowRunQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The owner takes one of three entries while a thief takes half.
public class StealVsGet {
    @JCStressTest
    @Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "the owner came first: the thief gets half of two")
    @Outcome(id = "3, 2, 1", expect = ACCEPTABLE, desc = "the thief came first: it takes 1 and 2")
    @State
    public static class Correct {
        final RacyQueue queue = Races.filled(new RacyQueue.Real(Races.CAPACITY), 3);
        final RacyQueue thief = new RacyQueue.Real(Races.CAPACITY);

        @Actor
        public void owner(III_Result r) {
            r.r1 = Races.get(queue);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = Races.steal(thief, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief, queue);
        }
    }

    /// Must fail: both take the same entries.
    @JCStressTest
    @Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "the owner came first: the thief gets half of two")
    @Outcome(id = "3, 2, 1", expect = ACCEPTABLE, desc = "the thief came first: it takes 1 and 2")
    @State
    public static class HeadWithoutCas {
        final RacyQueue queue = Races.filled(new ShadowRunQueue.HeadWithoutCas(Races.CAPACITY), 3);
        final RacyQueue thief = new ShadowRunQueue.HeadWithoutCas(Races.CAPACITY);

        @Actor
        public void owner(III_Result r) {
            r.r1 = Races.get(queue);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = Races.steal(thief, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief, queue);
        }
    }
}
