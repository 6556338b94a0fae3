package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.FlightRecorderState;
import dev.heddle.internal.kernel.FlightLink;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.wire.FoundCause;
import org.jspecify.annotations.Nullable;

/// Connects one kernel to the flight recorder. Every scheduler has one, so this class is loaded at the start of each
/// program; the classes behind it are loaded when the recorder runs.
public final class RecorderLink implements FlightLink {

    private @Nullable EventReporter reporter; // starter only

    @Override
    public void begin(Kernel kernel) {
        reporter = new EventReporter(kernel);
        reporter.listen(true); // now: the first events wait in the feed until the recorder's classes are loaded
        reporter.start();
    }

    @Override
    public void end() {
        if (reporter != null) {
            reporter.end();
        }
    }

    /// Reports a cause that a command found, if the recorder was started. Any thread.
    static boolean finding(String scheduler, FoundCause found) {
        try {
            if (!FlightRecorderState.find().isStarted()) {
                return false;
            }
        } catch (ReflectiveOperationException _) {
            return false; // another JDK: there are no events
        }
        FlightEvents.finding(scheduler, found);
        return true;
    }

    @Override
    public void lastMoments(String message) {
        TraceControl.lastMoments(message);
    }

    @Override
    public void bug(String message) {
        Snapshots.keep(Snapshots.Cause.BUG, message);
    }

    @Override
    public void deadlock(Kernel kernel, String message) {
        FlightEvents.deadlock(kernel, message);
    }
}
