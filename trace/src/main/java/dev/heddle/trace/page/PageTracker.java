package dev.heddle.trace.page;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.page.PageGoroutines.Listed;
import dev.heddle.trace.page.PageGoroutines.State;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Turns the events of a recording into those of a page: says of each which processor and which goroutine it concerns.
///
/// It takes each event at its word, so that a page can show a recording in which something is missing. What was there
/// before is inferred at its first mention, and stands at the beginning of the page.
final class PageTracker {

    private static final int NONE = -1;
    private static final long NANOS_PER_MICRO = 1000;

    // Why a processor is taken, beyond the ordinals of HandOffReason: see TAKEN_WHY in caption.js.
    private static final int NEEDED = HandOffReason.values().length;
    private static final int GAVE_AWAY = NEEDED + 1;

    // Where a yielding goroutine goes, beyond the ordinals of Place.
    private static final int TO_YIELDED = 3;

    // What the monitor found: see caption.js.
    private static final int ASKED = 0;
    private static final int HOG = 1;
    private static final int BLOCKED = 2;
    private static final int COUNTED = 3;
    private static final int DEMOTED = 4;
    private static final int THROTTLED = 5;

    /// What a machine has.
    private static final class Machine {
        final int index;
        int p = NONE;
        int g;
        boolean isKnown;
        boolean isAsleep;

        // The last start, which may turn out to have run nothing.
        int start = NONE;
        State before = State.UNKNOWN;

        // The event that woke it, until it gets a processor.
        int wake = NONE;

        // The stack of the goroutine that parks next: 1 + its number in the page.
        int stack;

        Machine(int index) {
            this.index = index;
        }
    }

    final PageNames bodies = new PageNames();
    final PageNames reasons = new PageNames();
    final PageNames strings = new PageNames();
    final PageGoroutines goroutines = new PageGoroutines(bodies, strings);
    final PageEvents events = new PageEvents();
    final PageParts parts;
    final PageStacks stacks;
    private int pauses;
    private final long from;
    private final Map<Long, Listed> listed;
    private final Map<Integer, Machine> machines = new HashMap<>();
    private final Map<Integer, Machine> owners = new HashMap<>();
    private final Map<Integer, Integer> lastTaken = new HashMap<>();
    private final Queue<Integer> askedFor = new ArrayDeque<>(); // events that ask for new machines
    private boolean hasBegun;

    /// @param from   when the page begins; earlier events only say what was there then
    /// @param listed names of threads that the recording lists
    /// @param frames the frames of a stack by its number in the recording
    PageTracker(long from, Map<Long, Listed> listed, PageParts parts, LongFunction<List<String>> frames) {
        this.from = from;
        this.listed = listed;
        this.parts = parts;
        stacks = new PageStacks(frames, strings);
    }

    void accept(TraceEvent event) {
        if (!hasBegun && event.time() >= from) {
            begin();
        }
        Machine m = event.machine() < 0 ? null : machine(event.scheduler(), event.machine());
        if (event.scheduler() >= 0) {
            parts.mention(event.scheduler());
        }
        switch (event.kind()) {
            case GO_CREATE -> create(event, m, goroutines.created(event.get(Field.NUMBER), event.name()));
            case THREAD_CREATE ->
                create(event, m, goroutines.createdThread(event.get(Field.THREAD), event.name(), event.text()));
            case GO_READY -> ready(event, m, ofThread(event));
            case GO_REFUSED -> {
                int g = ofThread(event);
                goroutines.set(g, State.WAITING);
                emit(event, PageKind.REFUSED, m, g, 0, 0);
            }
            case GO_YIELD -> yielded(event, m);
            case STEAL -> moved(event, m, PageKind.STEAL, isOfYielded(event), processor(event));
            case SPILL -> moved(event, m, PageKind.SPILL, isOfYielded(event), 0);
            case GLOBAL_TAKE -> moved(event, m, PageKind.GLOBAL, m != null && m.g != 0 ? 1 : 0, 0);
            case SHARE -> emit(event, PageKind.SHARE, processor(event), m, 0, 0, 0);
            case SLICE_END -> emit(event, PageKind.SLICE, processor(event), m, 0, 0, 0);
            case P_TAKEN -> taken(event, processor(event), target(event), NEEDED);
            case HAND_OFF -> handOff(event);
            case PREEMPT_ASK -> monitor(event, ASKED, processor(event), target(event), 0);
            case HOG -> monitor(event, COUNTED, NONE, target(event), event.get(Field.NANOS));
            case DEMOTE -> monitor(event, DEMOTED, NONE, target(event), 0);
            case THROTTLED -> monitor(event, THROTTLED, NONE, null, event.get(Field.NANOS));
            case TIMERS -> emit(event, PageKind.TIMER, processor(event), m, 0, 0, (int) event.get(Field.COUNT));
            case NETPOLL -> emit(event, PageKind.NETPOLL, m, 0, 0, (int) event.get(Field.COUNT));
            case M_WAKE -> wake(event, m);
            case STW_BEGIN -> emit(event, PageKind.STOP, m, 0, 0, schedulerOf(event));
            case STW_END -> emit(event, PageKind.GO, m, 0, 0, schedulerOf(event));
            case PROCS -> procs(event, m);
            case GC -> pause(event);
            case LOCKED_DELIVER -> deliver(event, m);
            case TASK_BEGIN -> log(event, m, "task begins", event.name());
            case TASK_END -> log(event, m, "task ends", "task " + event.get(Field.TASK));
            case REGION_BEGIN -> log(event, m, "region begins", event.name());
            case REGION_END -> log(event, m, "region ends", event.name());
            case LOG -> log(event, m, event.name(), event.text());
            case THREAD_LOCK -> log(event, m, "locked to its machine", "");
            case THREAD_UNLOCK -> log(event, m, "no longer locked to its machine", "");
            default -> {
                if (m != null) {
                    ofMachine(event, m);
                }
            }
        }
    }

    /// Events that only machines write, about themselves and what they run.
    private void ofMachine(TraceEvent event, Machine m) {
        switch (event.kind()) {
            case CHUNK -> chunk(event, m);
            case GO_START -> start(event, m, ofThread(event));
            case GO_START_FRESH ->
                start(event, m, goroutines.started(event.get(Field.NUMBER), event.get(Field.THREAD), event.name()));
            case GO_PARK -> park(event, m);
            case GO_END -> end(event, m);
            case GO_VOID -> voidStart(m);
            case GO_STACK -> m.stack = stacks.of(event.get(Field.STACK));
            case P_START -> startProcessor(event, m, processor(event));
            case P_STOP -> stopProcessor(event, m, processor(event));
            case P_LOST -> {
                if (m.p == processor(event)) {
                    taken(event, m.p, m, NEEDED);
                }
            }
            case M_BEGIN -> began(event, m);
            case M_END -> emit(event, PageKind.EXIT, m, 0, 0, 0);
            case M_PARK, SLEEP_BEGIN -> {
                m.isAsleep = true;
                emit(event, PageKind.SLEEP, m, 0, 0, 0);
            }
            case M_UNPARK, SLEEP_END -> awake(event, m);
            case SPIN_BEGIN -> emit(event, PageKind.SPIN, m, 0, 0, 0);
            case SPIN_END -> emit(event, PageKind.UNSPIN, m, 0, 0, 0);
            case BLOCK_BEGIN -> emit(event, PageKind.BLOCK, m, m.g, 0, 0);
            case BLOCK_END -> emit(event, PageKind.UNBLOCK, m, m.g, 0, 0);
            default -> {
                // GIVE_AWAY is followed by P_STOP; naps and new timers are not shown.
            }
        }
    }

    // ---- the beginning

    /// Of earlier events the page uses what they tell of machines. They tell nothing of goroutines that no machine has:
    /// not every machine was writing yet.
    private void begin() {
        hasBegun = true;
        for (int g = 1; g <= goroutines.size(); g++) {
            goroutines.set(g, State.UNKNOWN);
        }
        for (Machine m : machines.values()) {
            if (m.isKnown) {
                had(m);
            }
        }
    }

    private void had(Machine m) {
        if (m.p >= 0) {
            events.addLate(0, PageKind.PSTART, m.p, m.index, 0, 0, 0);
        }
        if (m.g != 0) {
            goroutines.set(m.g, State.RUNNING);
            events.addLate(0, PageKind.RUNNING, m.p, m.index, m.g, 0, 0);
        }
    }

    /// A goroutine that is mentioned for the first time was in this state before the page began.
    private void infer(int g, State state) {
        if (goroutines.state(g) != State.UNKNOWN) {
            return;
        }
        goroutines.set(g, state);
        if (hasBegun && state == State.RUNNABLE) {
            events.addLate(0, PageKind.RUNNABLE, NONE, NONE, g, 0, 0);
        } else if (hasBegun && state == State.WAITING) {
            events.addLate(0, PageKind.WAITING, NONE, NONE, g, reasons.of("not recorded"), 0);
        }
    }

    private void chunk(TraceEvent event, Machine m) {
        int p = processor(event);
        long thread = event.get(Field.THREAD);
        long dropped = event.get(Field.COUNT);
        if (m.isKnown && dropped == 0) {
            return; // the next chunk of a machine that has been followed
        }
        if (m.isKnown) {
            emit(event, PageKind.LOST, m, m.g, (int) Math.min(dropped, Integer.MAX_VALUE - 1), 0);
            if (m.p >= 0 && m.p != p) {
                emit(event, PageKind.PSTOP, m, 0, 0, 0);
                own(m, NONE);
            }
        }
        boolean isFirst = !m.isKnown;
        m.isKnown = true;
        m.g = thread == 0 ? 0 : goroutines.ofThread(thread, listedOf(thread));
        if (p >= 0 && !owners.containsKey(p)) {
            own(m, p);
        }
        if (m.g != 0) {
            goroutines.set(m.g, State.RUNNING);
        }
        if (hasBegun && isFirst) {
            had(m);
        } else if (!isFirst) {
            restart(event, m);
        }
    }

    /// Goes on behind a gap, with what the chunk says.
    private void restart(TraceEvent event, Machine m) {
        if (m.p >= 0) {
            emit(event, PageKind.PSTART, m, 0, 0, 0);
        }
        if (m.g != 0) {
            emit(event, PageKind.START, m, m.g, 0, 0);
        }
    }

    // ---- goroutines

    private void create(TraceEvent event, @Nullable Machine m, int g) {
        goroutines.set(g, State.RUNNABLE);
        emit(event, PageKind.CREATE, m, g, m == null ? 0 : m.g, place(event));
    }

    private void ready(TraceEvent event, @Nullable Machine m, int g) {
        State state = goroutines.state(g);
        if (state == State.RUNNABLE && event.get(Field.PLACE) == Place.GLOBAL_AGAIN.ordinal()) {
            return;
        }
        infer(g, State.WAITING);
        goroutines.set(g, State.RUNNABLE);
        emit(event, PageKind.READY, m, g, m == null ? 0 : m.g, place(event));
    }

    private static int place(TraceEvent event) {
        return (int) Math.min(event.get(Field.PLACE), Place.GLOBAL.ordinal());
    }

    private void start(TraceEvent event, Machine m, int g) {
        infer(g, State.RUNNABLE);
        m.before = goroutines.state(g);
        m.g = g;
        m.start = emit(event, PageKind.START, m, g, (int) event.get(Field.SOURCE), 0);
        goroutines.set(g, State.RUNNING);
    }

    /// The last start ran nothing: it is taken back.
    private void voidStart(Machine m) {
        if (m.g != 0) {
            goroutines.set(m.g, m.before);
        }
        if (m.start >= 0) {
            events.setKind(m.start, PageKind.EMPTY);
        }
        m.start = NONE;
        m.g = 0;
    }

    private void park(TraceEvent event, Machine m) {
        String blocker = event.name();
        String reason = ParkReason.of(event.get(Field.REASON)).toString();
        String text = blocker.isEmpty() ? reason : reason + " · " + blocker.substring(blocker.lastIndexOf('.') + 1);
        stop(event, m, PageKind.PARK, State.WAITING, reasons.of(text), m.stack);
        m.stack = 0;
    }

    private void yielded(TraceEvent event, @Nullable Machine m) {
        if (m != null) {
            int to = m.p >= 0 ? TO_YIELDED : Place.GLOBAL.ordinal();
            stop(event, m, PageKind.YIELD, State.RUNNABLE, (int) event.get(Field.PREEMPTED), to);
        }
    }

    private void end(TraceEvent event, Machine m) {
        if (m.g != 0 && m.start >= 0 && m.before == State.ENDED) {
            voidStart(m);
        } else {
            stop(event, m, PageKind.END, State.ENDED, 0, 0);
        }
    }

    private void stop(TraceEvent event, Machine m, PageKind kind, State state, int a, int b) {
        if (m.g == 0) {
            return;
        }
        goroutines.set(m.g, state);
        emit(event, kind, m, m.g, a, b);
        m.g = 0;
        m.start = NONE;
    }

    private void deliver(TraceEvent event, @Nullable Machine m) {
        Machine to = target(event);
        emit(event, PageKind.DELIVER, m, ofThread(event), to == null ? NONE : to.index, 0);
    }

    // ---- processors and queues

    private void own(Machine m, int p) {
        owners.remove(m.p, m);
        m.p = p;
        if (p >= 0) {
            Machine before = owners.put(p, m);
            if (before != null && before != m) {
                before.p = NONE;
            }
        }
    }

    private void startProcessor(TraceEvent event, Machine m, int p) {
        m.isKnown = true;
        if (m.p == p) {
            return; // its chunk has just said so
        }
        own(m, p);
        if (m.wake >= 0) {
            events.setP(m.wake, p);
            m.wake = NONE;
        }
        emit(event, m.g != 0 ? PageKind.REGAIN : PageKind.PSTART, m, m.g, 0, 0);
    }

    private void stopProcessor(TraceEvent event, Machine m, int p) {
        if (m.p != p) {
            return;
        }
        emit(event, m.g != 0 ? PageKind.TAKEN : PageKind.PSTOP, m, m.g, m.g != 0 ? GAVE_AWAY : 0, 0);
        own(m, NONE);
    }

    private void taken(TraceEvent event, int p, @Nullable Machine from, int why) {
        if (from == null || from.p != p) {
            return; // the machine has noticed the loss already
        }
        lastTaken.put(p, emit(event, PageKind.TAKEN, p, from, from.g, why, 0));
        own(from, NONE);
    }

    /// The reason for the last take, and what the monitor found.
    private void handOff(TraceEvent event) {
        int p = processor(event);
        int why = (int) event.get(Field.WHY);
        Integer taken = lastTaken.remove(p);
        if (taken != null && taken >= 0) {
            events.setA(taken, Math.min(why, NEEDED));
        }
        int found = why == HandOffReason.HOG.ordinal() ? HOG : BLOCKED;
        monitor(event, found, p, target(event), event.get(Field.NANOS));
    }

    private void monitor(TraceEvent event, int found, int p, @Nullable Machine m, long nanos) {
        emit(event, PageKind.MONITOR, p, m, m == null ? 0 : m.g, found, (int) Math.max(0, nanos / NANOS_PER_MICRO));
    }

    private void moved(TraceEvent event, @Nullable Machine m, PageKind kind, int g, int a) {
        if (m != null && m.p >= 0) {
            emit(event, kind, m.p, m, g, a, (int) event.get(Field.COUNT));
        }
    }

    /// 1 if the entries that move had yielded.
    private static int isOfYielded(TraceEvent event) {
        return event.kind().fields().contains(Field.YIELDED) ? (int) event.get(Field.YIELDED) : 0;
    }

    // ---- machines, the world

    private void wake(TraceEvent event, @Nullable Machine waker) {
        Machine m = target(event);
        int wake = emit(event, PageKind.WAKE, NONE, m, 0, waker == null ? NONE : waker.index, 0);
        if (m != null) {
            m.isAsleep = false;
            m.wake = wake;
        } else if (wake >= 0) {
            askedFor.add(wake);
        }
    }

    /// A new machine: the oldest request for one was for it.
    private void began(TraceEvent event, Machine m) {
        emit(event, PageKind.BEGIN, m, 0, 0, 0);
        Integer wake = askedFor.poll();
        if (wake != null) {
            events.setM(wake, m.index);
            m.wake = wake;
        }
    }

    private void awake(TraceEvent event, Machine m) {
        if (m.isAsleep) {
            m.isAsleep = false;
            emit(event, PageKind.WAKE, NONE, m, 0, NONE, 0);
        }
    }

    private void procs(TraceEvent event, @Nullable Machine m) {
        int count = (int) event.get(Field.COUNT);
        if (event.scheduler() >= 0) {
            emit(event, PageKind.PROCS, m, 0, count, parts.scheduler(event.scheduler()));
            parts.grow(event.scheduler(), count);
        }
    }

    private int schedulerOf(TraceEvent event) {
        return event.scheduler() < 0 ? 0 : parts.scheduler(event.scheduler());
    }

    private void pause(TraceEvent event) {
        long begin = event.time() - from - event.get(Field.AGO);
        long end = begin + event.get(Field.NANOS);
        if (end > 0) {
            int number = pauses++;
            events.addLate(begin, PageKind.GC, NONE, NONE, 0, strings.of(event.name()), number);
            events.addLate(end, PageKind.GCEND, NONE, NONE, 0, 0, number);
        }
    }

    private void log(TraceEvent event, @Nullable Machine m, String category, String text) {
        emit(event, PageKind.LOG, m, m == null ? 0 : m.g, strings.of(category), strings.of(text));
    }

    // ---- helpers

    private int emit(TraceEvent event, PageKind kind, @Nullable Machine m, int g, int a, int b) {
        return emit(event, kind, m == null ? NONE : m.p, m, g, a, b);
    }

    private int emit(TraceEvent event, PageKind kind, int p, @Nullable Machine m, int g, int a, int b) {
        return hasBegun ? events.add(event.time() - from, kind, p, m == null ? NONE : m.index, g, a, b) : NONE;
    }

    private Machine machine(int scheduler, int number) {
        int index = parts.machine(scheduler, number);
        return machines.computeIfAbsent(index, Machine::new);
    }

    /// The machine that the event names; null if it names none.
    private @Nullable Machine target(TraceEvent event) {
        long number = event.get(Field.MACHINE);
        return number < 0 || event.scheduler() < 0 ? null : machine(event.scheduler(), (int) number);
    }

    private int processor(TraceEvent event) {
        long number = event.get(Field.PROCESSOR);
        return number < 0 || event.scheduler() < 0 ? NONE : parts.processor(event.scheduler(), (int) number);
    }

    private int ofThread(TraceEvent event) {
        long thread = event.get(Field.THREAD);
        return goroutines.ofThread(thread, listedOf(thread));
    }

    private Listed listedOf(long thread) {
        return listed.getOrDefault(thread, Listed.NOTHING);
    }
}
