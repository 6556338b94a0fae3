package dev.heddle.jcstress;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Two selects over the same two channels, listed in opposite order, meet at one channel and agree on which.
public class SelectVsSelect {
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "met at the first channel")
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "met at the second channel")
    @State
    public static class Correct {
        final Chan<Integer> one = Chan.make();
        final Chan<Integer> two = Chan.make();

        @Actor
        public void sender(II_Result r) {
            Races.uninterrupted(() -> {
                var first = send(one, 1);
                r.r1 = select(first, send(two, 2)) == first ? 1 : 2;
            });
        }

        @Actor
        public void receiver(II_Result r) {
            Races.uninterrupted(() -> {
                var second = receive(two);
                var first = receive(one);
                r.r2 = select(second, first) == second ? second.value() : first.value();
            });
        }
    }

    /// Must fail: two partners that hold the locks of different channels each read and then write the fate of
    /// the same waiter.
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first partner")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second partner")
    @State
    public static class ClaimWithoutCas {
        volatile @Nullable String fate;

        boolean claim(String partner) {
            if (fate != null) {
                return false;
            }
            fate = partner;
            return true;
        }

        @Actor
        public void first(ZZ_Result r) {
            r.r1 = claim("first");
        }

        @Actor
        public void second(ZZ_Result r) {
            r.r2 = claim("second");
        }
    }
}
