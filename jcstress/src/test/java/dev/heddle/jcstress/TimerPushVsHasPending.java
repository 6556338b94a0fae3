package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/// A timer is pushed while the deadlock detector removes a cancelled one. Once push has returned, the next time is not
/// later than the new timer, and the timer is handed out in the end.
public class TimerPushVsHasPending {
    @JCStressTest
    @Outcome(id = "5, 1", expect = ACCEPTABLE, desc = "removed before or after")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the cancelled one is still announced")
    @State
    public static class Correct {
        final TimerHeap heap = new TimerHeap();
        final TimerEntry timer = new TimerEntry(5, () -> {});
        final TimerEntry[] out = new TimerEntry[4];

        {
            TimerEntry cancelled = new TimerEntry(1, () -> {});
            heap.push(cancelled);
            cancelled.cancel();
        }

        @Actor
        public void pusher(JI_Result r) {
            heap.push(timer);
            r.r1 = heap.nextWhen();
        }

        @Actor
        public void detector() {
            heap.hasPending();
        }

        @Arbiter
        public void arbiter(JI_Result r) {
            r.r2 = heap.hasPending() && heap.takeDue(5, out) == 1 && out[0] == timer && heap.size() == 0 ? 1 : 0;
        }
    }
}
