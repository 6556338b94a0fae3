package dev.heddle.testkit.internal;

import dev.heddle.testkit.Faults;
import java.time.Duration;
import java.util.SplittableRandom;

/// The faults of one schedule, and the random numbers that place them.
final class FaultPlan implements Faults {

    private final SplittableRandom random;
    private int interrupts;
    private int wakeUps;
    private int lateTimers;
    private long lateNanos;
    private int slowThreads;
    private long slowNanos;

    FaultPlan(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public Faults interrupts(int oneIn) {
        interrupts = positive(oneIn);
        return this;
    }

    @Override
    public Faults spuriousWakeUps(int oneIn) {
        wakeUps = positive(oneIn);
        return this;
    }

    @Override
    public Faults lateTimers(int oneIn, Duration most) {
        lateTimers = positive(oneIn);
        lateNanos = most.toNanos();
        return this;
    }

    @Override
    public Faults slowThreads(int oneIn, Duration most) {
        slowThreads = positive(oneIn);
        slowNanos = most.toNanos();
        return this;
    }

    private static int positive(int oneIn) {
        if (oneIn < 1) {
            throw new IllegalArgumentException("oneIn=" + oneIn + " is refused: it must be at least 1.");
        }
        return oneIn;
    }

    private boolean happens(int oneIn) {
        return oneIn > 0 && random.nextInt(oneIn) == 0;
    }

    /// Whether any fault can happen at a step.
    boolean isAtSteps() {
        return interrupts > 0 || wakeUps > 0;
    }

    boolean isInterruptDue() {
        return happens(interrupts);
    }

    boolean isWakeUpDue() {
        return happens(wakeUps);
    }

    int pick(int size) {
        return random.nextInt(size);
    }

    /// How much later than asked a timer is due.
    long lateness() {
        return happens(lateTimers) ? random.nextLong(lateNanos + 1) : 0;
    }

    /// How long a thread that became runnable is held back.
    long slowness() {
        return happens(slowThreads) ? random.nextLong(slowNanos + 1) : 0;
    }
}
