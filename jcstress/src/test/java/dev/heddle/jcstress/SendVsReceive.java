package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// The hand-off of an unbuffered channel orders memory both ways. The receiver sees what the sender wrote before it
/// sent, and the sender sees what the receiver wrote before it received. The fields are plain.
///
/// Both cases occur by chance: the sender finds a waiting receiver, or has to wait itself.
public class SendVsReceive {
    @JCStressTest
    @Outcome(id = "7, 1, 1", expect = ACCEPTABLE, desc = "received, and both sides see the other's writes")
    @State
    public static class Correct {
        final Chan<Integer> chan = Chan.make();
        int bySender;
        int byReceiver;

        @Actor
        public void sender(III_Result r) {
            Races.uninterrupted(() -> {
                bySender = 1;
                chan.send(7);
                r.r3 = byReceiver;
            });
        }

        @Actor
        public void receiver(III_Result r) {
            Races.uninterrupted(() -> {
                byReceiver = 1;
                r.r1 = chan.receive();
                r.r2 = bySender;
            });
        }
    }

    /// Must fail: the waiting receiver is released before it has the value.
    @JCStressTest
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "received")
    @State
    public static class FateBeforeElement {
        int element;
        volatile boolean claimed;

        @Actor
        public void sender() {
            claimed = true;
            element = 7;
        }

        @Actor
        public void receiver(I_Result r) {
            while (!claimed) {
                Thread.onSpinWait();
            }
            r.r1 = element;
        }
    }
}
