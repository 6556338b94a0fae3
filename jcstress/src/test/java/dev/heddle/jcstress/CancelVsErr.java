package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.Cancellable;
import dev.heddle.Context;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;

/// A cancellation happens before `err` returns it, in the context and in its children, and its cause is set by then.
/// The field is plain.
public class CancelVsErr {
    @JCStressTest
    @Outcome(
            id = {"null, 0", "null, 1"},
            expect = ACCEPTABLE,
            desc = "asked before the cancellation")
    @Outcome(id = "broken, 1", expect = ACCEPTABLE, desc = "done, and the canceller's write is visible")
    @State
    public static class Correct {
        static final Exception BROKEN = new Exception("broken");

        final Cancellable context = Context.background().withCancel();
        final Context child = context.withCancel();
        int byCanceller;

        @Actor
        public void canceller() {
            byCanceller = 1;
            context.cancel(BROKEN);
        }

        @Actor
        public void reader(LI_Result r) {
            Exception err = child.err();
            Throwable cause = child.cause();
            r.r1 = err == null ? null : cause == null ? "no cause" : cause.getMessage();
            r.r2 = byCanceller;
        }
    }

    /// Must fail: `err` is set before `cause`.
    @JCStressTest
    @Outcome(
            id = {"null, 0", "broken, 1"},
            expect = ACCEPTABLE,
            desc = "not done, or done with its cause")
    @State
    public static class ErrBeforeCause {
        volatile @Nullable String err;
        volatile @Nullable String cause;

        @Actor
        public void canceller() {
            err = "canceled";
            cause = "broken";
        }

        @Actor
        public void reader(LI_Result r) {
            r.r2 = err == null ? 0 : 1;
            r.r1 = r.r2 == 0 ? null : cause;
        }
    }
}
