package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/// A due timer is cancelled while it is fired: exactly one of the two wins, and the command runs only if firing wins.
public class CancelVsFire {
    @JCStressTest
    @Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "cancelled")
    @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "fired")
    @State
    public static class Correct {
        final AtomicInteger runs = new AtomicInteger();
        final TimerEntry timer = new TimerEntry(1, runs::incrementAndGet);

        {
            var heap = new TimerHeap();
            heap.push(timer);
            heap.takeDue(1, new TimerEntry[1]);
        }

        @Actor
        public void canceller(ZZI_Result r) {
            r.r1 = timer.cancel();
        }

        @Actor
        public void runner(ZZI_Result r) {
            r.r2 = timer.fire();
        }

        @Arbiter
        public void arbiter(ZZI_Result r) {
            r.r3 = runs.get();
        }
    }
}
