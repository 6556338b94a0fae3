package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import dev.heddle.Received;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A send into a buffer happens before the receive of that value: a receiver that got it also sees what the sender
/// wrote before. The field is plain.
public class TrySendVsPoll {
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "polled before the value was there")
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "received, and the sender's write is visible")
    @State
    public static class Correct {
        final Chan<Integer> chan = Chan.make(1);
        int bySender;

        @Actor
        public void sender() {
            bySender = 1;
            chan.trySend(7);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = chan.poll() instanceof Received.Value<Integer>(Integer value) ? value : 0;
            r.r2 = bySender;
        }
    }

    /// Must fail: the count of the buffer is raised before the value is in it.
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "polled before the value was there")
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "received, and the sender's write is visible")
    @State
    public static class CountBeforeValue {
        volatile int count;
        volatile int value;

        @Actor
        public void sender() {
            count = 1;
            value = 7;
        }

        @Actor
        public void receiver(II_Result r) {
            r.r2 = count;
            r.r1 = r.r2 == 1 ? value : 0;
        }
    }
}
