package dev.heddle.trace.export;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.Replay;
import dev.heddle.trace.SchedulerState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// The tracks of a Perfetto file: describes each before its first event.
final class PerfettoTracks {

    /// How siblings are ordered, from the top.
    private enum Rank {
        WORLD,
        MONITOR,
        COUNTER,
        PROCESSOR,
        QUEUE,
        MACHINE,
        OTHER,
        GOROUTINE
    }

    private static final int SIBLINGS = 10_000;

    private final PerfettoWriter out;
    private final long process;
    private final Map<Object, Long> tracks = new HashMap<>();
    private final Map<Long, Long> counters = new HashMap<>();
    private final Map<Goroutine, Deque<String>> regions = new HashMap<>();
    private long last;
    private boolean isAlone = true;

    PerfettoTracks(PerfettoWriter out, long process) {
        this.out = out;
        this.process = process;
        this.last = process;
    }

    private record Key(Rank rank, int scheduler, String name) {}

    private long track(SchedulerState scheduler, Rank rank, int order, String name) throws IOException {
        return find(scheduler, rank, order, name, false);
    }

    private long find(SchedulerState scheduler, Rank rank, int order, String name, boolean isCounter)
            throws IOException {
        Key key = new Key(rank, scheduler.number(), name);
        Long known = tracks.get(key);
        if (known != null) {
            return known;
        }
        long track = ++last;
        tracks.put(key, track);
        String full = isAlone ? name : scheduler.name() + ": " + name;
        int place = rank.ordinal() * SIBLINGS + order;
        if (isCounter) {
            out.counterTrack(track, process, full, place);
        } else {
            out.track(track, process, full, place);
        }
        return track;
    }

    /// Describes what every scheduler has.
    void describe(SchedulerState scheduler) throws IOException {
        isAlone &= scheduler.number() == 0;
        long _ = world(scheduler);
        for (Processor processor : scheduler.processors()) {
            long _ = of(processor);
        }
    }

    // ---- tracks

    /// The track on which the machine's goroutine is shown: its processor's, or its own.
    long of(Machine machine, long nanos) throws IOException {
        Processor processor = machine.processor();
        return processor == null ? withoutProcessor(machine) : of(processor);
    }

    long of(Processor processor) throws IOException {
        return ofProcessor(processor.scheduler(), processor.id());
    }

    long ofProcessor(SchedulerState scheduler, int processor) throws IOException {
        return track(scheduler, Rank.PROCESSOR, processor, "P" + processor);
    }

    long withoutProcessor(Machine machine) throws IOException {
        return track(machine.scheduler(), Rank.MACHINE, machine.id(), machine + " without a processor");
    }

    long world(SchedulerState scheduler) throws IOException {
        return track(scheduler, Rank.WORLD, 0, "World");
    }

    long monitor(SchedulerState scheduler) throws IOException {
        return track(scheduler, Rank.MONITOR, 0, "System monitor");
    }

    long otherThreads(SchedulerState scheduler) throws IOException {
        return track(scheduler, Rank.OTHER, 0, "Other threads");
    }

    // ---- counters

    /// Writes the counters that have changed.
    void count(Replay replay, long nanos) throws IOException {
        for (SchedulerState scheduler : replay.schedulers()) {
            count(scheduler, Rank.COUNTER, 0, "runnable", scheduler.runnable(), nanos);
            count(scheduler, Rank.COUNTER, 1, "running", scheduler.running(), nanos);
            count(scheduler, Rank.COUNTER, 2, "without a processor", scheduler.withoutProcessor(), nanos);
            count(scheduler, Rank.COUNTER, 3, "waiting", scheduler.waiting(), nanos);
            count(scheduler, Rank.COUNTER, 4, "spinning machines", scheduler.spinning(), nanos);
            count(scheduler, Rank.COUNTER, 5, "global queue", scheduler.globalQueue(), nanos);
            for (Processor processor : scheduler.processors()) {
                count(scheduler, Rank.QUEUE, processor.id(), processor + " queue", processor.queued(), nanos);
            }
        }
    }

    private void count(SchedulerState scheduler, Rank rank, int order, String name, long value, long nanos)
            throws IOException {
        long track = find(scheduler, rank, order, name, true);
        Long before = counters.put(track, value);
        if (before == null || before != value) {
            out.counter(nanos, track, value);
        }
    }

    // ---- what has tracks only where it occurs

    /// A pause is reported after it has ended, and two reports may overlap a little.
    void pause(TraceEvent event) throws IOException {
        Long known = tracks.get("GC");
        if (known == null) {
            known = ++last;
            tracks.put("GC", known);
            out.track(known, process, "Garbage collector", Rank.WORLD.ordinal() * SIBLINGS + 1);
        }
        long begin = Math.max(pausesEnd, event.time() - event.get(Field.AGO));
        long end = Math.max(begin, event.time() - event.get(Field.AGO) + event.get(Field.NANOS));
        out.begin(begin, known, event.name()).write();
        out.end(end, known);
        pausesEnd = end;
    }

    private long pausesEnd;

    /// Regions and log entries are on a track of their goroutine, where they nest, whatever it runs on.
    void annotate(Goroutine goroutine, TraceEvent event) throws IOException {
        Long known = tracks.get(goroutine);
        if (known == null) {
            known = ++last;
            tracks.put(goroutine, known);
            out.track(known, process, goroutine.description(), Rank.GOROUTINE.ordinal() * SIBLINGS);
        }
        Deque<String> open = regions.computeIfAbsent(goroutine, _ -> new ArrayDeque<>());
        switch (event.kind()) {
            case REGION_BEGIN -> {
                open.push(event.name());
                out.begin(event.time(), known, event.name()).write();
            }
            case REGION_END -> {
                if (event.name().equals(open.peek())) {
                    open.pop();
                    out.end(event.time(), known);
                }
            }
            default ->
                out.instant(event.time(), known, event.name())
                        .argument("message", event.text())
                        .write();
        }
    }

    /// The goroutine has ended, and with it its regions.
    void forget(Goroutine goroutine, long nanos) throws IOException {
        Long known = tracks.remove(goroutine);
        Deque<String> open = regions.remove(goroutine);
        if (known != null && open != null) {
            for (int i = 0; i < open.size(); i++) {
                out.end(nanos, known);
            }
        }
    }
}
