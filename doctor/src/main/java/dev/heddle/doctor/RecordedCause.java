package dev.heddle.doctor;

import java.util.Locale;

/// A problem that a recording of the scheduler proves, the most urgent first.
public enum RecordedCause {
    CPU_HOG("a goroutine computes for long while others wait for its processor", """
            Call Go.gosched() every millisecond or so, or cut the work into smaller goroutines; or start the JVM with the \
            agent's option preempt=CLASS, with the class of the loop. An executor of platform threads suits long \
            computations."""),
    UNFAIR_PAIR("two goroutines that keep waking each other hold a processor while others wait for it", """
            Let each message carry more work, or call Go.gosched() now and then in one of the two."""),
    BLOCKED_MACHINES("many machines are blocked in calls, each with a thread", """
            Let only a few such calls in at a time: a Semaphore, or a channel as one. What waits for a permit waits as a \
            goroutine, which costs next to nothing."""),
    WORLD_STOPPED("the world is stopped for long", """
            Change GOMAXPROCS rarely: each Go.gomaxprocs stops all processors. If the limits of the container change all \
            the time, set GOMAXPROCS."""),
    RUNNABLE_WAIT("goroutines are runnable for long before they run", """
            Look at the waits above in 'heddle trace view': the page shows what ran meanwhile. If all processors were busy \
            with short runs, the program needs more of them, or less work at once.""");

    private final String title;
    private final String remedy;

    RecordedCause(String title, String remedy) {
        this.title = title;
        this.remedy = remedy;
    }

    /// A one-line description.
    public String title() {
        return title;
    }

    /// What to do about it.
    public String remedy() {
        return remedy;
    }

    /// The name used in JSON and in `docs/doctor.md`: `unfair-pair`.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
