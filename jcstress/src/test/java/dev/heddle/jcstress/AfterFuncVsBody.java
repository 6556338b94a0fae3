package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import dev.heddle.Timer;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// What a thread did before [Timer#afterFunc] or [Timer#reset] happens before the function that this call starts. The
/// fields are plain.
public class AfterFuncVsBody {
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each function sees what was written before its timer was set")
    @State
    public static class Correct {
        final Chan<Integer> seenByNew = Chan.make(1);
        final Chan<Integer> seenByReset = Chan.make(1);
        int beforeNew;
        int beforeReset;
        final Timer timer = Timer.afterFunc(Duration.ofDays(1), () -> seenByReset.send(beforeReset));

        @Actor
        public void make(II_Result r) {
            Races.uninterrupted(() -> {
                beforeNew = 1;
                Timer.afterFunc(Duration.ZERO, () -> seenByNew.send(beforeNew));
                r.r1 = seenByNew.receive();
            });
        }

        @Actor
        public void reset(II_Result r) {
            Races.uninterrupted(() -> {
                beforeReset = 1;
                timer.reset(Duration.ZERO);
                r.r2 = seenByReset.receive();
            });
        }
    }
}
