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

/// Owner and thief both want the entry in `runNext`: exactly one gets it.
public class RunNextStealVsTake {
    @JCStressTest
    @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "the owner's")
    @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "the thief's")
    @State
    public static class Correct {
        final RacyQueue queue = new RacyQueue.Real(Races.CAPACITY);
        final RacyQueue thief = new RacyQueue.Real(Races.CAPACITY);

        {
            Races.putNext(queue, 1);
        }

        @Actor
        public void owner(III_Result r) {
            r.r1 = Races.get(queue);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = Races.stealAlsoNext(thief, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief, queue);
        }
    }

    /// Must fail: both take it.
    @JCStressTest
    @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "the owner's")
    @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "the thief's")
    @State
    public static class NonAtomicRunNext {
        final RacyQueue queue = new ShadowRunQueue.NonAtomicRunNext(Races.CAPACITY);
        final RacyQueue thief = new ShadowRunQueue.NonAtomicRunNext(Races.CAPACITY);

        {
            Races.putNext(queue, 1);
        }

        @Actor
        public void owner(III_Result r) {
            r.r1 = Races.get(queue);
        }

        @Actor
        public void thief(III_Result r) {
            r.r2 = Races.stealAlsoNext(thief, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief, queue);
        }
    }
}
