package dev.heddle.jcstress;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A select orders memory like the operation that it chose, in both directions. The fields are plain.
public class SendVsSelect {
    @JCStressTest
    @Outcome(id = "7, 1, 1", expect = ACCEPTABLE, desc = "received, and both sides see the other's writes")
    @State
    public static class Correct {
        final Chan<Integer> used = Chan.make();
        final Chan<Integer> unused = Chan.make();
        int bySender;
        int byReceiver;

        @Actor
        public void sender(III_Result r) {
            Races.uninterrupted(() -> {
                bySender = 1;
                used.send(7);
                r.r3 = byReceiver;
            });
        }

        @Actor
        public void receiver(III_Result r) {
            Races.uninterrupted(() -> {
                byReceiver = 1;
                var value = receive(used);
                if (select(receive(unused), value) == value) {
                    r.r1 = value.value();
                    r.r2 = bySender;
                }
            });
        }
    }
}
