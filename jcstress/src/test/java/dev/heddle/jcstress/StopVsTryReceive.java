package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Timer;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/// A timer that is due is stopped while its value is received. Exactly one of the two succeeds, and after the stop
/// there is nothing to receive.
public class StopVsTryReceive {
    @JCStressTest
    @Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "stopped, and the value is withdrawn")
    @Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "received before the stop")
    @State
    public static class Correct {
        final Timer timer = Timer.make(Duration.ZERO);

        @Actor
        public void stopper(ZZZ_Result r) {
            r.r1 = timer.stop();
        }

        @Actor
        public void receiver(ZZZ_Result r) {
            r.r2 = timer.c().tryReceive() != null;
        }

        @Arbiter
        public void later(ZZZ_Result r) {
            r.r3 = timer.c().tryReceive() != null;
        }
    }
}
