package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.FlightLink;
import dev.heddle.internal.kernel.Kernel;
import org.jspecify.annotations.Nullable;

/// Connects one kernel to the flight recorder. Every scheduler has one, so this class is loaded at the start of each
/// program; those that it uses are loaded when the recorder runs.
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

    @Override
    public void deadlock(Kernel kernel, String message) {
        FlightEvents.deadlock(kernel, message);
    }
}
