package dev.heddle.observe;

import java.io.Serializable;

/// The figures of one moment: of a scheduler, and of the JVM around it.
///
/// @param snapshot  the scheduler's
/// @param vainPolls channel operations and selects that did not wait and found nothing, since the JVM began
/// @param heapUsed  bytes
/// @param heapMax   bytes that the heap may grow to
/// @param gcMillis  for which collections stopped the program, since the JVM began
/// @param cpuNanos  CPU time of the process
public record Sample(
        SchedulerSnapshot snapshot, long vainPolls, long heapUsed, long heapMax, long gcMillis, long cpuNanos)
        implements Serializable {}
