package dev.heddle.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A thread computed for too long while others waited.
@Name("heddle.Hog")
@Label("CPU Hog")
@Description("A thread computed while others waited, and now runs without a processor")
@Category("Heddle")
@StackTrace(false) // of the reporter, which tells nothing
final class HogEvent extends Event {

    @Label("Scheduler")
    String scheduler = "";

    @Label("CPU Time")
    @Description("What the thread had used when it was found")
    @Timespan(Timespan.NANOSECONDS)
    long cpuTime;

    @Label("Carrier Thread")
    @Nullable
    Thread carrier;

    @Label("Virtual Thread")
    @Description("The thread on the carrier; missing if it left before the event was written")
    @Nullable
    Thread virtualThread;

    @Label("Place")
    @Description("The innermost frame of the program on that thread's stack")
    @Nullable
    String place;
}
