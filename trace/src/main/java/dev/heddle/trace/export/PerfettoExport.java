package dev.heddle.trace.export;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import dev.heddle.trace.SchedulerState;
import dev.heddle.trace.export.PerfettoWriter.Left;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes a recording for Perfetto, in two ways in one file: as tracks of processors and machines, with arrows from
/// waker to woken and from victim to thief, and as the CPUs and threads of a Linux scheduler.
public final class PerfettoExport implements ReplayListener {

    private static final long PROCESS = 1;

    /// The ids of threads are numbers of 32 bits: goroutines are numbered anew.
    private static final int FIRST_THREAD = 1_000_000;

    private final Recording recording;
    private final PerfettoWriter out;
    private final PerfettoTracks tracks;
    private final ProcessorNumbers cpus = new ProcessorNumbers();
    private final Map<Machine, Long> standIns = new HashMap<>();
    private final Map<Goroutine, Integer> threads = new HashMap<>();
    private final Map<Goroutine, Long> arrows = new HashMap<>();
    private int nextThread = FIRST_THREAD;
    private long lastArrow;
    private long now;
    private @Nullable Replay replay;

    private PerfettoExport(Recording recording, OutputStream out) {
        this.recording = recording;
        this.out = new PerfettoWriter(out);
        this.tracks = new PerfettoTracks(this.out, PROCESS);
    }

    /// Writes the window of the recording.
    ///
    /// @throws dev.heddle.trace.RecordingException if the recording contradicts itself
    public static void write(Recording recording, OutputStream out) throws IOException {
        PerfettoExport export = new PerfettoExport(recording, out);
        Replay.of(recording, export);
    }

    // ---- the window

    @Override
    public void begins(Replay replay) throws IOException {
        this.replay = replay;
        now = recording.from();
        long pid = recording.header().pid();
        String name = "heddle " + recording.header().command();
        out.process(PROCESS, pid, name);
        out.processTree(pid, name);
        for (SchedulerState scheduler : replay.schedulers()) {
            tracks.describe(scheduler);
        }
        for (Goroutine goroutine : replay.goroutines()) {
            thread(goroutine);
            Machine machine = goroutine.machine();
            if (machine != null) {
                begin(goroutine, machine);
            }
        }
    }

    @Override
    public void ends(Replay replay) throws IOException {
        now = recording.to();
        tracks.count(replay, now);
        for (Goroutine goroutine : replay.goroutines()) {
            Machine machine = goroutine.machine();
            if (machine != null) {
                out.end(now, tracks.of(machine, now));
            }
        }
    }

    // ---- threads and CPUs

    private int thread(Goroutine goroutine) throws IOException {
        Integer known = threads.get(goroutine);
        if (known != null) {
            return known;
        }
        int thread = nextThread++;
        threads.put(goroutine, thread);
        out.threadName(recording.header().pid(), thread, goroutine.description());
        return thread;
    }

    private int threadOf(@Nullable Goroutine goroutine) throws IOException {
        return goroutine == null ? 0 : thread(goroutine);
    }

    private int cpuOf(@Nullable Machine machine) {
        if (machine == null) {
            return 0;
        }
        Processor processor = machine.processor();
        Long standIn = standIns.get(machine);
        return processor != null
                ? (int) cpus.numberOf(processor.scheduler().number(), processor.id())
                : standIn == null ? 0 : standIn.intValue();
    }

    // ---- runs

    private void begin(Goroutine goroutine, Machine machine) throws IOException {
        if (machine.processor() == null) {
            standIns.put(machine, cpus.take());
        }
        out.begin(now, tracks.of(machine, now), goroutine.description())
                .flow(remove(arrows, goroutine))
                .argument("goroutine", goroutine.id())
                .argument("machine", machine.id())
                .write();
        out.schedSwitch(cpuOf(machine), now, 0, Left.RUNNABLE, thread(goroutine));
    }

    private static long remove(Map<Goroutine, Long> arrows, Goroutine goroutine) {
        Long arrow = arrows.remove(goroutine);
        return arrow == null ? 0 : arrow;
    }

    /// The run of a goroutine ends on this track and CPU.
    private void end(Goroutine goroutine, long track, int cpu, Left left) throws IOException {
        out.end(now, track);
        out.schedSwitch(cpu, now, thread(goroutine), left, 0);
    }

    @Override
    public void started(Goroutine goroutine, Machine machine) throws IOException {
        begin(goroutine, machine);
    }

    @Override
    public void stopped(Goroutine goroutine, Machine machine, Stop how) throws IOException {
        Left left = switch (how) {
            case PARK -> Left.SLEEPING;
            case END -> Left.DEAD;
            case YIELD, PREEMPT, VOID -> Left.RUNNABLE;
        };
        if (how == Stop.PARK) {
            out.ending(now, tracks.of(machine, now))
                    .argument("parks", goroutine.reason().toString())
                    .argument("stack", recording.stack(goroutine.stack()))
                    .write();
            out.schedSwitch(cpuOf(machine), now, thread(goroutine), left, 0);
        } else {
            end(goroutine, tracks.of(machine, now), cpuOf(machine), left);
        }
        Long standIn = standIns.remove(machine);
        if (standIn != null) {
            cpus.give(standIn);
        }
        if (how == Stop.END) {
            threads.remove(goroutine);
            arrows.remove(goroutine);
            tracks.forget(goroutine, now);
        }
    }

    @Override
    public void gained(Machine machine, Processor processor) throws IOException {
        Goroutine goroutine = machine.goroutine();
        if (goroutine != null) {
            Long standIn = standIns.remove(machine);
            if (standIn != null) {
                end(goroutine, tracks.withoutProcessor(machine), standIn.intValue(), Left.RUNNABLE);
                cpus.give(standIn);
            }
            begin(goroutine, machine);
        }
    }

    @Override
    public void lost(Machine machine, Processor processor, Loss how, TraceEvent event) throws IOException {
        Goroutine goroutine = machine.goroutine();
        if (goroutine != null) {
            int cpu = (int) cpus.numberOf(processor.scheduler().number(), processor.id());
            end(goroutine, tracks.of(processor), cpu, Left.RUNNABLE);
            begin(goroutine, machine);
        }
    }

    // ---- wake-ups

    @Override
    public void created(Goroutine goroutine, @Nullable Machine by, TraceEvent event) throws IOException {
        wakes(goroutine, by, "create");
    }

    @Override
    public void woken(Goroutine goroutine, @Nullable Machine by, TraceEvent event) throws IOException {
        wakes(goroutine, by, "wake");
    }

    private void wakes(Goroutine goroutine, @Nullable Machine by, String how) throws IOException {
        long arrow = ++lastArrow; // an arrow has one end only
        arrows.put(goroutine, arrow);
        int waker = threadOf(by == null ? null : by.goroutine());
        int woken = thread(goroutine);
        long track = by == null ? tracks.otherThreads(goroutine.scheduler()) : tracks.of(by, now);
        out.instant(now, track, how)
                .flow(arrow)
                .argument("goroutine", goroutine.id())
                .write();
        out.waking(cpuOf(by), now, waker, woken, cpuOf(by));
    }

    @Override
    public void refused(Goroutine goroutine) {
        arrows.remove(goroutine);
    }

    // ---- the other events

    @Override
    public void event(TraceEvent event) throws IOException {
        Replay current = replay;
        if (current == null) {
            return;
        }
        tracks.count(current, now); // what the events before have changed
        now = event.time();
        SchedulerState scheduler = current.scheduler(Math.max(0, event.scheduler()));
        Machine machine = event.machine() < 0
                ? null
                : scheduler.machines().stream()
                        .filter(it -> it.id() == event.machine())
                        .findFirst()
                        .orElse(null);
        switch (event.kind()) {
            case STEAL -> {
                long arrow = ++lastArrow;
                long count = event.get(Field.COUNT);
                long victim = tracks.ofProcessor(scheduler, (int) event.get(Field.PROCESSOR));
                out.instant(now, victim, "stolen from")
                        .flow(arrow)
                        .argument("count", count)
                        .write();
                if (machine != null) {
                    out.instant(now, tracks.of(machine, now), "steal")
                            .flow(arrow)
                            .argument("count", count)
                            .argument("victim", event.get(Field.PROCESSOR))
                            .write();
                }
            }
            case SPILL, GLOBAL_TAKE -> {
                if (machine != null) {
                    out.instant(now, tracks.of(machine, now), word(event))
                            .argument("count", event.get(Field.COUNT))
                            .write();
                }
            }
            case SHARE, SLICE_END, GIVE_AWAY -> {
                if (machine != null) {
                    out.instant(now, tracks.of(machine, now), word(event)).write();
                }
            }
            case HAND_OFF ->
                out.instant(now, tracks.monitor(scheduler), "hand-off")
                        .argument("processor", event.get(Field.PROCESSOR))
                        .argument("machine", event.get(Field.MACHINE))
                        .argument("why", why(event))
                        .argument("nanos", event.get(Field.NANOS))
                        .write();
            case PREEMPT_ASK, HOG, DEMOTE ->
                out.instant(now, tracks.monitor(scheduler), word(event))
                        .argument("machine", event.get(Field.MACHINE))
                        .write();
            case PROCS ->
                out.instant(now, tracks.world(scheduler), "GOMAXPROCS")
                        .argument("processors", event.get(Field.COUNT))
                        .write();
            case STW_BEGIN ->
                out.begin(now, tracks.world(scheduler), "stop of the world").write();
            case STW_END -> {
                if (scheduler.isStopped()) {
                    out.end(now, tracks.world(scheduler));
                }
            }
            case GC -> tracks.pause(event);
            case REGION_BEGIN, REGION_END, LOG -> {
                Goroutine goroutine = machine == null ? null : machine.goroutine();
                if (goroutine != null) {
                    tracks.annotate(goroutine, event);
                }
            }
            default -> {}
        }
    }

    private static String word(TraceEvent event) {
        return switch (event.kind()) {
            case SPILL -> "spill";
            case GLOBAL_TAKE -> "take from the global queue";
            case SHARE -> "share the queues";
            case SLICE_END -> "end of the slice";
            case GIVE_AWAY -> "give the processor away";
            case PREEMPT_ASK -> "ask for a yield";
            case HOG -> "a hog";
            case DEMOTE -> "lower the priority";
            default -> event.kind().name();
        };
    }

    private static String why(TraceEvent event) {
        HandOffReason[] reasons = HandOffReason.values();
        return switch (reasons[(int) Math.min(reasons.length - 1, event.get(Field.WHY))]) {
            case DECLARED -> "a declared blocking operation";
            case ASLEEP -> "found blocked";
            case HOG -> "computes for too long";
        };
    }
}
