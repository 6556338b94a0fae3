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

/// The owner empties a ring of two and fills it again, so that slots are cleared and reused, while a thief steals:
/// every entry comes out exactly once.
public class LapVsSteal {
    @JCStressTest
    @Outcome(id = "12, 34", expect = ACCEPTABLE, desc = "the thief found nothing")
    @Outcome(id = "20, 134", expect = ACCEPTABLE, desc = "it took the first entry")
    @Outcome(id = "10, 234", expect = ACCEPTABLE, desc = "it took the second entry")
    @Outcome(id = "12, 304", expect = ACCEPTABLE, desc = "it took an entry of the next lap")
    @State
    public static class Correct {
        final RacyQueue queue = Races.filled(new RacyQueue.Real(2), 2);
        final RacyQueue thief = new RacyQueue.Real(2);

        @Actor
        public void owner(II_Result r) {
            int first = Races.get(queue);
            int second = Races.get(queue);
            Races.put(queue, 3);
            Races.put(queue, 4);
            r.r1 = 10 * first + second;
        }

        @Actor
        public void thief(II_Result r) {
            r.r2 = Races.steal(thief, queue);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = 100 * r.r2 + Races.rest(thief, queue);
        }
    }

    /// Must fail: the thief erases an entry of the next lap.
    @JCStressTest
    @Outcome(id = "12, 34", expect = ACCEPTABLE, desc = "the thief found nothing")
    @Outcome(id = "20, 134", expect = ACCEPTABLE, desc = "it took the first entry")
    @Outcome(id = "10, 234", expect = ACCEPTABLE, desc = "it took the second entry")
    @Outcome(id = "12, 304", expect = ACCEPTABLE, desc = "it took an entry of the next lap")
    @State
    public static class ThiefClearsSlots {
        final RacyQueue queue = Races.filled(new ShadowRunQueue.ThiefClearsSlots(2), 2);
        final RacyQueue thief = new ShadowRunQueue.ThiefClearsSlots(2);

        @Actor
        public void owner(II_Result r) {
            int first = Races.get(queue);
            int second = Races.get(queue);
            Races.put(queue, 3);
            Races.put(queue, 4);
            r.r1 = 10 * first + second;
        }

        @Actor
        public void thief(II_Result r) {
            r.r2 = Races.steal(thief, queue);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = 100 * r.r2 + Races.rest(thief, queue);
        }
    }
}
