package dev.heddle.observe;

import dev.heddle.stats.GoroutineStats;
import java.io.Serializable;
import java.util.List;

/// The goroutines of one moment.
///
/// @param nanoTime   when it was taken, on the clock of the samples
/// @param goroutines those that were looked at
/// @param complete   whether these were all; not if there were more than one looks at
public record Dump(long nanoTime, List<GoroutineStats> goroutines, boolean complete) implements Serializable {

    public Dump {
        goroutines = List.copyOf(goroutines);
    }
}
