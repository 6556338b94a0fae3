package dev.heddle.trace.export;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import dev.heddle.trace.SchedulerState;
import dev.heddle.trace.State;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes a recording in Go's execution trace format, for `go tool trace`.
///
/// What Go has no words for is told with the words that it has; `docs/trace.md` has the table.
public final class GoExport implements ReplayListener {
    /*
     * Without P.   A goroutine that goes on without a processor looks like one in a system call whose processor is
     *              taken, and which then continues on a stand-in (ProcessorNumbers).
     * Foreign.     A thread that is no machine uses a stand-in, too, while it creates a goroutine. For waking it needs
     *              none.
     * World.       A thread without a goroutine that stops the world has one of its own for that time.
     * Notes.       Steals, spills and hand-offs become log entries, which need a goroutine: what a machine notes while
     *              it has none is written after its next start.
     * Pauses.      A pause of the garbage collector is reported after it has ended. It has a stream and a stand-in of
     *              its own, where its times are the only ones.
     */

    /// So that any part of a large file can be read by itself.
    private static final int EVENTS_PER_GENERATION = 100_000;

    /// Each generation lists all goroutines: if there are many, it should be longer than that list.
    private static final int EVENTS_PER_GOROUTINE = 4;

    private static final long MACHINES_PER_SCHEDULER = 100_000;
    private static final long FIRST_FOREIGN = 1_000_000_000;

    /// The stream of what no machine writes: the statuses at the beginning of a generation.
    private static final long RECORDER = 2_000_000_000;

    private static final long COLLECTOR = RECORDER + 1;

    /// Goroutines that stand for threads which stop the world, and for pauses.
    private static final long FIRST_OWN = 3_000_000_000_000L;

    private final GoWriter out;
    private final Recording recording;
    private final ProcessorNumbers processors = new ProcessorNumbers();
    private final Map<Machine, Long> standIns = new HashMap<>();
    private final Map<Machine, List<String>> notes = new HashMap<>();
    private final Map<Long, Stopper> stoppers = new HashMap<>();
    private final Map<Goroutine, List<Region>> regions = new HashMap<>();
    private @Nullable Replay replay;
    private long now;
    private long events;
    private long ownGoroutines;
    private long collectorProcessor = -1;
    private long collected;
    private long gcSequence;

    /// A thread that stops the world, with what it has for that time.
    private record Stopper(long stream, long standIn) {}

    private record Region(long task, String name) {}

    private GoExport(Recording recording, GoVersion version, OutputStream out) throws IOException {
        this.recording = recording;
        this.out = new GoWriter(version, recording.header().wallStart(), out);
    }

    /// Writes the window of the recording.
    ///
    /// @throws dev.heddle.trace.RecordingException if the recording contradicts itself
    public static void write(Recording recording, GoVersion version, OutputStream out) throws IOException {
        GoExport export = new GoExport(recording, version, out);
        Replay.of(recording, export);
    }

    // ---- streams and processors

    private static long streamOf(Machine machine) {
        return machine.scheduler().number() * MACHINES_PER_SCHEDULER + machine.id();
    }

    private long numberOf(Processor processor) {
        int scheduler = processor.scheduler().number();
        boolean isNew = !processors.isKnown(scheduler, processor.id());
        long number = processors.numberOf(scheduler, processor.id());
        if (isNew) {
            out.procStatus(RECORDER, now, number, GoEvent.PROC_IDLE);
        }
        return number;
    }

    /// The stream gets a processor that Heddle does not have.
    private long takeStandIn(long stream) {
        boolean isNew = processors.isNextNew();
        long standIn = processors.take();
        if (isNew) {
            out.procStatus(RECORDER, now, standIn, GoEvent.PROC_IDLE);
        }
        out.procStart(stream, now, standIn);
        return standIn;
    }

    private void giveStandIn(long stream, long standIn) {
        out.procStop(stream, now);
        processors.give(standIn);
    }

    private void dropStandIn(Machine machine) {
        Long standIn = standIns.remove(machine);
        if (standIn != null) {
            giveStandIn(streamOf(machine), standIn);
        }
    }

    // ---- generations

    @Override
    public void begins(Replay replay) {
        this.replay = replay;
        now = recording.from();
        out.beginGeneration(now);
        for (SchedulerState scheduler : replay.schedulers()) {
            for (Processor processor : scheduler.processors()) {
                long number = processors.numberOf(scheduler.number(), processor.id());
                Machine machine = processor.machine();
                status(number, machine == null ? -1 : streamOf(machine));
            }
        }
        for (Goroutine goroutine : replay.goroutines()) {
            Machine machine = goroutine.machine();
            if (machine != null && machine.processor() == null) {
                long standIn = processors.take();
                standIns.put(machine, standIn);
                status(standIn, streamOf(machine));
            }
            status(goroutine);
        }
    }

    /// @param stream of the machine that has it; -1: none
    private void status(long processor, long stream) {
        if (stream < 0) {
            out.procStatus(RECORDER, now, processor, GoEvent.PROC_IDLE);
        } else {
            out.procStatus(stream, now, processor, GoEvent.PROC_RUNNING);
        }
    }

    private void status(Goroutine goroutine) {
        Machine machine = goroutine.machine();
        if (machine != null) {
            out.goStatus(streamOf(machine), now, goroutine.id(), streamOf(machine), GoEvent.RUNNING);
        } else {
            int status = goroutine.state() == State.RUNNABLE ? GoEvent.RUNNABLE : GoEvent.WAITING;
            out.goStatus(RECORDER, now, goroutine.id(), GoEvent.NO_MACHINE, status);
        }
    }

    private void nextGeneration(Replay current) throws IOException {
        out.endGeneration();
        events = 0;
        collected = Math.max(collected, now);
        out.beginGeneration(now);
        for (SchedulerState scheduler : current.schedulers()) {
            for (Processor processor : scheduler.processors()) {
                if (processors.isKnown(scheduler.number(), processor.id())) {
                    Machine machine = processor.machine();
                    status(numberOf(processor), machine == null ? -1 : streamOf(machine));
                }
            }
        }
        standIns.forEach((machine, standIn) -> status(standIn, streamOf(machine)));
        processors.idle().forEach(it -> status(it, -1));
        if (collectorProcessor >= 0) {
            status(collectorProcessor, -1);
        }
        current.goroutines().forEach(this::status);
    }

    @Override
    public void ends(Replay replay) throws IOException {
        out.endGeneration();
    }

    // ---- goroutines

    @Override
    public void created(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        long stream = streamOf(by, event);
        String name = GoWords.name(goroutine.kind());
        if (by != null && (by.processor() != null || standIns.containsKey(by))) {
            out.goCreate(stream, now, goroutine.id(), name);
        } else if (stoppers.containsKey(stream)) {
            out.goCreate(stream, now, goroutine.id(), name);
        } else {
            long standIn = takeStandIn(stream);
            out.goCreate(stream, now, goroutine.id(), name);
            giveStandIn(stream, standIn);
        }
    }

    private static long streamOf(@Nullable Machine machine, TraceEvent event) {
        return machine == null ? FIRST_FOREIGN + event.writer() : streamOf(machine);
    }

    @Override
    public void woken(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        out.goUnblock(streamOf(by, event), now, goroutine.id());
    }

    /// Go has no word for a wake-up that failed: the goroutine runs for no time on a stand-in, and waits again.
    /// One that was never started stays runnable.
    @Override
    public void refused(Goroutine goroutine) {
        if (goroutine.state() == State.WAITING) {
            long standIn = takeStandIn(RECORDER);
            out.goStart(RECORDER, now, goroutine.id());
            out.goBlock(RECORDER, now, "out of memory", List.of());
            giveStandIn(RECORDER, standIn);
        }
    }

    @Override
    public void started(Goroutine goroutine, Machine machine) {
        if (machine.processor() == null) {
            standIns.put(machine, takeStandIn(streamOf(machine)));
        }
        out.goStart(streamOf(machine), now, goroutine.id());
        List<String> pending = notes.remove(machine);
        if (pending != null) {
            pending.forEach(it -> out.log(streamOf(machine), now, 0, "heddle", it));
        }
    }

    @Override
    public void stopped(Goroutine goroutine, Machine machine, Stop how) {
        long stream = streamOf(machine);
        switch (how) {
            case PARK ->
                out.goBlock(
                        stream,
                        now,
                        GoWords.reason(goroutine.reason()),
                        GoWords.stack(recording.stack(goroutine.stack()), GoWords.name(goroutine.kind())));
            case YIELD -> out.goStop(stream, now, "runtime.Gosched");
            case PREEMPT -> out.goStop(stream, now, "preempted");
            case VOID -> out.goStop(stream, now, "queued twice");
            case END -> {
                out.goDestroy(stream, now);
                regions.remove(goroutine);
            }
        }
        dropStandIn(machine);
    }

    // ---- processors

    @Override
    public void gained(Machine machine, Processor processor) {
        long stream = streamOf(machine);
        Goroutine goroutine = machine.goroutine();
        if (goroutine != null) {
            out.goStop(stream, now, "has a processor again");
            dropStandIn(machine);
        }
        out.procStart(stream, now, numberOf(processor));
        if (goroutine != null) {
            out.goStart(stream, now, goroutine.id());
        }
    }

    @Override
    public void lost(Machine machine, Processor processor, Loss how, TraceEvent event) {
        long stream = streamOf(machine);
        Goroutine goroutine = machine.goroutine();
        if (goroutine == null) {
            out.procStop(stream, now);
            return;
        }
        out.syscallBegin(stream, now, numberOf(processor));
        if (how == Loss.TAKEN) {
            Machine taker = event.machine() < 0 ? null : machineOf(event);
            out.procSteal(streamOf(taker, event), now, numberOf(processor), stream);
        } else {
            out.procStop(stream, now);
        }
        out.syscallEndBlocked(stream, now);
        standIns.put(machine, takeStandIn(stream));
        out.goStart(stream, now, goroutine.id());
    }

    private @Nullable Machine machineOf(TraceEvent event) {
        Replay current = replay;
        if (current == null || event.machine() < 0) {
            return null;
        }
        return current.scheduler(Math.max(0, event.scheduler())).machines().stream()
                .filter(it -> it.id() == event.machine())
                .findFirst()
                .orElse(null);
    }

    // ---- the other events

    @Override
    public void event(TraceEvent event) throws IOException {
        Replay current = replay;
        if (current == null) {
            return;
        }
        events++;
        if (events >= EVENTS_PER_GENERATION
                && stoppers.isEmpty()
                && current.schedulers().stream().noneMatch(SchedulerState::isStopped)
                && events >= EVENTS_PER_GOROUTINE * (long) current.goroutineCount()) {
            nextGeneration(current);
        }
        now = event.time();
        switch (event.kind()) {
            case STW_BEGIN -> stopBegins(event);
            case STW_END -> stopEnds(event);
            case PROCS -> {
                long stream = streamOf(machineOf(event), event);
                if (stoppers.containsKey(stream) || hasGoroutine(event)) {
                    out.procsChange(stream, now, event.get(Field.COUNT));
                }
            }
            case GC -> pause(event);
            case STEAL ->
                note(machineOf(event), "stole " + event.get(Field.COUNT) + " from P" + event.get(Field.PROCESSOR));
            case SPILL -> note(machineOf(event), "spilled " + event.get(Field.COUNT) + " to the global queue");
            case SHARE -> note(machineOf(event), "moved its queues to the global one");
            case HOG, DEMOTE -> noteOn(event, event.kind() == EventKind.HOG ? "is a hog" : "has a lower priority");
            case HAND_OFF ->
                noteOn(event, "its processor was handed off after " + event.get(Field.NANOS) / 1000 + " us");
            case TASK_BEGIN, TASK_END, REGION_BEGIN, REGION_END, LOG -> annotate(event);
            default -> {}
        }
    }

    private boolean hasGoroutine(TraceEvent event) {
        Machine machine = machineOf(event);
        return machine != null && machine.goroutine() != null;
    }

    private void note(@Nullable Machine machine, String text) {
        if (machine == null) {
            return;
        }
        if (machine.goroutine() != null) {
            out.log(streamOf(machine), now, 0, "heddle", text);
        } else {
            notes.computeIfAbsent(machine, _ -> new ArrayList<>()).add(text);
        }
    }

    /// A note about another machine than the one that wrote it.
    private void noteOn(TraceEvent event, String text) {
        Replay current = replay;
        if (current != null) {
            current.scheduler(Math.max(0, event.scheduler())).machines().stream()
                    .filter(it -> it.id() == event.get(Field.MACHINE) && it.goroutine() != null)
                    .forEach(it -> note(it, text));
        }
    }

    private void stopBegins(TraceEvent event) {
        long stream = streamOf(machineOf(event), event);
        if (!hasGoroutine(event)) {
            Machine machine = machineOf(event);
            boolean hasProcessor = machine != null && machine.processor() != null;
            stoppers.put(stream, new Stopper(stream, hasProcessor ? -1 : takeStandIn(stream)));
            startOwn(stream, "the thread that stops the world");
        }
        out.stopBegin(stream, now, "GOMAXPROCS");
    }

    private void stopEnds(TraceEvent event) {
        long stream = streamOf(machineOf(event), event);
        Stopper stopper = stoppers.remove(stream);
        if (stopper != null) {
            out.stopEnd(stream, now);
            out.goDestroy(stream, now);
            if (stopper.standIn >= 0) {
                giveStandIn(stream, stopper.standIn);
            }
        } else if (hasGoroutine(event)) {
            out.stopEnd(stream, now);
        }
    }

    private void startOwn(long stream, String name) {
        long goroutine = FIRST_OWN + ownGoroutines++;
        out.goCreate(stream, now, goroutine, name);
        out.goStart(stream, now, goroutine);
    }

    private void pause(TraceEvent event) {
        long end = Math.max(collected, event.time() - event.get(Field.AGO) + event.get(Field.NANOS));
        long begin = Math.max(collected, event.time() - event.get(Field.AGO));
        long present = now;
        now = begin;
        if (collectorProcessor < 0) {
            collectorProcessor = processors.takeNew();
            out.procStatus(COLLECTOR, begin, collectorProcessor, GoEvent.PROC_IDLE);
        }
        out.procStart(COLLECTOR, begin, collectorProcessor);
        startOwn(COLLECTOR, "garbage collector: " + event.name());
        out.gcBegin(COLLECTOR, begin, ++gcSequence);
        out.gcEnd(COLLECTOR, end, ++gcSequence);
        out.goDestroy(COLLECTOR, end);
        out.procStop(COLLECTOR, end);
        collected = end;
        now = present;
    }

    private void annotate(TraceEvent event) {
        Machine machine = machineOf(event);
        Goroutine goroutine = machine == null ? null : machine.goroutine();
        if (machine == null || goroutine == null) {
            return; // Go has no annotations of threads that are no goroutines
        }
        long stream = streamOf(machine);
        long task = event.get(Field.TASK);
        List<Region> open = regions.computeIfAbsent(goroutine, _ -> new ArrayList<>());
        Region region = new Region(task, event.name());
        switch (event.kind()) {
            case TASK_BEGIN -> out.taskBegin(stream, now, task, event.get(Field.PARENT), event.name());
            case TASK_END -> out.taskEnd(stream, now, task);
            case REGION_BEGIN -> {
                open.add(region);
                out.regionBegin(stream, now, task, event.name());
            }
            case REGION_END -> {
                if (!open.isEmpty() && open.getLast().equals(region)) { // the parser refuses regions that do not nest
                    open.removeLast();
                    out.regionEnd(stream, now, task, event.name());
                }
            }
            default -> out.log(stream, now, task, event.name(), event.text());
        }
    }
}
