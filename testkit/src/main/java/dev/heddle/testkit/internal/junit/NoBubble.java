package dev.heddle.testkit.internal.junit;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Faults;
import java.time.Duration;
import java.time.Instant;

/// The bubble of a call that never happens.
enum NoBubble implements Bubble {
    INSTANCE;

    @Override
    public void settle() {
        throw none();
    }

    @Override
    public void advance(Duration duration) {
        throw none();
    }

    @Override
    public Instant now() {
        throw none();
    }

    @Override
    public long seed() {
        throw none();
    }

    @Override
    public Faults faults() {
        throw none();
    }

    @Override
    public Integer numberOf(Thread thread) {
        throw none();
    }

    private static IllegalStateException none() {
        return new IllegalStateException("only the test method itself has a bubble.");
    }
}
