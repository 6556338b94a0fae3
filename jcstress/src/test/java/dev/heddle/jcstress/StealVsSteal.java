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

/// Two thieves steal from the same three entries: the first takes two of them, the other takes the third.
public class StealVsSteal {
    @JCStressTest
    @Outcome(id = "2, 3, 1", expect = ACCEPTABLE, desc = "the first thief came first")
    @Outcome(id = "3, 2, 1", expect = ACCEPTABLE, desc = "the second thief came first")
    @State
    public static class Correct {
        final RacyQueue queue = Races.filled(new RacyQueue.Real(Races.CAPACITY), 3);
        final RacyQueue thief1 = new RacyQueue.Real(Races.CAPACITY);
        final RacyQueue thief2 = new RacyQueue.Real(Races.CAPACITY);

        @Actor
        public void thief1(III_Result r) {
            r.r1 = Races.steal(thief1, queue);
        }

        @Actor
        public void thief2(III_Result r) {
            r.r2 = Races.steal(thief2, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief1, thief2, queue);
        }
    }

    /// Must fail: the steal is not atomic, as in `examples/bugs/Bug05RacyQueue.java`.
    @JCStressTest
    @Outcome(id = "2, 3, 1", expect = ACCEPTABLE, desc = "the first thief came first")
    @Outcome(id = "3, 2, 1", expect = ACCEPTABLE, desc = "the second thief came first")
    @State
    public static class NonAtomicSteal {
        final RacyQueue queue = Races.filled(new ShadowRunQueue.NonAtomicSteal(Races.CAPACITY), 3);
        final RacyQueue thief1 = new ShadowRunQueue.NonAtomicSteal(Races.CAPACITY);
        final RacyQueue thief2 = new ShadowRunQueue.NonAtomicSteal(Races.CAPACITY);

        @Actor
        public void thief1(III_Result r) {
            r.r1 = Races.steal(thief1, queue);
        }

        @Actor
        public void thief2(III_Result r) {
            r.r2 = Races.steal(thief2, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief1, thief2, queue);
        }
    }

    /// Must fail: both take the same entries.
    @JCStressTest
    @Outcome(id = "2, 3, 1", expect = ACCEPTABLE, desc = "the first thief came first")
    @Outcome(id = "3, 2, 1", expect = ACCEPTABLE, desc = "the second thief came first")
    @State
    public static class HeadWithoutCas {
        final RacyQueue queue = Races.filled(new ShadowRunQueue.HeadWithoutCas(Races.CAPACITY), 3);
        final RacyQueue thief1 = new ShadowRunQueue.HeadWithoutCas(Races.CAPACITY);
        final RacyQueue thief2 = new ShadowRunQueue.HeadWithoutCas(Races.CAPACITY);

        @Actor
        public void thief1(III_Result r) {
            r.r1 = Races.steal(thief1, queue);
        }

        @Actor
        public void thief2(III_Result r) {
            r.r2 = Races.steal(thief2, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief1, thief2, queue);
        }
    }
}
