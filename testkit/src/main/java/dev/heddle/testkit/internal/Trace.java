package dev.heddle.testkit.internal;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The choices of one schedule: for each step the thread that was chosen, and among how many.
final class Trace {

    private int[] chosen = new int[64];
    private int[] options = new int[64];
    private int steps;
    private long hash = 1125899906842597L;

    void add(int thread, int optionCount, long now) {
        if (steps == chosen.length) {
            chosen = Arrays.copyOf(chosen, 2 * steps);
            options = Arrays.copyOf(options, 2 * steps);
        }
        chosen[steps] = thread;
        options[steps] = optionCount;
        steps++;
        hash = ((hash * 31 + thread) * 31 + optionCount) * 31 + now;
    }

    int steps() {
        return steps;
    }

    /// The same for two schedules that are the same; with times.
    long hash() {
        return hash;
    }

    /// All choices, by step.
    SortedMap<Integer, Integer> choices() {
        SortedMap<Integer, Integer> all = new TreeMap<>();
        for (int i = 0; i < steps; i++) {
            if (options[i] > 1) {
                all.put(i, chosen[i]);
            }
        }
        return all;
    }

    /// Where another run of the same schedule differs, as a sentence; null if it does not.
    @Nullable
    String differenceTo(Trace other) {
        for (int i = 0; i < Math.min(steps, other.steps); i++) {
            if (options[i] != other.options[i]) {
                return "step " + i + " had " + options[i] + " threads to choose from, now " + other.options[i];
            }
            if (chosen[i] != other.chosen[i]) {
                return "step " + i + " chose thread #" + chosen[i] + ", now #" + other.chosen[i];
            }
        }
        if (steps != other.steps) {
            return "there were " + steps + " steps, now " + other.steps;
        }
        return hash == other.hash ? null : "the clock showed other times";
    }
}
