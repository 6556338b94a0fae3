package dev.heddle.testkit;

import dev.heddle.testkit.internal.Checker;
import dev.heddle.testkit.internal.Hooks;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One run of a test: its threads, its clock and its seed.
///
/// ```java
/// Bubble.check(Options.defaults().withSchedules(500), bubble -> {
///     Thread reader = Thread.startVirtualThread(() -> cache.get("k"));
///     bubble.settle();                       // the reader waits
///     bubble.advance(Duration.ofHours(1));   // takes no time
///     reader.join();
/// });
/// ```
///
/// All virtual threads that the test starts belong to the bubble, and run one at a time. Inside it, time is virtual: it
/// begins at 2000-01-01T00:00Z and moves when all threads wait. A bubble is a scheduler for Heddle's API, too.
public interface Bubble {

    /// A test.
    @FunctionalInterface
    interface Body {
        void run(Bubble bubble) throws Throwable;
    }

    /// Runs a test with the default options, as [#check(Options, Body)] does.
    static Report check(Body body) {
        return Checker.check(Options.defaults(), callerPackage(), body);
    }

    /// Runs a test under many schedules, on the calling thread. The body runs once for each schedule, and once
    /// more before them, because classes are initialised in the first run. It must make its state anew each
    /// time.
    ///
    /// @throws ScheduleFailure if a schedule fails
    /// @throws IllegalStateException if the testkit's agent is not there and cannot be attached, or in a bubble
    static Report check(Options options, Body body) {
        return Checker.check(options, callerPackage(), body);
    }

    private static String callerPackage() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.skip(2).findFirst().orElseThrow())
                .getDeclaringClass()
                .getPackageName();
    }

    /// The bubble of the current thread.
    ///
    /// @throws IllegalStateException outside of any bubble
    static Bubble current() {
        Bubble bubble = Hooks.currentBubble();
        if (bubble == null) {
            throw new IllegalStateException("this thread is in no bubble: call it in a test that Bubble.check runs.");
        }
        return bubble;
    }

    /// Waits until every other thread of the bubble waits, without letting time pass. Go: synctest.Wait.
    void settle();

    /// Lets time pass, with all that happens meanwhile, and then settles.
    void advance(Duration duration) throws InterruptedException;

    /// The time in the bubble.
    Instant now();

    /// The seed of this schedule, for random numbers of the test's own.
    long seed();

    /// The faults of this schedule: none, until the test asks for some.
    Faults faults();

    /// The number of a thread of this bubble, as in the story of a failure; null if it is not of this bubble or
    /// has ended.
    @Nullable
    Integer numberOf(Thread thread);
}
