package dev.heddle.internal.event;

import java.util.concurrent.atomic.LongAdder;

/// Counts channel operations and selects that did not wait and found nothing. A goroutine that does little else is
/// spinning.
///
/// One count for the JVM, since channels belong to no scheduler. Only operations that find nothing pay for it.
public final class FailedPolls {

    private static final LongAdder COUNT = new LongAdder();

    private FailedPolls() {}

    public static void count() {
        COUNT.increment();
    }

    /// The count since the JVM started.
    public static long sum() {
        return COUNT.sum();
    }
}
