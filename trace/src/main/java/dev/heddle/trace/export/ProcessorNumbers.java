package dev.heddle.trace.export;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Numbers of processors in a format that knows nothing without a processor: those of Heddle, and *stand-ins*.
///
/// In Go only what has a processor can run, create a goroutine or stop the world, and in Linux a thread runs on
/// a CPU. A machine of Heddle that does so without a processor has a stand-in for that time: a number that
/// Heddle does not have. Numbers are dense, because viewers draw a lane for each up to the highest.
final class ProcessorNumbers {

    private record Real(int scheduler, int processor) {}

    private final Map<Real, Long> real = new HashMap<>();
    private final Deque<Long> free = new ArrayDeque<>();
    private long next;

    /// The number of a processor of Heddle.
    long numberOf(int scheduler, int processor) {
        return real.computeIfAbsent(new Real(scheduler, processor), _ -> next++);
    }

    boolean isKnown(int scheduler, int processor) {
        return real.containsKey(new Real(scheduler, processor));
    }

    /// Whether the next [#take] returns a number that was not used before.
    boolean isNextNew() {
        return free.isEmpty();
    }

    long take() {
        Long again = free.poll();
        if (again != null) {
            return again;
        }
        return takeNew();
    }

    /// A stand-in that was not used before, for a stream with times of its own. It is never given back.
    long takeNew() {
        return next++;
    }

    void give(long standIn) {
        free.push(standIn);
    }

    /// The stand-ins that were given back.
    List<Long> idle() {
        return List.copyOf(free);
    }
}
