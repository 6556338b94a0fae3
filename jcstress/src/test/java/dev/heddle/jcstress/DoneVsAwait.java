package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.WaitGroup;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/// A task adds another task before it ends: the counter goes from 1 to 2 and back, so a waiter must never see zero.
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

    /// Must fail: the number of added tasks is read before the number of ended ones, and may be stale.
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
