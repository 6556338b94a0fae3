package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/// A poll of a channel that is closed and then emptied. The channel is never both open and empty, so no poll may find
/// it so.
public class PollVsClose {
    @JCStressTest
    @Outcome(id = "Value\\[value=7\\], Closed\\[\\]", expect = ACCEPTABLE, desc = "looked before the other received")
    @Outcome(id = "Closed\\[\\], Value\\[value=7\\]", expect = ACCEPTABLE, desc = "looked after it")
    @State
    public static class Correct {
        final Chan<Integer> chan = Chan.make(1);

        {
            chan.trySend(7);
        }

        @Actor
        public void looker(LL_Result r) {
            r.r1 = chan.poll().toString();
        }

        @Actor
        public void closer(LL_Result r) {
            chan.close();
            r.r2 = chan.poll().toString();
        }
    }

    /// Must fail: `closed` is read before the buffer, and not after it.
    @JCStressTest
    @Outcome(id = "value, closed", expect = ACCEPTABLE, desc = "looked before the other received")
    @Outcome(id = "closed, value", expect = ACCEPTABLE, desc = "looked after it")
    @State
    public static class ClosedIsLookedAtFirst {
        volatile int count = 1;
        volatile boolean closed;

        String poll() {
            if (!closed && count == 0) {
                return "nothing";
            }
            synchronized (this) {
                if (count > 0) {
                    count = 0;
                    return "value";
                }
                return closed ? "closed" : "nothing";
            }
        }

        @Actor
        public void looker(LL_Result r) {
            r.r1 = poll();
        }

        @Actor
        public void closer(LL_Result r) {
            synchronized (this) {
                closed = true;
            }
            r.r2 = poll();
        }
    }
}
