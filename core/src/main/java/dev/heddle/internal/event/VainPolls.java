package dev.heddle.internal.event;

import java.util.concurrent.atomic.LongAdder;

/// Channel operations and selects that did not wait and found nothing: a goroutine that does little else spins.
///
/// One count for the JVM, since channels belong to no scheduler. Only those who come in vain pay for it.
public final class VainPolls {

    private static final LongAdder COUNT = new LongAdder();

    private VainPolls() {}

    public static void count() {
        COUNT.increment();
    }

    /// Since the JVM began.
    public static long sum() {
        return COUNT.sum();
    }
}
