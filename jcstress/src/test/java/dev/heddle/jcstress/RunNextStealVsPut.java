package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;

import dev.heddle.internal.queue.broken.RacyQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The owner displaces `runNext` into the ring while a thief wants it. The thief gets the old entry, or the new one if
/// it found the ring empty before. It never gets nothing, and never the same entry twice.
public class RunNextStealVsPut {
    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "the old one")
    @Outcome(id = "2, 1", expect = ACCEPTABLE_INTERESTING, desc = "the ring was empty when the thief looked; as in Go")
    @State
    public static class Correct {
        final RacyQueue queue = new RacyQueue.Real(Races.CAPACITY);
        final RacyQueue thief = new RacyQueue.Real(Races.CAPACITY);

        {
            Races.putNext(queue, 1);
        }

        @Actor
        public void owner() {
            Races.putNext(queue, 2);
        }

        @Actor
        public void thief(II_Result r) {
            r.r1 = Races.stealAlsoNext(thief, queue);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = Races.rest(thief, queue);
        }
    }
}
