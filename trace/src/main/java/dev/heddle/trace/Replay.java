package dev.heddle.trace;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.ReplayListener.Loss;
import dev.heddle.trace.ReplayListener.Stop;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Replays the window of a recording: a state machine of goroutines, machines and processors.
///
/// It is strict: events are taken in the order of time and never reordered, and a state is inferred only for the start
/// of the window ([Beginning]). An event that is impossible after the ones before it ends the replay with a sentence
/// that names it.
public final class Replay {
    /*
     * Ghosts.      An entry may be queued twice. The machine that finds the second one starts it, it runs nothing, and
     *              GO_VOID follows. When such a start is read, its goroutine usually runs elsewhere or waits. It becomes
     *              a ghost on that machine, and if anything but GO_VOID follows there, the start was a contradiction.
     *              If two machines start the same goroutine, either of them may turn out to be the void one: when it is
     *              the first, the run of the second begins at that moment.
     * Ends.        Two machines may report the same end. The first report counts, the second is a void.
     * Loss.        A processor that is taken is lost at P_TAKEN or at P_LOST, whatever comes first.
     */

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
    private final Map<Long, Goroutine> byThread = new HashMap<>();
    private final Map<Long, Goroutine> byNumber = new HashMap<>();
    private final RunCounts counts = new RunCounts();
    private long now;
    private long unnumbered;
    private Map<Long, Goroutine> earlier = Map.of();

    private Replay(Recording recording, List<ReplayListener> listeners) {
        this.recording = recording;
        this.listeners = listeners;
        this.now = recording.from();
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
        return now;
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
        Map<Long, Goroutine> all = new TreeMap<>();
        byThread.values().forEach(it -> all.put(it.id(), it));
        byNumber.values().forEach(it -> all.put(it.id(), it));
        earlier.values().forEach(it -> all.put(it.id(), it));
        return Collections.unmodifiableCollection(all.values());
    }

    /// How many there are.
    public int goroutineCount() {
        return byThread.size() + byNumber.size() + earlier.size();
    }

    /// How many runs began and ended.
    public RunCounts counts() {
        return counts;
    }

    /// The goroutine that that thread means; null if there is none.
    public @Nullable Goroutine goroutineOf(long thread) {
        return byThread.get(thread);
    }

    // ---- the start

    private void begin(Beginning beginning) throws IOException {
        for (SchedulerInfo info : recording.schedulers()) {
            schedulers.put(info.number(), new SchedulerState(info.number(), info.name(), info.procs()));
        }
        beginning.owners.forEach((id, owner) -> {
            Processor processor = scheduler(id.scheduler()).processor(id.processor());
            Machine machine = scheduler(owner.scheduler()).machine(owner.machine());
            processor.machine = machine;
            machine.processor = processor;
        });
        unnumbered = beginning.unnumberedBefore;
        earlier = new HashMap<>();
        for (Beginning.Start start : beginning.goroutines.values()) {
            begin(start);
        }
        for (SchedulerState scheduler : schedulers.values()) {
            for (int id = 0; id < scheduler.procs; id++) {
                scheduler.processor(id).since = now;
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
        goroutine.since = now;
        goroutine.state = start.state();
        Beginning.MachineId on = start.machine();
        if (on != null) {
            Machine machine = scheduler(on.scheduler()).machine(on.machine());
            machine.goroutine = goroutine;
            goroutine.machine = machine;
            goroutine.state = machine.processor == null ? State.WITHOUT_PROCESSOR : State.RUNNING;
            counts.cutAtStart++;
        }
        if (start.thread() != 0) {
            byThread.put(start.thread(), goroutine);
        } else if (start.id() >= Goroutine.FIRST_UNNUMBERED) {
            earlier.put(start.id(), goroutine);
        } else {
            byNumber.put(start.id() - Goroutine.FIRST_NUMBERED, goroutine);
        }
        count(goroutine, 1);
    }

    // ---- the events

    private void run() throws IOException {
        try (EventStream events = recording.events()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                if (event.time() >= recording.from()) {
                    now = event.time();
                    for (ReplayListener listener : listeners) {
                        listener.event(event);
                    }
                    try {
                        apply(event);
                    } catch (Contradiction e) {
                        throw new RecordingException("the recording contradicts itself at %s: %s, but %s."
                                .formatted(Recording.seconds(now), event, e.getMessage()));
                    }
                }
            }
        }
        now = recording.to();
        for (Goroutine goroutine : goroutines()) {
            for (ReplayListener listener : listeners) {
                listener.interval(goroutine, now);
            }
            counts.cutAtEnd += goroutine.machine == null ? 0 : 1;
        }
        counts.pending = (int) schedulers.values().stream()
                .flatMap(it -> it.machines().stream())
                .filter(it -> it.ghost != null || it.mayReportEnd)
                .count();
        for (ReplayListener listener : listeners) {
            listener.ends(this);
        }
    }

    private void apply(TraceEvent event) throws Contradiction, IOException {
        SchedulerState scheduler = scheduler(Math.max(0, event.scheduler()));
        Machine machine = event.machine() < 0 ? null : scheduler.machine(event.machine());
        switch (event.kind()) {
            case GO_CREATE, THREAD_CREATE -> create(event, scheduler, machine);
            case GO_READY -> ready(event, scheduler, machine);
            case GO_REFUSED -> refuse(event);
            case P_TAKEN -> taken(event, scheduler);
            case HAND_OFF -> handOff(event, scheduler);
            case LOCKED_DELIVER -> {
                Goroutine goroutine = byThread.get(event.get(Field.THREAD));
                if (goroutine != null && goroutine.state == State.RUNNABLE) {
                    Queues.deliver(goroutine, scheduler.machine((int) event.get(Field.MACHINE)));
                }
            }
            case PROCS -> resize(scheduler, (int) event.get(Field.COUNT));
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
            case GO_START -> {
                counts.starts++;
                start(machine, byThread.get(event.get(Field.THREAD)), event);
            }
            case GO_START_FRESH -> startFresh(machine, event);
            case GO_STACK -> machine.stack = event.get(Field.STACK);
            case GO_PARK -> park(machine, event);
            case GO_YIELD -> yields(machine, event);
            case GO_END -> end(machine);
            case GO_VOID -> voidRun(machine);
            case P_START -> gain(machine, event);
            case P_STOP -> stop(machine, event);
            case P_LOST -> lose(machine, processor(machine.scheduler(), event), Loss.FOUND_TAKEN, event);
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

    private static Processor processor(SchedulerState scheduler, TraceEvent event) {
        return scheduler.processor((int) event.get(Field.PROCESSOR));
    }

    private static void spin(Machine machine, boolean isSpinning) {
        if (machine.isSpinning != isSpinning) {
            machine.isSpinning = isSpinning;
            machine.scheduler().spinning += isSpinning ? 1 : -1;
        }
    }

    // ---- goroutines become runnable

    private void create(TraceEvent event, SchedulerState scheduler, @Nullable Machine by)
            throws Contradiction, IOException {
        boolean isThread = event.kind() == EventKind.THREAD_CREATE;
        long key = event.get(isThread ? Field.THREAD : Field.NUMBER);
        Goroutine goroutine = new Goroutine(isThread ? key : Goroutine.FIRST_NUMBERED + key);
        if ((isThread ? byThread : byNumber).putIfAbsent(key, goroutine) != null) {
            throw new Contradiction(goroutine.label() + " exists already");
        }
        goroutine.scheduler = scheduler;
        goroutine.thread = isThread ? key : 0;
        goroutine.body = event.name();
        goroutine.name = event.text();
        goroutine.createdAt = now;
        goroutine.creator = by == null ? null : by.goroutine;
        goroutine.since = now;
        goroutine.cause = Goroutine.Cause.CREATED;
        wokenBy(goroutine, by, event);
        count(goroutine, 1);
        Queues.put(goroutine, scheduler, by, event.get(Field.PLACE));
        for (ReplayListener listener : listeners) {
            listener.created(goroutine, by, event);
        }
    }

    private void wokenBy(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        goroutine.waker = by == null ? null : by.goroutine;
        goroutine.wakerMachine = by;
        goroutine.wakerThread = event.writer();
        goroutine.wokenAt = now;
    }

    private void ready(TraceEvent event, SchedulerState scheduler, @Nullable Machine by)
            throws Contradiction, IOException {
        Goroutine goroutine = byThread.get(event.get(Field.THREAD));
        boolean isAgain = event.get(Field.PLACE) == Place.GLOBAL_AGAIN.ordinal();
        if (goroutine == null || goroutine.state != State.WAITING) {
            if (isAgain) {
                return;
            }
            throw new Contradiction(stateOf(goroutine));
        }
        change(goroutine, State.RUNNABLE, null);
        goroutine.cause = Goroutine.Cause.WOKEN;
        wokenBy(goroutine, by, event);
        Queues.put(goroutine, scheduler, by, event.get(Field.PLACE));
        for (ReplayListener listener : listeners) {
            listener.woken(goroutine, by, event);
        }
    }

    private static String stateOf(@Nullable Goroutine goroutine) {
        if (goroutine == null) {
            return "that thread has ended";
        }
        Machine machine = goroutine.machine;
        return goroutine.label() + " is " + goroutine.state + (machine == null ? "" : " on " + machine);
    }

    private void refuse(TraceEvent event) throws Contradiction, IOException {
        Goroutine goroutine = byThread.get(event.get(Field.THREAD));
        if (goroutine == null || goroutine.state != State.RUNNABLE) {
            throw new Contradiction(stateOf(goroutine));
        }
        RunQueue.remove(goroutine);
        boolean neverStarts = goroutine.cause == Goroutine.Cause.CREATED;
        change(goroutine, neverStarts ? State.ENDED : State.WAITING, null);
        if (neverStarts) {
            byThread.remove(goroutine.thread);
        }
        for (ReplayListener listener : listeners) {
            listener.refused(goroutine);
        }
    }

    // ---- goroutines run

    private void start(Machine machine, @Nullable Goroutine goroutine, TraceEvent event)
            throws Contradiction, IOException {
        expectNone(machine);
        if (goroutine == null || goroutine.state != State.RUNNABLE) {
            machine.ghost = new Machine.Ghost(goroutine, event + ", but " + stateOf(goroutine));
            return;
        }
        run(machine, goroutine);
    }

    private void startFresh(Machine machine, TraceEvent event) throws Contradiction, IOException {
        counts.starts++;
        expectNone(machine);
        long number = event.get(Field.NUMBER);
        long thread = event.get(Field.THREAD);
        Goroutine goroutine =
                number == 0 ? earlier.remove(Goroutine.FIRST_UNNUMBERED + ++unnumbered) : byNumber.remove(number);
        if (goroutine == null) {
            throw new Contradiction("goroutine " + number + " was never created, or runs already");
        }
        Goroutine before = byThread.put(thread, goroutine);
        if (before != null) {
            throw new Contradiction("thread " + thread + " still runs " + before.label());
        }
        goroutine.thread = thread;
        if (!event.name().isEmpty()) {
            goroutine.body = event.name();
        }
        run(machine, goroutine);
    }

    private static void expectNone(Machine machine) throws Contradiction {
        Goroutine runs = machine.goroutine;
        if (runs != null) {
            throw new Contradiction(machine + " still runs " + runs.label());
        }
        expectNoGhost(machine);
    }

    private static void expectNoGhost(Machine machine) throws Contradiction {
        Machine.Ghost ghost = machine.ghost;
        if (ghost != null) {
            throw new Contradiction("no GO_VOID came after an impossible start: " + ghost.event());
        }
    }

    private void run(Machine machine, Goroutine goroutine) throws IOException {
        RunQueue.remove(goroutine);
        change(goroutine, machine.processor == null ? State.WITHOUT_PROCESSOR : State.RUNNING, machine);
        machine.goroutine = goroutine;
        machine.handOff = "";
        machine.mayReportEnd = false;
        for (ReplayListener listener : listeners) {
            listener.started(goroutine, machine);
        }
    }

    private Goroutine running(Machine machine) throws Contradiction {
        Goroutine goroutine = machine.goroutine;
        if (goroutine == null) {
            expectNoGhost(machine);
            throw new Contradiction(machine + " runs nothing");
        }
        return goroutine;
    }

    private void park(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Goroutine goroutine = running(machine);
        counts.parks++;
        unmount(goroutine, machine, State.WAITING);
        goroutine.reason = ParkReason.of(event.get(Field.REASON));
        goroutine.blocker = event.name();
        goroutine.stack = machine.stack;
        machine.stack = 0;
        stopped(goroutine, machine, Stop.PARK);
    }

    private void yields(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Goroutine goroutine = running(machine);
        counts.yields++;
        boolean isAsked = event.get(Field.PREEMPTED) == 1;
        unmount(goroutine, machine, State.RUNNABLE);
        goroutine.cause = isAsked ? Goroutine.Cause.PREEMPTED : Goroutine.Cause.YIELDED;
        goroutine.waker = null;
        goroutine.wakerMachine = machine;
        goroutine.wokenAt = now;
        Queues.putYielded(goroutine, machine);
        stopped(goroutine, machine, isAsked ? Stop.PREEMPT : Stop.YIELD);
    }

    private void unmount(Goroutine goroutine, Machine machine, State to) throws IOException {
        change(goroutine, to, null);
        machine.goroutine = null;
        machine.isBlocking = false;
    }

    private void stopped(Goroutine goroutine, Machine machine, Stop how) throws IOException {
        for (ReplayListener listener : listeners) {
            listener.stopped(goroutine, machine, how);
        }
    }

    private void end(Machine machine) throws Contradiction, IOException {
        Machine.Ghost ghost = machine.ghost;
        if (ghost != null) {
            machine.ghost = null;
            Goroutine goroutine = ghost.goroutine();
            Machine elsewhere = goroutine == null ? null : goroutine.machine;
            if (goroutine == null || goroutine.state == State.ENDED) {
                counts.voids++;
            } else if (elsewhere != null) {
                counts.ends++;
                end(elsewhere, goroutine);
                elsewhere.mayReportEnd = true;
            } else {
                throw new Contradiction("no GO_VOID came after an impossible start: " + ghost.event());
            }
        } else if (machine.goroutine == null && machine.mayReportEnd) {
            machine.mayReportEnd = false;
            counts.voids++;
        } else {
            Goroutine goroutine = running(machine);
            counts.ends++;
            end(machine, goroutine);
        }
    }

    private void end(Machine machine, Goroutine goroutine) throws IOException {
        unmount(goroutine, machine, State.ENDED);
        byThread.remove(goroutine.thread);
        stopped(goroutine, machine, Stop.END);
    }

    private void voidRun(Machine machine) throws Contradiction, IOException {
        counts.voids++;
        if (machine.ghost != null) {
            machine.ghost = null;
            return;
        }
        Goroutine goroutine = running(machine);
        unmount(goroutine, machine, State.RUNNABLE);
        stopped(goroutine, machine, Stop.VOID);
        for (SchedulerState scheduler : schedulers.values()) {
            for (Machine other : scheduler.machines()) {
                Machine.Ghost ghost = other.ghost;
                if (ghost != null && ghost.goroutine() == goroutine) {
                    other.ghost = null;
                    run(other, goroutine);
                    return;
                }
            }
        }
    }

    // ---- processors

    private void gain(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Processor processor = processor(machine.scheduler(), event);
        if (machine.processor == processor) {
            return;
        }
        if (machine.processor != null) {
            throw new Contradiction(machine + " has " + machine.processor);
        }
        if (processor.machine != null) {
            throw new Contradiction(processor + " belongs to " + processor.machine);
        }
        processor.machine = machine;
        processor.since = now;
        machine.processor = processor;
        machine.isParked = false;
        Goroutine goroutine = machine.goroutine;
        if (goroutine != null) {
            change(goroutine, State.RUNNING, machine);
        }
        for (ReplayListener listener : listeners) {
            listener.gained(machine, processor);
        }
    }

    private void stop(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Processor processor = processor(machine.scheduler(), event);
        if (machine.processor != processor) {
            throw new Contradiction(machine + " does not have " + processor);
        }
        lose(machine, processor, Loss.STOP, event);
    }

    private void taken(TraceEvent event, SchedulerState scheduler) throws IOException {
        int victim = (int) event.get(Field.MACHINE);
        if (victim >= 0) {
            lose(scheduler.machine(victim), processor(scheduler, event), Loss.TAKEN, event);
        }
    }

    private void lose(Machine machine, Processor processor, Loss how, TraceEvent event) throws IOException {
        if (machine.processor != processor) {
            return; // the other event about this loss came before
        }
        processor.machine = null;
        processor.since = now;
        machine.processor = null;
        Goroutine goroutine = machine.goroutine;
        if (goroutine != null) {
            change(goroutine, State.WITHOUT_PROCESSOR, machine);
        }
        for (ReplayListener listener : listeners) {
            listener.lost(machine, processor, how, event);
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

    private static void resize(SchedulerState scheduler, int procs) {
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

    // ---- states

    private void change(Goroutine goroutine, State to, @Nullable Machine machine) throws IOException {
        for (ReplayListener listener : listeners) {
            listener.interval(goroutine, now);
        }
        count(goroutine, -1);
        goroutine.state = to;
        goroutine.since = now;
        goroutine.machine = machine;
        count(goroutine, 1);
    }

    private static void count(Goroutine goroutine, int by) {
        SchedulerState scheduler = goroutine.scheduler();
        switch (goroutine.state) {
            case RUNNABLE -> scheduler.runnable += by;
            case RUNNING -> scheduler.running += by;
            case WITHOUT_PROCESSOR -> scheduler.withoutProcessor += by;
            case WAITING -> scheduler.waiting += by;
            case ENDED -> {}
        }
    }
}
