package dev.heddle.testkit.internal;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Faults;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The bubble that a test sees. Its methods are called on the bubble's threads.
final class LiveBubble implements Bubble {

    private final BubbleRun run;

    LiveBubble(BubbleRun run) {
        this.run = run;
    }

    @Override
    public void settle() {
        requireInside();
        var settler = new BubbleRun.Settler();
        run.add(settler);
        boolean wasInterrupted = false;
        while (!settler.isSettled) {
            LockSupport.park(this);
            wasInterrupted |= Thread.interrupted(); // else the next park would return at once
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void advance(Duration duration) throws InterruptedException {
        requireInside();
        Thread.sleep(duration);
        settle();
    }

    private void requireInside() {
        if (run.find(Thread.currentThread()) == null) {
            throw new IllegalStateException(
                    "only a thread of the bubble can wait in it; this is " + Thread.currentThread() + ".");
        }
    }

    @Override
    public Instant now() {
        return VirtualClock.EPOCH.plusNanos(run.clock.now());
    }

    @Override
    public long seed() {
        return run.seed;
    }

    @Override
    public Faults faults() {
        return run.faults;
    }

    @Override
    public @Nullable Integer numberOf(Thread thread) {
        BubbleThread known = run.find(thread);
        return known == null ? null : known.number;
    }
}
