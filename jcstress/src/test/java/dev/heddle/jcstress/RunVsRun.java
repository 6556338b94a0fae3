package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Once;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The body of a [Once] runs once, and happens before every call of `run` returns. The field is plain.
public class RunVsRun {
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it ran once, and both callers see what it did")
    @State
    public static class Correct {
        final Once once = new Once();
        int runs;

        @Actor
        public void first(II_Result r) {
            once.run(() -> runs++);
            r.r1 = runs;
        }

        @Actor
        public void second(II_Result r) {
            once.run(() -> runs++);
            r.r2 = runs;
        }
    }

    /// Must fail: the action counts as done before its body has run.
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "it ran once, and both callers see what it did")
    @State
    public static class DoneBeforeBody {
        volatile boolean done;
        int runs;

        void run() {
            if (done) {
                return;
            }
            synchronized (this) {
                if (!done) {
                    done = true;
                    runs++;
                }
            }
        }

        @Actor
        public void first(II_Result r) {
            run();
            r.r1 = runs;
        }

        @Actor
        public void second(II_Result r) {
            run();
            r.r2 = runs;
        }
    }
}
