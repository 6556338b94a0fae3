package dev.heddle.trace;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.TraceEvent;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Replays the window of a recording: a state machine of goroutines, machines and processors.
///
/// It is strict: events are taken in the order of time and never reordered, and a state is inferred only for the start
/// of the window ([Beginning]). An event that is impossible after the ones before it ends the replay with a sentence
/// that names it. This class reads the events. [WakeUps], [Runs], [Ownership] and [Queues] carry them out.
public final class Replay {

    /// What only a machine can write: its own goroutine, its own processor.
    private static final Set<EventKind> OF_MACHINES = EnumSet.of(
            EventKind.GO_START,
            EventKind.GO_START_FRESH,
            EventKind.GO_PARK,
            EventKind.GO_YIELD,
            EventKind.GO_END,
            EventKind.GO_VOID,
            EventKind.P_START,
            EventKind.P_STOP,
            EventKind.P_LOST);

    private final Recording recording;
    private final List<ReplayListener> listeners;
    private final Map<Integer, SchedulerState> schedulers = new TreeMap<>();
    private final Goroutines goroutines = new Goroutines();
    private final States states;
    private final WakeUps wakeUps;
    private final Runs runs;
    private final Ownership ownership;

    private Replay(Recording recording, List<ReplayListener> listeners) {
        this.recording = recording;
        this.listeners = listeners;
        this.states = new States(listeners, recording.from());
        this.wakeUps = new WakeUps(goroutines, states);
        this.runs = new Runs(schedulers.values(), goroutines, states);
        this.ownership = new Ownership(states);
    }

    /// Replays the window.
    ///
    /// @throws RecordingException if the recording contradicts itself
    public static Replay of(Recording recording, ReplayListener... listeners) throws IOException {
        Replay replay = new Replay(recording, List.of(listeners));
        replay.begin(Beginning.of(recording));
        replay.run();
        return replay;
    }

    // ---- what there is

    public Recording recording() {
        return recording;
    }

    /// The time of the event that was read last.
    public long now() {
        return states.now;
    }

    public Collection<SchedulerState> schedulers() {
        return schedulers.values();
    }

    /// The scheduler of that number.
    public SchedulerState scheduler(int number) {
        return schedulers.computeIfAbsent(number, it -> new SchedulerState(it, "scheduler " + it, 0));
    }

    /// All goroutines that have not ended.
    public Collection<Goroutine> goroutines() {
        return goroutines.all();
    }

    /// How many there are.
    public int goroutineCount() {
        return goroutines.size();
    }

    /// How many runs began and ended.
    public RunCounts counts() {
        return runs.counts;
    }

    /// The goroutine that that thread means; null if there is none.
    public @Nullable Goroutine goroutineOf(long thread) {
        return goroutines.of(thread);
    }

    // ---- the start

    private void begin(Beginning beginning) throws IOException {
        for (SchedulerInfo info : recording.schedulers()) {
            schedulers.put(info.number(), new SchedulerState(info.number(), info.name(), info.procs()));
        }
        beginning.owners.forEach((id, owner) -> {
            Processor processor = scheduler(id.scheduler()).processor(id.processor());
            Machine machine = scheduler(owner.scheduler()).machine(owner.machine());
            Ownership.begin(machine, processor);
        });
        goroutines.begin(beginning.unnumberedBefore);
        for (Beginning.Start start : beginning.goroutines.values()) {
            begin(start);
        }
        for (SchedulerState scheduler : schedulers.values()) {
            for (int id = 0; id < scheduler.procs; id++) {
                scheduler.processor(id).since = states.now;
            }
        }
        for (ReplayListener listener : listeners) {
            listener.begins(this);
        }
    }

    private void begin(Beginning.Start start) {
        Goroutine goroutine = new Goroutine(start.id());
        goroutine.scheduler = scheduler(Math.max(0, start.scheduler()));
        goroutine.name = start.name();
        goroutine.body = start.body();
        goroutine.thread = start.thread();
        State state = start.state();
        Beginning.MachineId on = start.machine();
        if (on != null) {
            Machine machine = scheduler(on.scheduler()).machine(on.machine());
            runs.begin(machine, goroutine);
            state = machine.processor == null ? State.WITHOUT_PROCESSOR : State.RUNNING;
        }
        goroutines.addEarlier(goroutine);
        states.begin(goroutine, state);
    }

    // ---- the events

    private void run() throws IOException {
        try (EventStream events = recording.events()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                if (event.time() >= recording.from()) {
                    states.now = event.time();
                    for (ReplayListener listener : listeners) {
                        listener.event(event);
                    }
                    try {
                        apply(event);
                    } catch (Contradiction e) {
                        throw new RecordingException("the recording contradicts itself at %s: %s, but %s."
                                .formatted(Recording.seconds(states.now), event, e.getMessage()));
                    }
                }
            }
        }
        states.now = recording.to();
        for (Goroutine goroutine : goroutines.all()) {
            states.last(goroutine);
        }
        runs.ends();
        for (ReplayListener listener : listeners) {
            listener.ends(this);
        }
    }

    private void apply(TraceEvent event) throws Contradiction, IOException {
        SchedulerState scheduler = scheduler(Math.max(0, event.scheduler()));
        Machine machine = event.machine() < 0 ? null : scheduler.machine(event.machine());
        switch (event.kind()) {
            case GO_CREATE, THREAD_CREATE -> wakeUps.create(event, scheduler, machine);
            case GO_READY -> wakeUps.ready(event, scheduler, machine);
            case GO_REFUSED -> wakeUps.refuse(event);
            case P_TAKEN -> ownership.taken(event, scheduler);
            case HAND_OFF -> handOff(event, scheduler);
            case LOCKED_DELIVER -> {
                Goroutine goroutine = goroutines.of(event.get(Field.THREAD));
                if (goroutine != null && goroutine.state == State.RUNNABLE) {
                    Queues.deliver(goroutine, scheduler.machine((int) event.get(Field.MACHINE)));
                }
            }
            case PROCS -> resize(scheduler, event.get(Field.COUNT));
            case STW_BEGIN -> scheduler.isStopped = true;
            case STW_END -> scheduler.isStopped = false;
            default -> {
                if (machine != null) {
                    applyOn(machine, event);
                } else if (OF_MACHINES.contains(event.kind())) {
                    throw new Contradiction("no machine wrote it");
                }
            }
        }
    }

    /// The events that only machines write about themselves.
    private void applyOn(Machine machine, TraceEvent event) throws Contradiction, IOException {
        switch (event.kind()) {
            case GO_START -> runs.start(machine, event);
            case GO_START_FRESH -> runs.startFresh(machine, event);
            case GO_STACK -> machine.stack = event.get(Field.STACK);
            case GO_PARK -> runs.park(machine, event);
            case GO_YIELD -> runs.yields(machine, event);
            case GO_END -> runs.end(machine);
            case GO_VOID -> runs.voidRun(machine);
            case P_START -> ownership.gain(machine, event);
            case P_STOP -> ownership.stop(machine, event);
            case P_LOST -> ownership.foundTaken(machine, event);
            case STEAL, SPILL, GLOBAL_TAKE, SHARE, SLICE_END -> {
                Processor own = machine.processor;
                if (own != null) {
                    Queues.move(event, machine.scheduler(), own);
                }
            }
            case SPIN_BEGIN -> spin(machine, true);
            case SPIN_END -> spin(machine, false);
            case M_PARK -> machine.isParked = true;
            case M_UNPARK, M_BEGIN, M_END -> machine.isParked = false;
            case BLOCK_BEGIN -> machine.isBlocking = true;
            case BLOCK_END -> machine.isBlocking = false;
            default -> {}
        }
    }

    private static void spin(Machine machine, boolean isSpinning) {
        if (machine.isSpinning != isSpinning) {
            machine.isSpinning = isSpinning;
            machine.scheduler().spinning += isSpinning ? 1 : -1;
        }
    }

    private static void handOff(TraceEvent event, SchedulerState scheduler) {
        int victim = (int) event.get(Field.MACHINE);
        if (victim >= 0) {
            scheduler.machine(victim).handOff = switch (HandOffReason.values()[
                    (int) Math.min(2, event.get(Field.WHY))]) {
                case DECLARED -> "a declared blocking operation";
                case ASLEEP -> "blocked";
                case HOG -> "computes";
            };
        }
    }

    private static void resize(SchedulerState scheduler, long count) throws Contradiction {
        if (count < 0 || count > SchedulerInfo.MOST_PROCS) {
            throw new Contradiction("no scheduler can have so many processors");
        }
        int procs = (int) count;
        for (Processor processor : scheduler.processors()) {
            if (processor.id() >= procs) {
                Queues.shareAll(processor, scheduler);
            }
        }
        for (int id = scheduler.procs; id < procs; id++) {
            scheduler.processor(id);
        }
        scheduler.procs = procs;
    }
}
