package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/// A timer is cancelled while it moves from the inbox through the heap: it is handed out or dropped, and the counts
/// return to zero.
public class CancelVsDrain {
    @JCStressTest
    @Outcome(id = "0, true", expect = ACCEPTABLE, desc = "cancelled before it was handed out")
    @Outcome(id = "1, true", expect = ACCEPTABLE, desc = "cancelled after it was handed out")
    @State
    public static class Correct {
        final TimerHeap heap = new TimerHeap();
        final TimerEntry timer = new TimerEntry(1, () -> {});
        final TimerEntry[] out = new TimerEntry[1];

        {
            heap.push(timer);
        }

        @Actor
        public void canceller() {
            timer.cancel();
        }

        @Actor
        public void runner(IZ_Result r) {
            r.r1 = heap.takeDue(1, out);
        }

        @Arbiter
        public void arbiter(IZ_Result r) {
            r.r2 = heap.takeDue(1, out) == 0 && heap.size() == 0 && !heap.hasWork(2) && !timer.fire();
        }
    }
}
