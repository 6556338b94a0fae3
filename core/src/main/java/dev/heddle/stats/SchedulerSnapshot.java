package dev.heddle.stats;

import java.util.List;
import java.util.Locale;

/// All counters of one scheduler, read without stopping it.
///
/// The states are Go's (`/sched/goroutines/...`, F94): `running` are processors at work, and goroutines that compute on
/// without the processor that was taken from them; `waiting` is what is left of `live`.
///
/// @param name       the scheduler's; of two of the same name the younger one's ends in `#2`
/// @param jvmWide    whether it runs every virtual thread of the JVM
/// @param nanoTime   when this was taken, on the clock of `System.nanoTime()` in that JVM
/// @param stats      its counters
/// @param processors its processors
/// @param machines   its machines, the newest first
/// @param latency    how long goroutines waited for a processor
/// @param limits     how its number of processors was decided
/// @param created    goroutines and virtual threads ever started
/// @param runnable   of the live ones, queued
/// @param running    of the live ones, on a processor, or computing without one
/// @param notInGo    of the live ones, blocking a carrier
/// @param waiting    of the live ones, parked
public record SchedulerSnapshot(
        String name,
        boolean jvmWide,
        long nanoTime,
        SchedulerStats stats,
        List<ProcessorStats> processors,
        List<MachineStats> machines,
        LatencyStats latency,
        LimitStats limits,
        long created,
        long runnable,
        long running,
        long notInGo,
        long waiting) {

    public SchedulerSnapshot {
        processors = List.copyOf(processors);
        machines = List.copyOf(machines);
    }

    /// Machines whose thread blocks them, in a system call or pinned.
    public int blockedMachines() {
        return (int) machines.stream().filter(MachineStats::blocked).count();
    }

    /// Of the blocked machines, those whose thread is pinned.
    public int pinnedMachines() {
        return (int) machines.stream().filter(MachineStats::pinned).count();
    }

    /// Machines that lost their processor for computing too long, and still compute.
    public int hogs() {
        return (int) machines.stream().filter(MachineStats::hog).count();
    }

    /// The number of live goroutines that wait while pinned.
    public long pinned() {
        return Math.min(notInGo, pinnedMachines());
    }

    /// The number of live goroutines that block a carrier in a system call or in native code.
    public long inSyscalls() {
        return notInGo - pinned();
    }

    /// The states of the live goroutines, as every command prints them.
    public String states() {
        return String.format(
                Locale.ROOT,
                "%,d running, %,d runnable, %,d in syscalls, %,d pinned, %,d waiting",
                running,
                runnable,
                inSyscalls(),
                pinned(),
                waiting);
    }

    /// The states of the carrier threads, as every command prints them.
    public String threadStates() {
        return String.format(
                Locale.ROOT,
                "%,d idle, %,d spinning, %,d blocked (%,d pinned), %,d hogs",
                stats.idleThreads(),
                stats.spinning(),
                blockedMachines(),
                pinnedMachines(),
                hogs());
    }
}
