package dev.heddle.client;

import dev.heddle.stats.GoroutineState;
import java.util.Comparator;
import java.util.List;

/// The orders in which `heddle top` lists threads. The first letter of each is its key.
public enum ThreadOrder {
    /// The longest wait first, then what does not wait.
    wait(Comparator.comparing((ThreadTime it) -> it.state() != GoroutineState.WAITING)
            .thenComparing(longestFirst())),
    /// The longest runnable first, then what runs, then what waits.
    runnable(Comparator.comparingInt((ThreadTime it) -> it.state().number()).thenComparing(longestFirst())),
    /// By name, threads without a name last.
    name(Comparator.comparing((ThreadTime it) -> it.name().isEmpty())
            .thenComparing(ThreadTime::name)
            .thenComparingLong(ThreadTime::id)),
    /// By id: the oldest first.
    id(Comparator.comparingLong(ThreadTime::id));

    private final Comparator<ThreadTime> comparator;

    ThreadOrder(Comparator<ThreadTime> comparator) {
        this.comparator = comparator;
    }

    private static Comparator<ThreadTime> longestFirst() {
        return Comparator.comparingLong(ThreadTime::nanos).reversed().thenComparingLong(ThreadTime::id);
    }

    public char key() {
        return name().charAt(0);
    }

    public List<ThreadTime> sorted(List<ThreadTime> threads) {
        return threads.stream().sorted(comparator).toList();
    }
}
