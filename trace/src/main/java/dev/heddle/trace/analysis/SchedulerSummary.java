package dev.heddle.trace.analysis;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.State;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/// What one scheduler did in the window of a recording, in totals.
public final class SchedulerSummary {

    private final int number;
    private final String name;
    int procs;
    int machines;
    int mostRunnable;
    private final Map<State, Long> times = new EnumMap<>(State.class);
    private final Map<String, Distribution> waits = new TreeMap<>();
    private final LongFunction<List<String>> stacks;
    private final Map<String, ParkPlace> places = new HashMap<>();
    private final Map<Goroutine.Cause, Distribution> latencies = new EnumMap<>(Goroutine.Cause.class);
    private final Distribution latency = new Distribution();
    private final Distribution runs = new Distribution();
    private final Map<String, KindTotals> kinds = new HashMap<>();
    private final Map<Integer, ProcessorTotals> processors = new TreeMap<>();
    private final Map<HandOffReason, Long> handOffs = new EnumMap<>(HandOffReason.class);
    private final Distribution stops = new Distribution();
    private long goroutines;
    private long steals;
    private long spills;
    private long preemptions;
    private long stopBegan = -1;

    /// @param stacks the frames of a stack by its number in the recording; none if it is unknown
    SchedulerSummary(int number, String name, LongFunction<List<String>> stacks) {
        this.stacks = stacks;
        this.number = number;
        this.name = name;
    }

    // ---- collecting

    void appears(Goroutine goroutine) {
        goroutines++;
        kindOf(goroutine).goroutines++;
    }

    private KindTotals kindOf(Goroutine goroutine) {
        return kinds.computeIfAbsent(goroutine.kind(), KindTotals::new);
    }

    private ProcessorTotals processor(int id) {
        return processors.computeIfAbsent(id, ProcessorTotals::new);
    }

    void interval(Goroutine goroutine, long until) {
        long time = until - goroutine.since();
        times.merge(goroutine.state(), time, Long::sum);
        KindTotals kind = kindOf(goroutine);
        switch (goroutine.state()) {
            case RUNNABLE -> {
                kind.runnable += time;
                kind.longestRunnable = Math.max(kind.longestRunnable, time);
                if (goroutine.cause() != Goroutine.Cause.UNKNOWN) {
                    latency.add(time);
                    latencies
                            .computeIfAbsent(goroutine.cause(), _ -> new Distribution())
                            .add(time);
                }
            }
            case RUNNING -> {
                kind.running += time;
                Machine machine = goroutine.machine();
                Processor processor = machine == null ? null : machine.processor();
                if (processor != null) {
                    processor(processor.id()).running += time;
                }
            }
            case WITHOUT_PROCESSOR -> kind.withoutProcessor += time;
            case WAITING -> {
                kind.waiting += time;
                waits.computeIfAbsent(goroutine.reason().toString(), _ -> new Distribution())
                        .add(time);
                List<String> stack = stacks.apply(goroutine.stack());
                if (!stack.isEmpty()) {
                    places.computeIfAbsent(ParkPlace.frameOf(stack), ParkPlace::new)
                            .add(time);
                }
            }
            case ENDED -> {}
        }
    }

    void started(Goroutine goroutine, Machine machine) {
        kindOf(goroutine).runs++;
        Processor processor = machine.processor();
        if (processor != null) {
            processor(processor.id()).runs++;
        }
    }

    void ran(long nanos) {
        runs.add(nanos);
    }

    void owned(Processor processor, long nanos) {
        processor(processor.id()).owned += nanos;
    }

    void event(TraceEvent event, int thief) {
        switch (event.kind()) {
            case STEAL -> {
                steals++;
                processor(thief).stolen.merge((int) event.get(Field.PROCESSOR), event.get(Field.COUNT), Long::sum);
            }
            case SPILL -> spills++;
            case SLICE_END -> preemptions++;
            case HAND_OFF -> {
                HandOffReason[] reasons = HandOffReason.values();
                handOffs.merge(reasons[(int) Math.min(reasons.length - 1, event.get(Field.WHY))], 1L, Long::sum);
            }
            case STW_BEGIN -> stopBegan = event.time();
            case STW_END -> {
                if (stopBegan >= 0) {
                    stops.add(event.time() - stopBegan);
                    stopBegan = -1;
                }
            }
            default -> {}
        }
    }

    // ---- results

    /// Its number in the recording.
    public int number() {
        return number;
    }

    public String name() {
        return name;
    }

    /// The processors at the end.
    public int procs() {
        return procs;
    }

    /// How many machines took part.
    public int machines() {
        return machines;
    }

    public long goroutines() {
        return goroutines;
    }

    /// How many goroutines were runnable at once, at most.
    public int mostRunnable() {
        return mostRunnable;
    }

    /// For how long goroutines were in each state, all together, in nanoseconds.
    public Map<State, Long> times() {
        return times;
    }

    /// The waits by their reasons.
    public Map<String, Distribution> waits() {
        return waits;
    }

    /// Where goroutines parked whose stacks were taken, by the time that they waited there.
    public List<ParkPlace> places() {
        return places.values().stream()
                .sorted(Comparator.comparingLong((ParkPlace it) -> it.waits().sum())
                        .reversed()
                        .thenComparing(ParkPlace::frame))
                .toList();
    }

    /// From runnable to running.
    public Distribution latency() {
        return latency;
    }

    /// The same by what made the goroutine runnable.
    public Map<Goroutine.Cause, Distribution> latencies() {
        return latencies;
    }

    /// From start to park, yield or end.
    public Distribution runs() {
        return runs;
    }

    /// The kinds of goroutines, by the time that they ran.
    public List<KindTotals> kinds() {
        return kinds.values().stream()
                .sorted(Comparator.comparingLong((KindTotals it) -> it.running + it.withoutProcessor)
                        .reversed()
                        .thenComparing(KindTotals::kind))
                .toList();
    }

    public List<ProcessorTotals> processors() {
        return List.copyOf(processors.values());
    }

    public Map<HandOffReason, Long> handOffs() {
        return handOffs;
    }

    public Distribution stops() {
        return stops;
    }

    public long steals() {
        return steals;
    }

    public long spills() {
        return spills;
    }

    public long preemptions() {
        return preemptions;
    }
}
