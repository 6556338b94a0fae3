package dev.heddle.trace.analysis;

import java.util.Map;
import java.util.TreeMap;

/// What one processor did.
public final class ProcessorTotals {

    private final int id;
    long running;
    long owned;
    long runs;
    final Map<Integer, Long> stolen = new TreeMap<>();

    ProcessorTotals(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /// For how long goroutines ran on it, in nanoseconds.
    public long running() {
        return running;
    }

    /// For how long it had a machine.
    public long owned() {
        return owned;
    }

    public long runs() {
        return runs;
    }

    /// How many entries its machines have stolen, by the victim's number.
    public Map<Integer, Long> stolen() {
        return stolen;
    }
}
