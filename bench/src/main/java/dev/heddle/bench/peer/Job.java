package dev.heddle.bench.peer;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// One run of a program: its size, its figures, and the connection to the caller.
public final class Job {

    /// Sends a question to the caller and waits for the answer.
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

    /// The number of operations.
    public int size() {
        return size;
    }

    /// The number of goroutines, slots or connections, depending on the workload.
    public int width() {
        return width;
    }

    /// Throws if the result is wrong.
    public void check(long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException("the result is " + actual + ", not " + expected);
        }
    }

    /// Reports a figure in addition to the time of the run. Infinity means never.
    public void figure(String name, double value) {
        figures.put(name, value);
    }

    /// Asks the caller to do its part, and waits for its answer.
    public String ask(String line) throws IOException {
        return caller.ask("ask " + line);
    }

    /// All figures in the form of the protocol: `name=value name=value`.
    String line() {
        StringBuilder line = new StringBuilder();
        figures.forEach((name, value) -> line.append(line.isEmpty() ? "" : " ")
                .append(name)
                .append('=')
                .append(Double.isInfinite(value) ? "never" : String.format(Locale.ROOT, "%.1f", value)));
        return line.toString();
    }
}
