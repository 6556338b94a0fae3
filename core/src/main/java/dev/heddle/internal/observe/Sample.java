package dev.heddle.internal.observe;

import dev.heddle.stats.SchedulerSnapshot;

/// The metrics of a scheduler and of its JVM at one point in time.
///
/// @param snapshot      the snapshot of the scheduler
/// @param vainPolls     channel operations and selects that did not wait and found nothing, since the JVM started
/// @param heapUsed      used heap in bytes
/// @param heapMax       bytes that the heap may grow to
/// @param gcMillis      time for which collections stopped the program, since the JVM started
/// @param cpuNanos      CPU time of the process
/// @param compileMillis CPU time of the JIT compilers, since the JVM started; the elapsed time of compilations where
///                      that is not known, 0 if neither is
/// @param classesLoaded classes loaded since the JVM started
public record Sample(
        SchedulerSnapshot snapshot,
        long vainPolls,
        long heapUsed,
        long heapMax,
        long gcMillis,
        long cpuNanos,
        long compileMillis,
        long classesLoaded) {}
