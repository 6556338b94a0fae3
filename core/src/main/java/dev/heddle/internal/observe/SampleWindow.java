package dev.heddle.internal.observe;

import java.util.List;
import java.util.Map;

/// What a [Sampler] recorded of one scheduler during some seconds.
///
/// @param scheduler its name
/// @param samples   figures, at short intervals
/// @param dumps     goroutines, at longer intervals
/// @param classes   class files of the program's own code on the stacks, by name; unavailable ones are missing
public record SampleWindow(String scheduler, List<Sample> samples, List<Dump> dumps, Map<String, byte[]> classes) {

    public SampleWindow {
        samples = List.copyOf(samples);
        dumps = List.copyOf(dumps);
        classes = Map.copyOf(classes);
    }
}
