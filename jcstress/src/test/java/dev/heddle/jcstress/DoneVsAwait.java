package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.WaitGroup;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/// A piece of work adds another before it ends: the counter goes from 1 to 2 and back, and nobody may see zero.
public class DoneVsAwait {
    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE, desc = "it was never zero")
    @State
    public static class Correct {
        final WaitGroup group = new WaitGroup();

        {
            group.add(1);
        }

        @Actor
        public void worker() {
            group.add(1);
            group.done();
        }

        @Actor
        public void waiter(Z_Result r) {
            try {
                r.r1 = group.await(Duration.ZERO);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /// Must fail: what was added is read before what has ended, and may be of an older day.
    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE, desc = "it was never zero")
    @State
    public static class AddedIsReadFirst {
        volatile long added = 1;
        volatile long ended;

        @Actor
        public void worker() {
            added = 2;
            ended = 1;
        }

        @Actor
        public void waiter(Z_Result r) {
            long all = added;
            r.r1 = all == ended;
        }
    }
}
