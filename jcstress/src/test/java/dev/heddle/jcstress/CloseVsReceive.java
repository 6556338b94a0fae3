package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A close happens before a receive that returns null because of it. The receiver waits, or comes later. The field is
/// plain.
public class CloseVsReceive {
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the receiver sees what the closer wrote")
    @State
    public static class Correct {
        final Chan<Integer> chan = Chan.make();
        int byCloser;

        @Actor
        public void closer() {
            byCloser = 1;
            chan.close();
        }

        @Actor
        public void receiver(I_Result r) {
            Races.uninterrupted(() -> r.r1 = chan.receive() == null ? byCloser : -1);
        }
    }
}
