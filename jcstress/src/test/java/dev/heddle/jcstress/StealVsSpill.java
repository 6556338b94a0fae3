package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.broken.RacyQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The owner puts into a full ring, which spills its older half, while a thief takes that half.
public class StealVsSpill {
    @JCStressTest
    @Outcome(id = "3, 125, 4", expect = ACCEPTABLE, desc = "spilled, then half of the rest was stolen")
    @Outcome(id = "2, 0, 1345", expect = ACCEPTABLE, desc = "stolen first: no spill is needed")
    @State
    public static class Correct {
        final RacyQueue queue = Races.filled(new RacyQueue.Real(Races.CAPACITY), 4);
        final RacyQueue thief = new RacyQueue.Real(Races.CAPACITY);

        @Actor
        public void owner(III_Result r) {
            Races.put(queue, 5);
            for (var entry : queue.spilled()) {
                r.r2 = 10 * r.r2 + Races.number(entry);
            }
        }

        @Actor
        public void thief(III_Result r) {
            r.r1 = Races.steal(thief, queue);
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = Races.rest(thief, queue);
        }
    }
}
