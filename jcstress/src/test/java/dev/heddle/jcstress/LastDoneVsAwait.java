package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.WaitGroup;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A [WaitGroup#done] happens before the await that it releases returns. The field is plain.
public class LastDoneVsAwait {
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the waiter sees what the worker wrote")
    @State
    public static class Correct {
        final WaitGroup group = new WaitGroup();
        int byWorker;

        {
            group.add(1);
        }

        @Actor
        public void worker() {
            byWorker = 1;
            group.done();
        }

        @Actor
        public void waiter(I_Result r) {
            Races.uninterrupted(() -> {
                group.await();
                r.r1 = byWorker;
            });
        }
    }
}
