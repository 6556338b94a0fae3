package dev.heddle.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// The CPU quota stopped the process since the last period.
@Name("heddle.Throttling")
@Label("CPU Quota Throttling")
@Description("The CPU quota of the cgroup stopped the process")
@Category("Heddle")
@StackTrace(false) // of the reporter, which tells nothing
@Period("1 s")
final class ThrottlingEvent extends Event {

    @Label("Throttled Periods")
    @Description("Periods of the quota in which the process was stopped, since the last event")
    long throttledPeriods;

    @Label("Throttled Time")
    @Description("For how long, summed over CPUs, since the last event")
    @Timespan(Timespan.NANOSECONDS)
    long throttledTime;

    @Label("Quota")
    @Description("CPUs' worth of time that the cgroup allows")
    double quotaCpus;
}
