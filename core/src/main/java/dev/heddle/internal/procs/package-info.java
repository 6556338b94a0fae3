/// How many processors (Ps) to run, and on which CPUs: affinity, cgroup quotas, throttling, NUMA.
///
/// Everything is read through [dev.heddle.internal.procs.SystemFiles], so tests can fake every case. Of Heddle the
/// package uses only the settings. Code that runs while the JVM starts (all but `LinuxCalls` and the report) uses no
/// lambda, stream, regular expression or formatted string, and joins strings by `+` only to report a problem: the first
/// use of each costs milliseconds.
@NullMarked
package dev.heddle.internal.procs;

import org.jspecify.annotations.NullMarked;
