package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.broken.RacyQueue;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/// The wake-up protocol of note N1: the submitter publishes an entry, then reads the number of spinners; the spinner
/// stops spinning, then scans. If both miss each other ("1, true"), the entry waits while all machines sleep.
public class PublishVsScan {
    @JCStressTest
    @Outcome(id = "0, false", expect = ACCEPTABLE, desc = "both saw each other")
    @Outcome(id = "0, true", expect = ACCEPTABLE, desc = "the waker will wake somebody")
    @Outcome(id = "1, false", expect = ACCEPTABLE, desc = "the scanner will take it")
    @State
    public static class Correct {
        final RacyQueue queue = new RacyQueue.Real(Races.CAPACITY);
        final AtomicInteger spinning = new AtomicInteger(1);

        @Actor
        public void submitter(IZ_Result r) {
            Races.put(queue, 1);
            VarHandle.fullFence();
            r.r1 = spinning.get();
        }

        @Actor
        public void spinner(IZ_Result r) {
            spinning.decrementAndGet();
            r.r2 = queue.isEmpty();
        }
    }

    /// Must fail: `setRelease` alone lets the later read overtake the store of the tail.
    @JCStressTest
    @Outcome(id = "0, false", expect = ACCEPTABLE, desc = "both saw each other")
    @Outcome(id = "0, true", expect = ACCEPTABLE, desc = "the waker will wake somebody")
    @Outcome(id = "1, false", expect = ACCEPTABLE, desc = "the scanner will take it")
    @State
    public static class WithoutFence {
        final RacyQueue queue = new RacyQueue.Real(Races.CAPACITY);
        final AtomicInteger spinning = new AtomicInteger(1);

        @Actor
        public void submitter(IZ_Result r) {
            Races.put(queue, 1);
            r.r1 = spinning.get();
        }

        @Actor
        public void spinner(IZ_Result r) {
            spinning.decrementAndGet();
            r.r2 = queue.isEmpty();
        }
    }
}
