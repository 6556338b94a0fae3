package dev.heddle.internal.kernel;

/// Reports the events of one kernel to the JVM's flight recorder, once that runs. See [EventFeed].
public interface FlightLink {

    /// The recorder was started: begins to report. Returns at once. Starter only, at most once.
    void begin(Kernel kernel);

    /// The kernel has ended. Starter only, after [#begin].
    void end();

    /// A part of the kernel has failed: keeps the last seconds of the execution trace. Any thread that may wait.
    void bug(String message);

    /// The program is deadlocked and about to be ended. Any thread that may wait.
    void deadlock(Kernel kernel, String message);

    /// The same, whether or not the recorder was started: ends the execution traces. Any thread that may wait.
    void lastMoments(String message);
}
