package dev.heddle.jcstress;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Chan;
import dev.heddle.Select;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Two partners, who hold the locks of different channels, at one select that waits for both: one of them wins.
public class SelectVsPartners {
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first sender")
    @Outcome(id = "false, true, 2", expect = ACCEPTABLE, desc = "the second sender")
    @Outcome(id = "false, false, 0", expect = ACCEPTABLE, desc = "neither: the select was not waiting yet, or no more")
    @State
    public static class Correct {
        private static final Duration A_MOMENT = Duration.ofNanos(20_000);

        final Chan<Integer> one = Chan.make();
        final Chan<Integer> two = Chan.make();

        @Actor
        public void first(ZZI_Result r) {
            r.r1 = one.trySend(1);
        }

        @Actor
        public void second(ZZI_Result r) {
            r.r2 = two.trySend(2);
        }

        @Actor
        public void selecting(ZZI_Result r) {
            Races.uninterrupted(() -> {
                var first = receive(one);
                var second = receive(two);
                var chosen = select(first, second, Select.timeout(A_MOMENT));
                r.r3 = chosen == first ? first.value() : chosen == second ? second.value() : 0;
            });
        }
    }

    /// Must fail: the fate of the waiter is read and then written.
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
