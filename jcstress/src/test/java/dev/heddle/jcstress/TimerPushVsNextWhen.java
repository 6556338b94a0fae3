package dev.heddle.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/// The wake-up protocol for timers: the pusher pushes a timer, then checks for sleepers; the sleeper announces that it
/// sleeps, then reads the next time. After "0, 9223372036854775807" no thread would wait for the timer.
public class TimerPushVsNextWhen {
    @JCStressTest
    @Outcome(id = "1, 5", expect = ACCEPTABLE, desc = "both saw each other")
    @Outcome(id = "1, 9223372036854775807", expect = ACCEPTABLE, desc = "the pusher will wake the sleeper")
    @Outcome(id = "0, 5", expect = ACCEPTABLE, desc = "the sleeper sleeps until then")
    @State
    public static class Correct {
        final TimerHeap heap = new TimerHeap();
        final TimerEntry timer = new TimerEntry(5, () -> {});
        volatile int sleepers;

        @Actor
        public void pusher(IJ_Result r) {
            heap.push(timer);
            VarHandle.fullFence();
            r.r1 = sleepers;
        }

        @Actor
        public void sleeper(IJ_Result r) {
            sleepers = 1;
            r.r2 = heap.nextWhen();
        }
    }
}
