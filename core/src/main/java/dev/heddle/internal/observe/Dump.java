package dev.heddle.internal.observe;

import dev.heddle.stats.GoroutineStats;
import java.util.List;

/// The goroutines at one point in time.
///
/// @param nanoTime   when the dump was taken, on the clock of the samples
/// @param goroutines the goroutines in the dump
/// @param complete   whether no goroutine was left out because of a limit of the dump
public record Dump(long nanoTime, List<GoroutineStats> goroutines, boolean complete) {

    public Dump {
        goroutines = List.copyOf(goroutines);
    }
}
