package dev.heddle.trace;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What was there when the window of a recording began.
///
/// The events before the window, and the event that begins the first chunk of a machine, say which processor and
/// goroutine a machine had. All else follows from the first mention in the window: what starts was runnable, what
/// becomes runnable was waiting, and whose processor is taken had it. This is the only place that infers anything.
final class Beginning {
    /*
     * First chunk. A machine that has written nothing before is what its first CHUNK event says, and has been that from
     *              the start. But the event may be written in the middle of a change, and name what the machine is just
     *              about to get: so what the machine's next event starts does not count.
     * Ended.       A thread that ended may be mentioned once more, by an entry that was queued twice. The last ended
     *              ones are remembered, so that they are not taken for new ones.
     */

    /// A goroutine at the start of the window.
    ///
    /// @param id        see [Goroutine#id]
    /// @param thread    its thread; 0: it has none yet
    /// @param scheduler its scheduler; -1: unknown
    /// @param state     RUNNABLE, WAITING or RUNNING
    /// @param machine   on which it runs; null: it does not
    /// @param name      its name; may be empty
    /// @param body      the class of its body; may be empty
    record Start(
            long id,
            long thread,
            int scheduler,
            State state,
            @Nullable MachineId machine,
            String name,
            String body) {}

    record MachineId(int scheduler, int machine) {}

    record ProcessorId(int scheduler, int processor) {}

    private static final int REMEMBERED_ENDS = 10_000;

    final Map<Long, Start> goroutines = new LinkedHashMap<>();

    /// The owners of the processors that had one.
    final Map<ProcessorId, MachineId> owners = new HashMap<>();

    private final long from;
    private final Map<Long, ListedThread> listed = new HashMap<>();

    /// What is known of a machine while the events are read.
    private static final class Seen {
        long thread;
        int processor = -1;
        boolean isFirst = true;
        boolean isClaim;
    }

    private final Map<MachineId, Seen> machines = new HashMap<>();

    /// The goroutine that each thread means, by its id.
    private final Map<Long, Long> threads = new HashMap<>();

    private final Map<Long, String> bodies = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();
    private final Set<Long> numbers = new HashSet<>();
    private final Set<ProcessorId> processors = new HashSet<>();

    /// The machines that got a processor in the window. If a later event names another one as its own, that one
    /// was granted while the machine was parked: it writes P_START when it notices the grant, unless the
    /// processor was taken again before.
    private final Set<MachineId> gainers = new HashSet<>();

    /// The processors whose owners are only known from before the window.
    private final Set<ProcessorId> outdated = new HashSet<>();

    private final Map<Long, Boolean> ended = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > REMEMBERED_ENDS;
        }
    };
    /// How many goroutines without a number began to run before the window.
    long unnumberedBefore;

    private long unnumbered;

    private Beginning(Recording recording) {
        from = recording.from();
        recording.threads().forEach(it -> listed.put(it.id(), it));
    }

    static Beginning of(Recording recording) throws IOException {
        Beginning beginning = new Beginning(recording);
        try (EventStream events = recording.events()) {
            boolean isInside = false;
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                if (!isInside && event.time() >= beginning.from) {
                    isInside = true;
                    beginning.enterWindow();
                }
                beginning.see(event, isInside);
            }
            if (!isInside) {
                beginning.enterWindow();
            }
        }
        beginning.machines.forEach(beginning::settle);
        beginning.addListed();
        return beginning;
    }

    /// What the machines have written before is what they have at the start. What they said of others may be wrong: not
    /// all took part.
    private void enterWindow() {
        threads.keySet()
                .retainAll(new HashSet<>(
                        machines.values().stream().map(it -> it.thread).toList()));
        numbers.clear();
        unnumberedBefore = unnumbered; // and not 0: what runs now has such a number
        machines.forEach((id, machine) -> {
            if (machine.thread != 0) {
                long key = threads.computeIfAbsent(machine.thread, it -> it);
                begin(key, machine.thread, id.scheduler, State.RUNNING, id);
            }
            if (machine.processor >= 0) {
                own(id, machine.processor);
            }
        });
        outdated.addAll(owners.keySet());
    }

    private void addListed() {
        for (ListedThread thread : listed.values()) {
            if (!threads.containsKey(thread.id())
                    && !ended.containsKey(thread.id())
                    && !goroutines.containsKey(thread.id())) {
                State state = thread.state().equals(State.RUNNABLE.toString()) ? State.RUNNABLE : State.WAITING;
                begin(thread.id(), thread.id(), thread.scheduler(), state, null);
            }
        }
    }

    private void begin(long id, long thread, int scheduler, State state, @Nullable MachineId machine) {
        ListedThread known = listed.get(thread);
        String name = names.getOrDefault(id, known == null ? "" : known.name());
        String body = bodies.getOrDefault(id, known == null ? "" : known.body());
        goroutines.putIfAbsent(id, new Start(id, thread, scheduler, state, machine, name, body));
    }

    /// What a machine wrote before the window may be outdated: the thread that took its processor may have written
    /// nothing.
    /// So what the window tells of a processor wins.
    private void own(MachineId machine, int processor) {
        ProcessorId id = new ProcessorId(machine.scheduler, processor);
        if (outdated.remove(id) && !machine.equals(owners.get(id))) {
            owners.remove(id);
            processors.remove(id);
        }
        if (processors.add(id) && !owners.containsValue(machine) && !gainers.contains(machine)) {
            owners.put(id, machine);
        }
    }

    private void takeFromOthers(MachineId machine, int processor) {
        machines.forEach((id, other) -> {
            if (id.scheduler == machine.scheduler && !id.equals(machine) && other.processor == processor) {
                other.processor = -1;
            }
        });
    }

    // ---- events

    private void see(TraceEvent event, boolean isInside) {
        MachineId id = new MachineId(event.scheduler(), event.machine());
        Seen machine = event.machine() < 0 ? new Seen() : machines.computeIfAbsent(id, _ -> new Seen());
        if (machine.isClaim && event.kind() != EventKind.CHUNK) {
            confirm(event, machine, id);
        }
        switch (event.kind()) {
            case CHUNK -> {
                if (machine.isFirst && event.machine() >= 0) {
                    machine.isClaim = isInside;
                    machine.thread = event.get(Field.THREAD);
                    machine.processor = (int) event.get(Field.PROCESSOR);
                }
            }
            case GO_CREATE -> {
                numbers.add(event.get(Field.NUMBER));
                if (!isInside) {
                    bodies.put(Goroutine.FIRST_NUMBERED + event.get(Field.NUMBER), event.name());
                }
            }
            case THREAD_CREATE -> {
                long thread = event.get(Field.THREAD);
                threads.put(thread, thread);
                if (!isInside) {
                    bodies.put(thread, event.name());
                    names.put(thread, event.text());
                }
            }
            case GO_READY -> {
                boolean isAgain = event.get(Field.PLACE) == Place.GLOBAL_AGAIN.ordinal();
                mention(event, isAgain ? State.RUNNABLE : State.WAITING, isInside);
            }
            case GO_REFUSED, LOCKED_DELIVER -> mention(event, State.RUNNABLE, isInside);
            case GO_START -> {
                mention(event, State.RUNNABLE, isInside);
                machine.thread = event.get(Field.THREAD);
            }
            case GO_START_FRESH -> startFresh(event, machine, isInside);
            case GO_PARK, GO_YIELD, GO_VOID -> machine.thread = 0;
            case GO_END -> {
                Long goroutine = threads.remove(machine.thread);
                if (goroutine != null) {
                    ended.put(machine.thread, true);
                    bodies.remove(goroutine);
                    names.remove(goroutine);
                }
                machine.thread = 0;
            }
            case P_START -> {
                machine.processor = (int) event.get(Field.PROCESSOR);
                if (isInside) {
                    ProcessorId gained = new ProcessorId(event.scheduler(), machine.processor);
                    processors.add(gained);
                    gainers.add(id);
                    if (outdated.remove(gained) && !id.equals(owners.get(gained))) {
                        owners.remove(gained); // it was free
                    }
                } else {
                    takeFromOthers(id, machine.processor);
                }
            }
            case P_STOP -> {
                if (isInside) {
                    own(id, (int) event.get(Field.PROCESSOR));
                }
                machine.processor = -1;
            }
            case P_LOST -> machine.processor = -1; // it may have been taken long ago, before the window
            case P_TAKEN -> taken(event, isInside);
            default -> {}
        }
        machine.isFirst = false;
    }

    /// A machine's first event after its first CHUNK: what it starts, the machine has not had before.
    private void confirm(TraceEvent event, Seen machine, MachineId id) {
        boolean isNew = event.kind() == EventKind.M_BEGIN;
        boolean startsThread = event.kind() == EventKind.GO_START || event.kind() == EventKind.GO_START_FRESH;
        if (isNew || (startsThread && event.get(Field.THREAD) == machine.thread)) {
            machine.thread = 0;
        }
        if (isNew || (event.kind() == EventKind.P_START && event.get(Field.PROCESSOR) == machine.processor)) {
            machine.processor = -1;
        }
        settle(id, machine);
    }

    private void settle(MachineId id, Seen machine) {
        if (machine.isClaim) {
            machine.isClaim = false;
            if (machine.thread != 0) {
                goroutines.remove(machine.thread); // what was inferred from a start that must turn out to be void
                threads.put(machine.thread, machine.thread);
                begin(machine.thread, machine.thread, id.scheduler, State.RUNNING, id);
            }
            if (machine.processor >= 0) {
                own(id, machine.processor);
            }
        }
    }

    private void mention(TraceEvent event, State before, boolean isInside) {
        long thread = event.get(Field.THREAD);
        if (!threads.containsKey(thread) && !ended.containsKey(thread)) {
            threads.put(thread, thread);
            if (isInside) {
                begin(thread, thread, event.scheduler(), before, null);
            }
        }
    }

    private void startFresh(TraceEvent event, Seen machine, boolean isInside) {
        long number = event.get(Field.NUMBER);
        long thread = event.get(Field.THREAD);
        long id = number == 0 ? Goroutine.FIRST_UNNUMBERED + ++unnumbered : Goroutine.FIRST_NUMBERED + number;
        if (!event.name().isEmpty()) {
            bodies.put(id, event.name());
        }
        if (!numbers.remove(number) && isInside) {
            begin(id, 0, event.scheduler(), State.RUNNABLE, null);
        }
        if (isInside) {
            bodies.remove(id);
        }
        ended.remove(thread);
        threads.put(thread, id);
        machine.thread = thread;
    }

    private void taken(TraceEvent event, boolean isInside) {
        int victim = (int) event.get(Field.MACHINE);
        int processor = (int) event.get(Field.PROCESSOR);
        if (victim < 0) {
            return;
        }
        MachineId id = new MachineId(event.scheduler(), victim);
        if (isInside) {
            own(id, processor);
        }
        Seen seen = machines.get(id);
        if (seen != null && seen.processor == processor) {
            seen.processor = -1;
        }
    }
}
