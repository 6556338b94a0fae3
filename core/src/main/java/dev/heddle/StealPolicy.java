package dev.heddle;

import dev.heddle.internal.queue.StealRule;

/// How many of a victim's queued goroutines a thief takes at once.
@SuppressWarnings("ImmutableEnumChecker") // the rules are pure functions
public enum StealPolicy {
    /// Go's rule, the default: half, rounded up, without a minimum. A single queued goroutine can be stolen.
    GO(StealRule.GO),

    /// Half, but only from a victim whose queue is more than a quarter full. Goroutines in a shorter queue wait for
    /// the processor that owns it.
    QUARTER_THRESHOLD(StealRule.QUARTER_THRESHOLD),

    /// One goroutine at a time.
    ONE(StealRule.ONE);

    final StealRule rule;

    StealPolicy(StealRule rule) {
        this.rule = rule;
    }
}
