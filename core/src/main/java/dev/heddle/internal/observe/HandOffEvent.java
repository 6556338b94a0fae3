package dev.heddle.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A processor was taken from a carrier. Many per second are possible, so they are sampled.
@Name("heddle.HandOff")
@Label("Processor Hand-Off")
@Description("A processor was taken from a carrier whose thread blocked or computed too long")
@Category("Heddle")
@StackTrace(false) // of the reporter, which tells nothing
@Throttle("100/s")
final class HandOffEvent extends Event {

    @Label("Scheduler")
    String scheduler = "";

    @Label("Reason")
    @Description("blocking: a declared operation; undeclared: found asleep; hog: computed too long")
    String reason = "";

    @Label("Processor")
    int processor;

    @Label("Occupied For")
    @Description("How long the thread had been blocked; of a hog, the CPU time that it had used")
    @Timespan(Timespan.NANOSECONDS)
    long occupiedFor;

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
