package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import dev.heddle.Received;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/// A value is either sent, or refused because the channel is closed, and the reported result matches what can be
/// received.
public class TrySendVsClose {
    @JCStressTest
    @Outcome(id = "sent, Value\\[value=7\\]", expect = ACCEPTABLE, desc = "sent before the close")
    @Outcome(id = "closed, Closed\\[\\]", expect = ACCEPTABLE, desc = "refused after the close")
    @State
    public static class Correct {
        final Chan<Integer> chan = Chan.make(1);

        @Actor
        public void sender(LL_Result r) {
            try {
                r.r1 = chan.trySend(7) ? "sent" : "full";
            } catch (IllegalStateException e) {
                r.r1 = "closed";
            }
        }

        @Actor
        public void closer() {
            chan.close();
        }

        @Arbiter
        public void receiver(LL_Result r) {
            Received<Integer> found = chan.poll();
            r.r2 = found.toString();
        }
    }
}
