package dev.heddle.bench.peer;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// One run of a program: how large it is, what it found, and the line to whoever asked for it.
public final class Job {

    /// Asks whoever wanted the run, and waits for the answer.
    @FunctionalInterface
    public interface Caller {
        String ask(String line) throws IOException;
    }

    private final int size;
    private final int width;
    private final Caller caller;
    private final Map<String, Double> figures = new TreeMap<>();

    Job(int size, int width, Caller caller) {
        this.size = size;
        this.width = width;
        this.caller = caller;
    }

    /// How many operations.
    public int size() {
        return size;
    }

    /// How many goroutines, slots or connections, as the workload has it.
    public int width() {
        return width;
    }

    /// Says that a sum is wrong, if it is.
    public void check(long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException("the result is " + actual + ", not " + expected);
        }
    }

    /// Reports a figure beyond the time of the run. Infinite means never.
    public void figure(String name, double value) {
        figures.put(name, value);
    }

    /// Asks the caller to do his part, and waits for his answer.
    public String ask(String line) throws IOException {
        return caller.ask("ask " + line);
    }

    /// All figures, as they go over the line: `name=value name=value`.
    String line() {
        StringBuilder line = new StringBuilder();
        figures.forEach((name, value) -> line.append(line.isEmpty() ? "" : " ")
                .append(name)
                .append('=')
                .append(Double.isInfinite(value) ? "never" : String.format(Locale.ROOT, "%.1f", value)));
        return line.toString();
    }
}
