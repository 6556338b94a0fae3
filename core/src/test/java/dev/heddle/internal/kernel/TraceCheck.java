package dev.heddle.internal.kernel;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Replays a recording and finds what cannot have happened. It knows the rules of `docs/trace-format.md` for goroutines
/// and processors, and nothing else of the reader's side. Needs no test library.
final class TraceCheck {

    /// What is known of a goroutine.
    private enum State {
        RUNNABLE,
        RUNNING,
        WAITING,
        ENDED
    }

    /// What is known of a machine.
    private static final class Holder {
        /// The goroutine that runs here; null: none.
        String running;

        /// The processor; -1: none.
        long processor = -1;

        boolean isKnown;
    }

    private final TestRecording.Content content;
    private final Map<String, State> states = new HashMap<>();
    private final Map<String, Holder> holders = new HashMap<>();

    /// The machine that has a processor; by scheduler and processor.
    private final Map<String, String> owners = new HashMap<>();

    /// The goroutine that a thread runs now, if that has a number.
    private final Map<Long, String> numbered = new HashMap<>();

    private final List<String> problems = new ArrayList<>();
    private final Map<EventKind, Integer> counts = new EnumMap<>(EventKind.class);
    private final List<TraceEvent> last = new ArrayList<>();
    private long starts;
    private long stops;
    private long runningAtBegin;

    private TraceCheck(TestRecording.Content content) {
        this.content = content;
    }

    /// How often each kind occurs. Throws if the recording is impossible.
    static Map<EventKind, Integer> check(TestRecording.Content content) {
        TraceCheck check = new TraceCheck(content);
        for (TraceEvent event : content.events()) {
            if (event.time() <= content.end()) {
                check.take(event);
            }
        }
        check.finish();
        return check.counts;
    }

    private void finish() {
        long runningAtEnd =
                holders.values().stream().filter(it -> it.running != null).count();
        if (starts + runningAtBegin != stops + runningAtEnd) {
            problems.add(starts + " starts and " + runningAtBegin + " before, " + stops + " ends of runs and "
                    + runningAtEnd + " after");
        }
        if (!problems.isEmpty()) {
            throw new AssertionError(problems.size() + " problems in "
                    + content.events().size() + " events, dropped "
                    + content.dropped() + ":\n"
                    + String.join("\n", problems.subList(0, Math.min(5, problems.size()))));
        }
    }

    private void take(TraceEvent event) {
        last.add(event);
        boolean isStrict = event.time() >= content.strict();
        if (isStrict) {
            counts.merge(event.kind(), 1, Integer::sum);
        }
        Holder holder = event.machine() < 0
                ? new Holder()
                : holders.computeIfAbsent(event.scheduler() + "/" + event.machine(), _ -> new Holder());
        boolean wasRunning = holder.running != null;
        switch (event.kind()) {
            case CHUNK -> chunk(event, holder, isStrict);
            case GO_CREATE -> set(number(event), State.RUNNABLE);
            case THREAD_CREATE -> set(thread(event), State.RUNNABLE);
            case GO_READY -> ready(event, isStrict);
            case GO_REFUSED -> states.remove(thread(event));
            case GO_START -> start(event, holder, thread(event), isStrict);
            case GO_START_FRESH -> {
                // a goroutine that was created while nothing was recorded is one that was never seen before
                String fresh = event.get(Field.NUMBER) == 0 ? "unnumbered " + last.size() : number(event);
                numbered.put(event.get(Field.THREAD), fresh);
                start(event, holder, fresh, isStrict);
            }
            case GO_PARK -> leave(event, holder, State.WAITING, isStrict);
            case GO_YIELD, GO_VOID -> leave(event, holder, State.RUNNABLE, isStrict);
            case GO_END -> {
                String ended = holder.running;
                leave(event, holder, State.ENDED, isStrict);
                if (ended != null) {
                    numbered.values().remove(ended);
                }
            }
            case P_START -> {
                String owner = owners.put(processor(event), machine(event));
                if (isStrict && owner != null && !owner.equals(machine(event))) {
                    problem(event, "which " + owner + " has");
                }
                holder.processor = event.get(Field.PROCESSOR);
            }
            case P_STOP -> {
                if (isStrict && holder.isKnown && holder.processor != event.get(Field.PROCESSOR)) {
                    problem(event, "but it has " + holder.processor);
                }
                owners.remove(processor(event), machine(event));
                holder.processor = -1;
            }
            case P_LOST -> {
                owners.remove(processor(event), machine(event));
                holder.processor = -1;
            }
            case P_TAKEN -> owners.remove(processor(event), event.scheduler() + "/" + event.get(Field.MACHINE));
            default -> {
                // changes nothing here
            }
        }
        holder.isKnown = true;
        if (!isStrict) {
            runningAtBegin += (holder.running != null ? 1 : 0) - (wasRunning ? 1 : 0);
        }
    }

    private void chunk(TraceEvent event, Holder holder, boolean isStrict) {
        if (event.machine() < 0) {
            return;
        }
        long thread = event.get(Field.THREAD);
        String running = thread == 0 ? null : numbered.getOrDefault(thread, "T" + thread);
        if (holder.isKnown && event.get(Field.COUNT) == 0) {
            if (isStrict && !java.util.Objects.equals(running, holder.running)) {
                problem(event, "but it runs " + holder.running);
            }
            return;
        }
        if (isStrict && running != null && !holder.isKnown) {
            runningAtBegin++; // it has been there since the beginning
        }
        holder.running = running;
        holder.processor = event.get(Field.PROCESSOR);
        if (running != null) {
            set(running, State.RUNNING);
        }
        if (holder.processor >= 0) {
            owners.put(processor(event), machine(event));
        }
    }

    private void ready(TraceEvent event, boolean isStrict) {
        String who = thread(event);
        State before = states.get(who);
        boolean again = event.get(Field.PLACE) == Place.GLOBAL_AGAIN.ordinal();
        if (isStrict && !again && before != null && before != State.WAITING) {
            problem(event, "but it is " + before);
        }
        if (before != State.RUNNING && before != State.ENDED) {
            set(who, State.RUNNABLE);
        }
    }

    private void start(TraceEvent event, Holder holder, String who, boolean isStrict) {
        State before = states.get(who);
        if (isStrict && before != null && before != State.RUNNABLE) {
            problem(event, who + " is " + before);
        }
        if (isStrict && holder.running != null) {
            problem(event, "but it runs " + holder.running);
        }
        starts += isStrict ? 1 : 0;
        holder.running = who;
        set(who, State.RUNNING);
    }

    private void leave(TraceEvent event, Holder holder, State next, boolean isStrict) {
        if (isStrict && holder.running == null) {
            problem(event, "but nothing runs there");
        }
        stops += isStrict ? 1 : 0;
        if (holder.running != null) {
            set(holder.running, next);
        }
        holder.running = null;
    }

    /// Before the recording is strict, only what a machine says of itself is known.
    private void set(String who, State state) {
        boolean isStrict = last.getLast().time() >= content.strict();
        if (isStrict || state == State.RUNNING) {
            states.put(who, state);
        } else {
            states.remove(who);
        }
    }

    private static String number(TraceEvent event) {
        return "G" + event.get(Field.NUMBER);
    }

    private String thread(TraceEvent event) {
        long thread = event.get(Field.THREAD);
        return numbered.getOrDefault(thread, "T" + thread);
    }

    private static String machine(TraceEvent event) {
        return event.scheduler() + "/" + event.machine();
    }

    private static String processor(TraceEvent event) {
        return event.scheduler() + "/P" + event.get(Field.PROCESSOR);
    }

    private void problem(TraceEvent event, String what) {
        if (problems.size() < 3) {
            StringBuilder before = new StringBuilder();
            for (TraceEvent each : last.subList(Math.max(0, last.size() - 40), last.size())) {
                before.append("\n    ").append(each);
            }
            problems.add(event + ": " + what + before);
        } else {
            problems.add(event + ": " + what);
        }
    }
}
