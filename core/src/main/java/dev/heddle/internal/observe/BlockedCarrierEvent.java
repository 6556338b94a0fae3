package dev.heddle.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// One carrier that has been blocked for a whole period. The end of a blocking call is not seen, so this is periodic.
@Name("heddle.BlockedCarrier")
@Label("Blocked Carrier")
@Description("A carrier thread that the virtual thread on it blocks: in a system call, in native code, or pinned")
@Category("Heddle")
@StackTrace(false) // of the reporter, which tells nothing
@Period("1 s")
final class BlockedCarrierEvent extends Event {

    @Label("Scheduler")
    String scheduler = "";

    @Label("Reason")
    @Description("syscall: a system call or native code; pinned: waits below a native frame or a class initialiser")
    String reason = "";

    @Label("Blocked For")
    @Description("How long it has been seen blocked; it may have been longer")
    @Timespan(Timespan.NANOSECONDS)
    long blockedFor;

    @Label("Blocked Carriers")
    @Description("All blocked carriers of the scheduler at this time; not each has an event")
    int blockedCarriers;

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
