package dev.heddle.internal.observe;

import dev.heddle.stats.GoroutineStats;
import java.util.List;

/// The goroutines at one point in time.
///
/// @param nanoTime   when the dump was taken, on the clock of the samples
/// @param goroutines the goroutines in the dump
/// @param complete   whether no goroutine was left out because of a limit of the dump
/// @param platform   the platform threads that run code of the program; carriers of goroutines are not among them
/// @param blockers   what the threads wait for, as far as it is of `java.util.concurrent`
/// @param pools      the pools of threads
/// @param surroundings what the goroutines use: queues, sockets, timeouts
public record Dump(
        long nanoTime,
        List<GoroutineStats> goroutines,
        boolean complete,
        List<GoroutineStats> platform,
        List<Blocker> blockers,
        List<Pool> pools,
        Surroundings surroundings) {

    public Dump {
        goroutines = List.copyOf(goroutines);
        platform = List.copyOf(platform);
        blockers = List.copyOf(blockers);
        pools = List.copyOf(pools);
    }

    /// A dump of goroutines only.
    Dump(long nanoTime, List<GoroutineStats> goroutines, boolean complete) {
        this(nanoTime, goroutines, complete, List.of(), List.of(), List.of(), Surroundings.UNKNOWN);
    }
}
