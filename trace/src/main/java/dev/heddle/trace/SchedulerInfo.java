package dev.heddle.trace;

import dev.heddle.internal.trace.ByteSource;

/// A scheduler of the recorded JVM.
///
/// @param number its number in the file
/// @param name   its name
/// @param procs  its processors when it was first mentioned
public record SchedulerInfo(int number, String name, int procs) {

    /// Heddle allows no more.
    static final int MOST_PROCS = 0xFFFF;

    static SchedulerInfo of(ByteSource in) throws ByteSource.Damage {
        return new SchedulerInfo(in.count(Integer.MAX_VALUE), in.text(), in.count(MOST_PROCS));
    }
}
