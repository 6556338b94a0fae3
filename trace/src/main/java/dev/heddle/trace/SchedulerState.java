package dev.heddle.trace;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// A scheduler during a replay.
public final class SchedulerState {

    private final int number;
    private final String name;
    int procs;
    final RunQueue global = new RunQueue(RunQueue.Kind.GLOBAL, null);
    final Map<Integer, Processor> processors = new TreeMap<>();
    final Map<Integer, Machine> machines = new TreeMap<>();
    int runnable;
    int running;
    int withoutProcessor;
    int waiting;
    int spinning;

    /// The world is stopped, or about to be.
    boolean isStopped;

    SchedulerState(int number, String name, int procs) {
        this.number = number;
        this.name = name;
        this.procs = procs;
    }

    public int number() {
        return number;
    }

    public String name() {
        return name;
    }

    /// How many processors it has now.
    public int procs() {
        return procs;
    }

    public Collection<Processor> processors() {
        return processors.values();
    }

    public Collection<Machine> machines() {
        return machines.values();
    }

    /// How many goroutines wait in the global queue.
    public int globalQueue() {
        return global.size();
    }

    public int runnable() {
        return runnable;
    }

    /// How many goroutines run with a processor.
    public int running() {
        return running;
    }

    public int withoutProcessor() {
        return withoutProcessor;
    }

    public int waiting() {
        return waiting;
    }

    /// How many machines search for work.
    public int spinning() {
        return spinning;
    }

    public boolean isStopped() {
        return isStopped;
    }

    /// How many processors have no machine.
    public int idleProcessors() {
        return (int) processors.values().stream()
                .filter(it -> it.id() < procs && it.machine == null)
                .count();
    }

    Processor processor(int id) {
        return processors.computeIfAbsent(id, it -> new Processor(this, it));
    }

    Machine machine(int id) {
        return machines.computeIfAbsent(id, it -> new Machine(this, it));
    }

    @Override
    public String toString() {
        return name;
    }
}
