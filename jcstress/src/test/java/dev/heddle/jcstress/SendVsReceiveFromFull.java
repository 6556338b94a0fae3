package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The receive that makes room in a full buffer happens before the return of the send that uses the room. So a buffered
/// channel can count the users of a resource. The field is plain. The values come out in the order of the sends.
public class SendVsReceiveFromFull {
    @JCStressTest
    @Outcome(id = "1, 6, 7", expect = ACCEPTABLE, desc = "the sender sees what the receiver wrote before it received")
    @State
    public static class Correct {
        final Chan<Integer> chan = Chan.make(1);
        int byReceiver;

        {
            chan.trySend(6);
        }

        @Actor
        public void sender(III_Result r) {
            Races.uninterrupted(() -> {
                chan.send(7);
                r.r1 = byReceiver;
            });
        }

        @Actor
        public void receiver(III_Result r) {
            Races.uninterrupted(() -> {
                byReceiver = 1;
                r.r2 = chan.receive();
            });
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = chan.tryReceive();
        }
    }
}
