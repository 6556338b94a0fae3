package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import dev.heddle.Scheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// What a thread did before it started a goroutine happens before the goroutine's body. The fields are plain. Two
/// threads start goroutines at the same time, so that they compete for the scheduler.
public class GoVsBody {
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each body sees what its starter wrote")
    @State
    public static class Correct {
        private static final Scheduler SCHEDULER =
                Scheduler.builder().procs(2).name("races").build();

        final Chan<Integer> seenByFirst = Chan.make(1);
        final Chan<Integer> seenBySecond = Chan.make(1);
        int first;
        int second;

        @Actor
        public void startFirst(II_Result r) {
            Races.uninterrupted(() -> {
                first = 1;
                SCHEDULER.go(() -> seenByFirst.send(first));
                r.r1 = seenByFirst.receive();
            });
        }

        @Actor
        public void startSecond(II_Result r) {
            Races.uninterrupted(() -> {
                second = 1;
                SCHEDULER.go(() -> seenBySecond.send(second));
                r.r2 = seenBySecond.receive();
            });
        }
    }
}
