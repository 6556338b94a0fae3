package dev.heddle.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Reads a trace in Go's format by the rules of Go's own parser (Go: internal/trace/order.go), and stricter in one
/// point: the machines' events must be possible in the order of their times, where Go's parser would try another order.
final class GoChecker {

    /// An event with the line that `go tool trace -d=parsed` would have for it, more or less.
    record Event(long tick, long machine, int type, List<Long> numbers) {
        long number(int index) {
            return numbers.get(index);
        }
    }

    private enum G {
        RUNNABLE,
        RUNNING,
        SYSCALL,
        WAITING
    }

    private enum P {
        RUNNING,
        IDLE,
        SYSCALL
    }

    private static final class Machine {
        long goroutine = -1;
        long processor = -1;
    }

    private final ByteBuffer in;
    private final int version;
    private final Map<Long, Machine> machines = new HashMap<>();
    private final Map<Long, G> goroutines = new HashMap<>();
    private final Map<Long, P> processors = new HashMap<>();
    private final Map<Long, Long> goroutineSequences = new HashMap<>();
    private final Map<Long, Long> processorSequences = new HashMap<>();
    private long gcSequence;
    private int generations;
    private final List<String> log = new ArrayList<>();

    // of the current generation
    private final Map<Long, String> strings = new HashMap<>();
    private final Map<Long, List<Long>> stacks = new HashMap<>();
    private final Map<Long, Deque<Event>> streams = new TreeMap<>();
    private boolean hasClock;

    private GoChecker(byte[] file) {
        in = ByteBuffer.wrap(file);
        byte[] header = new byte[16];
        in.get(header);
        String text = new String(header, StandardCharsets.US_ASCII);
        assertThat(text).matches("go 1\\.\\d\\d trace\\x00{3}");
        version = Integer.parseInt(text.substring(5, 7));
    }

    /// The events of the file as lines; fails if Go's parser would refuse it.
    static List<String> check(byte[] file) {
        GoChecker checker = new GoChecker(file);
        checker.read();
        return checker.log;
    }

    private void read() {
        while (in.hasRemaining()) {
            readBatch();
            if (version >= 26 && in.get(in.position()) == GoEvent.END_OF_GENERATION) {
                in.get();
                replay();
            }
        }
        if (version < 26) {
            replay();
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private void readBatch() {
        assertThat((int) in.get()).as("start of a batch").isEqualTo(GoEvent.BATCH);
        long generation = varint(in);
        if (generation != generations + 1L && version < 26) {
            replay(); // the number of the next batch ends a generation
        }
        assertThat(generation).as("generation").isEqualTo(generations + 1L);
        long machine = varint(in);
        long tick = varint(in);
        int size = (int) varint(in);
        assertThat(size).isBetween(1, 65_536);
        ByteBuffer body = in.slice(in.position(), size);
        in.position(in.position() + size);
        switch (body.get(0)) {
            case GoEvent.STRINGS -> readStrings(body);
            case GoEvent.STACKS -> readStacks(body);
            case GoEvent.SYNC, GoEvent.FREQUENCY -> readClock(body);
            default -> readEvents(machine, tick, body);
        }
    }

    private void readStrings(ByteBuffer body) {
        body.get();
        while (body.hasRemaining()) {
            assertThat((int) body.get()).isEqualTo(GoEvent.STRING);
            long id = varint(body);
            byte[] text = new byte[(int) varint(body)];
            assertThat(text.length).isLessThanOrEqualTo(1024);
            body.get(text);
            assertThat(strings.put(id, new String(text, StandardCharsets.UTF_8)))
                    .isNull();
        }
    }

    private void readStacks(ByteBuffer body) {
        body.get();
        while (body.hasRemaining()) {
            assertThat((int) body.get()).isEqualTo(GoEvent.STACK);
            long id = varint(body);
            long frames = varint(body);
            assertThat(frames).isBetween(1L, 128L);
            for (long left = frames; left > 0; left--) {
                varint(body);
                stacks.computeIfAbsent(id, _ -> new ArrayList<>()).add(varint(body));
                varint(body);
                varint(body);
            }
        }
    }

    private void readClock(ByteBuffer body) {
        hasClock = true;
        if (version >= 25) {
            assertThat((int) body.get()).isEqualTo(GoEvent.SYNC);
        }
        assertThat((int) body.get()).isEqualTo(GoEvent.FREQUENCY);
        assertThat(varint(body)).isEqualTo(15_625_000);
        if (version >= 25) {
            assertThat((int) body.get()).isEqualTo(GoEvent.CLOCK_SNAPSHOT);
            for (int i = 0; i < 4; i++) {
                varint(body);
            }
        }
        assertThat(body.hasRemaining()).isFalse();
    }

    private void readEvents(long machine, long start, ByteBuffer body) {
        long tick = start;
        while (body.hasRemaining()) {
            int type = body.get();
            tick += varint(body);
            List<Long> numbers = new ArrayList<>();
            for (int i = 0; i < count(type); i++) {
                numbers.add(varint(body));
            }
            Deque<Event> stream = streams.computeIfAbsent(machine, _ -> new ArrayDeque<>());
            assertThat(stream.isEmpty() || stream.getLast().tick <= tick)
                    .as("a machine's events are in order")
                    .isTrue();
            stream.add(new Event(tick, machine, type, numbers));
        }
    }

    private static int count(int type) {
        return switch (type) {
            case GoEvent.PROC_STOP,
                    GoEvent.GO_DESTROY,
                    GoEvent.GO_SYSCALL_END,
                    GoEvent.GO_SYSCALL_END_BLOCKED,
                    GoEvent.STW_END -> 0;
            case GoEvent.GC_END -> 1;
            case GoEvent.PROCS_CHANGE,
                    GoEvent.PROC_START,
                    GoEvent.PROC_STATUS,
                    GoEvent.GO_START,
                    GoEvent.GO_STOP,
                    GoEvent.GO_BLOCK,
                    GoEvent.GO_SYSCALL_BEGIN,
                    GoEvent.STW_BEGIN,
                    GoEvent.GC_BEGIN,
                    GoEvent.TASK_END -> 2;
            case GoEvent.PROC_STEAL,
                    GoEvent.GO_CREATE,
                    GoEvent.GO_UNBLOCK,
                    GoEvent.GO_STATUS,
                    GoEvent.REGION_BEGIN,
                    GoEvent.REGION_END -> 3;
            case GoEvent.TASK_BEGIN, GoEvent.USER_LOG -> 4;
            default -> throw new AssertionError("no such event type: " + type);
        };
    }

    // ---- the replay of a generation

    private final Set<Long> saidGoroutines = new HashSet<>();
    private final Set<Long> saidProcessors = new HashSet<>();

    private void replay() {
        generations++;
        assertThat(hasClock).isTrue();
        saidGoroutines.clear();
        saidProcessors.clear();
        goroutineSequences.clear();
        processorSequences.clear();
        while (!streams.isEmpty()) {
            long first = streams.values().stream()
                    .mapToLong(it -> it.getFirst().tick)
                    .min()
                    .orElseThrow();
            boolean advanced = false;
            for (Deque<Event> stream : List.copyOf(streams.values())) {
                Event head = stream.getFirst();
                if (head.tick == first && advance(head)) {
                    advanced = true;
                    stream.removeFirst();
                    if (stream.isEmpty()) {
                        streams.values().remove(stream);
                    }
                    break;
                }
            }
            assertThat(advanced)
                    .as(() -> "failed to advance: " + heads(first) + "; " + goroutines + processors)
                    .isTrue();
        }
        strings.clear();
        stacks.clear();
        hasClock = false;
    }

    private List<Event> heads(long tick) {
        return streams.values().stream()
                .map(Deque::getFirst)
                .filter(it -> it.tick == tick)
                .toList();
    }

    private String string(Event event, int index) {
        return stringOf(event.number(index));
    }

    /// The frames of a stack; nothing if there is none, or only the name of the goroutine.
    private String frames(long id) {
        if (id == 0) {
            return "";
        }
        assertThat(stacks).containsKey(id);
        List<Long> stack = stacks.get(id);
        return stack.size() < 2
                ? ""
                : " in " + String.join(" < ", stack.stream().map(this::stringOf).toList());
    }

    private String stringOf(long id) {
        assertThat(strings).containsKey(id);
        return strings.get(id);
    }

    private boolean take(Map<Long, Long> sequences, long id, long sequence) {
        Long last = sequences.get(id);
        if (last == null || last + 1 != sequence) {
            return false;
        }
        sequences.put(id, sequence);
        return true;
    }

    private boolean isNext(Map<Long, Long> sequences, long id, long sequence) {
        Long last = sequences.get(id);
        return last != null && last + 1 == sequence;
    }

    private boolean advance(Event e) {
        Machine m = machines.computeIfAbsent(e.machine, _ -> new Machine());
        long id = e.numbers.isEmpty() ? 0 : e.number(0);
        switch (e.type) {
            case GoEvent.PROC_STATUS -> {
                assertThat(saidProcessors.add(id)).as("one status of P" + id).isTrue();
                P status = e.number(1) == GoEvent.PROC_RUNNING ? P.RUNNING : P.IDLE;
                P before = processors.put(id, status);
                assertThat(before == null || before == status)
                        .as(() -> "P" + id + " was " + before)
                        .isTrue();
                processorSequences.put(id, 0L);
                if (status == P.RUNNING) {
                    m.processor = id;
                }
            }
            case GoEvent.PROC_START -> {
                if (processors.get(id) != P.IDLE || m.processor != -1 || !take(processorSequences, id, e.number(1))) {
                    return false;
                }
                processors.put(id, P.RUNNING);
                m.processor = id;
            }
            case GoEvent.PROC_STOP -> {
                needs(e, m, true, null);
                processors.put(m.processor, P.IDLE);
                m.processor = -1;
            }
            case GoEvent.PROC_STEAL -> {
                Machine victim = machines.get(e.number(2));
                if (processors.get(id) != P.SYSCALL
                        || victim == null
                        || victim.processor != id
                        || !take(processorSequences, id, e.number(1))) {
                    return false;
                }
                processors.put(id, P.IDLE);
                victim.processor = -1;
            }
            case GoEvent.GO_STATUS -> goStatus(e, m);
            case GoEvent.GO_CREATE -> {
                needs(e, m, true, null);
                assertThat(goroutines).as(e.toString()).doesNotContainKey(id);
                assertThat(stacks).containsKey(e.number(1));
                goroutines.put(id, G.RUNNABLE);
                goroutineSequences.put(id, 0L);
                saidGoroutines.add(id);
            }
            case GoEvent.GO_START -> {
                if (goroutines.get(id) != G.RUNNABLE || !isNext(goroutineSequences, id, e.number(1))) {
                    return false;
                }
                needs(e, m, true, false);
                take(goroutineSequences, id, e.number(1));
                goroutines.put(id, G.RUNNING);
                m.goroutine = id;
            }
            case GoEvent.GO_UNBLOCK -> {
                if (goroutines.get(id) != G.WAITING || !take(goroutineSequences, id, e.number(1))) {
                    return false;
                }
                goroutines.put(id, G.RUNNABLE);
            }
            case GoEvent.GO_STOP, GoEvent.GO_BLOCK, GoEvent.GO_DESTROY -> {
                needs(e, m, true, true);
                if (e.type == GoEvent.GO_DESTROY) {
                    goroutines.remove(m.goroutine);
                } else {
                    string(e, 0);
                    goroutines.put(m.goroutine, e.type == GoEvent.GO_STOP ? G.RUNNABLE : G.WAITING);
                }
                m.goroutine = -1;
            }
            case GoEvent.GO_SYSCALL_BEGIN -> {
                needs(e, m, true, true);
                assertThat(take(processorSequences, m.processor, id)).isTrue();
                goroutines.put(m.goroutine, G.SYSCALL);
                processors.put(m.processor, P.SYSCALL);
            }
            case GoEvent.GO_SYSCALL_END -> {
                needs(e, m, true, true);
                goroutines.put(m.goroutine, G.RUNNING);
                processors.put(m.processor, P.RUNNING);
            }
            case GoEvent.GO_SYSCALL_END_BLOCKED -> {
                if (m.processor != -1 && processors.get(m.processor) == P.SYSCALL) {
                    return false; // until it is taken
                }
                assertThat(goroutines.get(m.goroutine)).as(e.toString()).isEqualTo(G.SYSCALL);
                goroutines.put(m.goroutine, G.RUNNABLE);
                m.goroutine = -1;
            }
            case GoEvent.GC_BEGIN, GoEvent.GC_END -> {
                assertThat(id).as("GC sequence").isEqualTo(++gcSequence);
                if (e.type == GoEvent.GC_BEGIN && gcSequence > 1) {
                    needs(e, m, true, true);
                }
            }
            case GoEvent.STW_BEGIN -> {
                needs(e, m, true, true);
                string(e, 0);
            }
            case GoEvent.USER_LOG -> {
                needs(e, m, true, true);
                string(e, 1);
                string(e, 2);
            }
            case GoEvent.TASK_BEGIN -> {
                needs(e, m, true, true);
                string(e, 2);
            }
            case GoEvent.REGION_BEGIN, GoEvent.REGION_END -> {
                needs(e, m, true, true);
                string(e, 1);
            }
            default -> needs(e, m, true, true);
        }
        log.add(line(e, m));
        return true;
    }

    private void goStatus(Event e, Machine m) {
        long id = e.number(0);
        assertThat(saidGoroutines.add(id)).as("one status of G" + id).isTrue();
        G status = switch ((int) e.number(2)) {
            case GoEvent.RUNNABLE -> G.RUNNABLE;
            case GoEvent.RUNNING -> G.RUNNING;
            default -> G.WAITING;
        };
        G before = goroutines.put(id, status);
        if (generations > 1) {
            assertThat(before).as("G" + id + " in a later generation").isEqualTo(status);
        } else {
            assertThat(before).isNull();
        }
        goroutineSequences.put(id, 0L);
        if (status == G.RUNNING) {
            assertThat(e.number(1)).isEqualTo(e.machine);
            m.goroutine = id;
        }
    }

    private static void needs(Event e, Machine m, boolean processor, Boolean goroutine) {
        assertThat(m.processor != -1).as(e + ": has a processor").isEqualTo(processor);
        if (goroutine != null) {
            assertThat(m.goroutine != -1).as(e + ": has a goroutine").isEqualTo(goroutine);
        }
    }

    private String line(Event e, Machine m) {
        String where = "M" + e.machine + " P" + m.processor + " G" + m.goroutine + " ";
        long id = e.numbers.isEmpty() ? 0 : e.number(0);
        return switch (e.type) {
            case GoEvent.PROC_START -> where + "ProcStart " + id;
            case GoEvent.PROC_STOP -> where + "ProcStop";
            case GoEvent.PROC_STEAL -> where + "ProcSteal " + id + " of M" + e.number(2);
            case GoEvent.PROC_STATUS -> where + "ProcStatus " + id + " " + processors.get(id);
            case GoEvent.PROCS_CHANGE -> where + "ProcsChange " + id;
            case GoEvent.GO_CREATE ->
                where + "GoCreate " + id + " "
                        + stringOf(stacks.get(e.number(1)).getLast());
            case GoEvent.GO_START -> where + "GoStart " + id;
            case GoEvent.GO_DESTROY -> where + "GoDestroy";
            case GoEvent.GO_STOP -> where + "GoStop " + string(e, 0);
            case GoEvent.GO_BLOCK -> where + "GoBlock " + string(e, 0) + frames(e.number(1));
            case GoEvent.GO_UNBLOCK -> where + "GoUnblock " + id;
            case GoEvent.GO_STATUS -> where + "GoStatus " + id + " " + goroutines.get(id);
            case GoEvent.GO_SYSCALL_BEGIN -> where + "GoSyscallBegin";
            case GoEvent.GO_SYSCALL_END -> where + "GoSyscallEnd";
            case GoEvent.GO_SYSCALL_END_BLOCKED -> where + "GoSyscallEndBlocked";
            case GoEvent.STW_BEGIN -> where + "StopBegin " + string(e, 0);
            case GoEvent.STW_END -> where + "StopEnd";
            case GoEvent.GC_BEGIN -> where + "GcBegin " + id;
            case GoEvent.GC_END -> where + "GcEnd " + id;
            case GoEvent.TASK_BEGIN -> where + "TaskBegin " + id + " " + string(e, 2);
            case GoEvent.TASK_END -> where + "TaskEnd " + id;
            case GoEvent.REGION_BEGIN -> where + "RegionBegin " + string(e, 1);
            case GoEvent.REGION_END -> where + "RegionEnd " + string(e, 1);
            case GoEvent.USER_LOG -> where + "Log " + string(e, 1) + ": " + string(e, 2);
            default -> throw new AssertionError(e.toString());
        };
    }
}
