package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.internal.observe.SampleWindow;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/// The data of one scheduler over some seconds.
///
/// @param samples figures at short intervals, at least two
/// @param dumps   goroutines, at longer intervals
/// @param classes class files of the user's code on the stacks, by name; unavailable ones are missing
public record Observation(List<Sample> samples, List<Dump> dumps, Map<String, byte[]> classes) {

    public Observation {
        samples = List.copyOf(samples);
        dumps = List.copyOf(dumps);
        classes = Map.copyOf(classes);
        if (samples.size() < 2) {
            throw new IllegalArgumentException("an observation needs two samples, not " + samples.size());
        }
    }

    /// Makes an observation from a recording.
    public static Observation of(SampleWindow recording) {
        return new Observation(recording.samples(), recording.dumps(), recording.classes());
    }

    /// The part from this time on, with at least two samples; the same data otherwise.
    Observation from(long nanoTime) {
        return new Observation(
                samples.stream()
                        .filter(it -> it.snapshot().nanoTime() >= nanoTime)
                        .toList(),
                dumps.stream().filter(it -> it.nanoTime() >= nanoTime).toList(),
                classes);
    }

    public Sample first() {
        return samples.getFirst();
    }

    public Sample last() {
        return samples.getLast();
    }

    /// The duration of the observation.
    public double seconds() {
        return Math.max(1e-3, (last().snapshot().nanoTime() - first().snapshot().nanoTime()) / 1e9);
    }

    /// The increase of a counter.
    long growth(ToLongFunction<Sample> counter) {
        return counter.applyAsLong(last()) - counter.applyAsLong(first());
    }

    /// The increase of a counter per second.
    double rate(ToLongFunction<Sample> counter) {
        return growth(counter) / seconds();
    }

    /// The share of the samples, 0 to 1, that satisfy the condition.
    double share(Predicate<Sample> holds) {
        return (double) samples.stream().filter(holds).count() / samples.size();
    }

    double mean(ToDoubleFunction<Sample> figure) {
        return samples.stream().mapToDouble(figure).average().orElse(0);
    }
}
