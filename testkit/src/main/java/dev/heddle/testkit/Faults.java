package dev.heddle.testkit;

import java.time.Duration;

/// What may go wrong in a schedule, at places that follow from its seed. A test asks for faults at its beginning:
///
/// ```java
/// bubble.faults().spuriousWakeUps(10).lateTimers(5, Duration.ofSeconds(1));
/// ```
///
/// `oneIn` is a chance: 10 means at every tenth opportunity, on average. The test itself, thread #0, is spared.
public interface Faults {

    /// At a step, a thread that waits is interrupted.
    Faults interrupts(int oneIn);

    /// At a step, a thread that is parked or in `Object.wait` wakes up for no reason, as the contracts of both
    /// permit. A thread that waits at `synchronized` does not: its contract does not permit it.
    Faults spuriousWakeUps(int oneIn);

    /// A timer or timeout is late by up to `most`.
    Faults lateTimers(int oneIn, Duration most);

    /// A thread that became runnable does not run for up to `most`.
    Faults slowThreads(int oneIn, Duration most);
}
