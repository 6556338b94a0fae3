package dev.heddle.trace;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.Bytes;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes small recordings by hand. Machine -1 is a foreign thread; times are nanoseconds.
public final class Scenario {

    private static final int FOREIGN_THREAD = 77;

    private final Map<Integer, Writer> machines = new LinkedHashMap<>();
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final List<byte[]> threads = new ArrayList<>();
    private final Bytes stacks = new Bytes();
    private long strict;
    private long end = 10_000;
    private long complete = -1;
    private boolean hasEnd = true;
    private int procs = 2;

    /// The buffer of one machine. Its chunks are given in order.
    private final class Writer {
        final int machine;
        final List<Bytes> chunks = new ArrayList<>();
        final List<Long> numbers = new ArrayList<>();
        long time;
        long goroutine;
        int processor = -1;
        long thread;

        Writer(int machine) {
            this.machine = machine;
        }

        Bytes chunk(long at, long dropped) {
            Bytes chunk = new Bytes().put(EventKind.CHUNK.code()).unsigned(at);
            chunk.signed(processor).unsigned(thread).unsigned(dropped);
            chunks.add(chunk);
            numbers.add(numbers.isEmpty() ? 0 : numbers.getLast() + 1);
            time = at;
            goroutine = 0;
            return chunk;
        }

        void add(long at, EventKind kind, Object... values) {
            Bytes chunk = chunks.isEmpty() ? chunk(at, 0) : chunks.getLast();
            chunk.put(kind.code()).unsigned(at - time);
            time = at;
            if (machine < 0) {
                chunk.unsigned(FOREIGN_THREAD).signed(0);
            }
            for (int i = 0; i < values.length; i++) {
                put(chunk, kind.fields().get(i), values[i]);
            }
        }

        private void put(Bytes chunk, Field field, Object value) {
            switch (field.code()) {
                case UNSIGNED -> chunk.unsigned(((Number) value).longValue());
                case SIGNED -> chunk.signed(((Number) value).longValue());
                case GOROUTINE -> {
                    long number = ((Number) value).longValue();
                    chunk.signed(number - goroutine);
                    goroutine = number;
                }
                case NAME -> chunk.unsigned(name((String) value));
                case TEXT -> chunk.text((String) value);
            }
        }
    }

    private int name(String text) {
        return text.isEmpty() ? 0 : names.computeIfAbsent(text, _ -> names.size() + 1);
    }

    private Writer writer(int machine) {
        return machines.computeIfAbsent(machine, Writer::new);
    }

    // ---- what the recording holds

    /// What the machine has when its first chunk begins. Call it before the machine's first event.
    public Scenario has(int machine, int processor, long thread) {
        Writer writer = writer(machine);
        writer.processor = processor;
        writer.thread = thread;
        return this;
    }

    /// An event, with the fields in their order; names are strings.
    public Scenario at(long time, int machine, EventKind kind, Object... values) {
        writer(machine).add(time, kind, values);
        return this;
    }

    /// A new chunk of that machine, after `dropped` events were dropped.
    public Scenario chunk(long time, int machine, int processor, long thread, long dropped) {
        has(machine, processor, thread).writer(machine).chunk(time, dropped);
        return this;
    }

    /// A stack that GO_STACK names, the innermost frame first.
    public Scenario stack(int number, String... frames) {
        stacks.unsigned(number).unsigned(frames.length);
        for (String frame : frames) {
            stacks.text(frame);
        }
        return this;
    }

    /// A thread in the list of all.
    public Scenario thread(long id, String name, String body, String state) {
        threads.add(new Bytes().unsigned(id).text(name).text(body).text(state).toArray());
        return this;
    }

    public Scenario strictFrom(long time) {
        strict = time;
        return this;
    }

    public Scenario endsAt(long time) {
        end = time;
        return this;
    }

    /// The file has no end: only what came until then is known to be complete.
    public Scenario completeUntil(long time) {
        complete = time;
        hasEnd = false;
        return this;
    }

    public Scenario procs(int number) {
        procs = number;
        return this;
    }

    /// The first chunks of each machine are lost, as in a snapshot of the flight recorder.
    public Scenario withoutFirstChunks(int count) {
        for (Writer writer : machines.values()) {
            for (int i = 0; i < count && !writer.chunks.isEmpty(); i++) {
                writer.chunks.removeFirst();
                writer.numbers.removeFirst();
            }
        }
        return this;
    }

    // ---- the file

    public byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TraceFile.Writer file = new TraceFile.Writer(out);
        file.write(
                Block.Type.HEADER,
                new Bytes()
                        .unsigned(0)
                        .signed(1_000)
                        .signed(1_760_000_000_000_000_000L)
                        .unsigned(4711)
                        .unsigned(0)
                        .text("0.1.0")
                        .text("25.0.3")
                        .text("app.Main")
                        .toArray());
        file.write(
                Block.Type.SCHEDULER,
                new Bytes().unsigned(0).text("heddle").unsigned(procs).toArray());
        for (Writer writer : machines.values()) {
            int scheduler = writer.machine < 0 ? -1 : 0;
            file.write(
                    Block.Type.BUFFER,
                    new EventDecoder.Buffer(
                                    writer.machine + 1,
                                    scheduler,
                                    writer.machine,
                                    1000 + writer.machine,
                                    500 + writer.machine,
                                    "carrier " + writer.machine)
                            .toPayload());
        }
        mark(file, Block.Mark.STRICT, strict);
        for (Writer writer : machines.values()) {
            for (int i = 0; i < writer.chunks.size(); i++) {
                byte[] events = writer.chunks.get(i).toArray();
                Bytes piece = new EventDecoder.Piece(writer.machine + 1, writer.numbers.get(i), 0).toBytes();
                file.write(
                        Block.Type.DATA, piece.bytes(events, 0, events.length).toArray());
            }
        }
        Bytes table = new Bytes();
        names.forEach((text, id) -> table.unsigned(id).text(text));
        file.write(Block.Type.NAMES, table.toArray());
        if (!stacks.isEmpty()) {
            file.write(Block.Type.STACKS, stacks.toArray());
        }
        if (!threads.isEmpty()) {
            Bytes list = new Bytes().unsigned(0).unsigned(end);
            threads.forEach(it -> list.bytes(it, 0, it.length));
            file.write(Block.Type.THREADS, list.toArray());
        }
        if (complete >= 0) {
            mark(file, Block.Mark.COMPLETE, complete);
        }
        if (hasEnd) {
            mark(file, Block.Mark.END, end);
        }
        return out.toByteArray();
    }

    private static void mark(TraceFile.Writer file, Block.Mark mark, long time) throws IOException {
        file.write(
                Block.Type.MARK,
                new Bytes().unsigned(mark.ordinal()).unsigned(time).unsigned(0).toArray());
    }

    public Path write(Path file) throws IOException {
        return Files.write(file, bytes());
    }

    /// A goroutine parks three times, twice with a stack: in a channel and, twice as long, in a lock of the JDK.
    public static Scenario withStacks() {
        return new Scenario()
                .has(1, 0, 40)
                .stack(
                        7,
                        "java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)",
                        "dev.heddle.internal.runtime.Parking.park(Parking.java:35)",
                        "dev.heddle.Chan.receive(Chan.java:90)",
                        "app.Main.consume(Main.java:12)",
                        "app.Main.lambda$run$0(Main.java:3)")
                .stack(
                        8,
                        "java.lang.VirtualThread.park(VirtualThread.java:7)",
                        "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:9)",
                        "app.Store.put(Store.java:44)")
                .at(100, 1, EventKind.GO_STACK, 7)
                .at(100, 1, EventKind.GO_PARK, 0, "")
                .at(300, 1, EventKind.GO_READY, 40, 0)
                .at(310, 1, EventKind.GO_START, 40, 0)
                .at(400, 1, EventKind.GO_STACK, 8)
                .at(400, 1, EventKind.GO_PARK, 16, "java.util.concurrent.locks.ReentrantLock")
                .at(800, 1, EventKind.GO_READY, 40, 0)
                .at(810, 1, EventKind.GO_START, 40, 0)
                .at(900, 1, EventKind.GO_PARK, 6, "")
                .endsAt(1000);
    }

    /// A small program of two processors: a goroutine that spawns, a steal, a channel, a hog whose processor is taken,
    /// a foreign waker and a stop of the world.
    public static Scenario small() {
        return new Scenario()
                .has(1, 0, 40)
                .at(100, 1, EventKind.GO_CREATE, 1, "app.Worker", 0)
                .at(200, 1, EventKind.GO_CREATE, 2, "app.Worker", 0)
                .at(250, 1, EventKind.M_WAKE, 2)
                .at(300, 2, EventKind.M_BEGIN)
                .at(310, 2, EventKind.P_START, 1)
                .at(320, 2, EventKind.SPIN_BEGIN)
                .at(400, 2, EventKind.STEAL, 0, 1, 0)
                .at(410, 2, EventKind.SPIN_END)
                .at(420, 2, EventKind.GO_START_FRESH, 1, 50, 4, "")
                .at(500, 1, EventKind.GO_PARK, 0, "dev.heddle.Chan")
                .at(500, 1, EventKind.GO_START_FRESH, 2, 51, 0, "")
                .at(600, 2, EventKind.GO_READY, 40, 0)
                .at(700, 2, EventKind.GO_END)
                .at(700, 2, EventKind.GO_START, 40, 0)
                .at(1000, -1, EventKind.P_TAKEN, 0, 1)
                .at(1010, -1, EventKind.HAND_OFF, 0, 1, 2, 20_000_000)
                .at(1100, 3, EventKind.M_BEGIN)
                .at(1110, 3, EventKind.P_START, 0)
                .at(1200, -1, EventKind.GO_READY, 90, 2)
                .at(1300, 3, EventKind.GLOBAL_TAKE, 1)
                .at(1310, 3, EventKind.GO_START, 90, 2)
                .at(1400, 3, EventKind.GO_YIELD, 1)
                .at(1400, 3, EventKind.GO_START, 90, 3)
                .at(1500, 1, EventKind.P_LOST, 0)
                .at(1510, 1, EventKind.GO_YIELD, 1)
                .at(1520, 1, EventKind.M_PARK)
                .at(1600, 3, EventKind.GO_PARK, 6, "")
                .at(1700, 3, EventKind.GLOBAL_TAKE, 1)
                .at(1710, 3, EventKind.GO_START, 51, 2)
                .at(2000, 2, EventKind.STW_BEGIN)
                .at(2010, 2, EventKind.P_TAKEN, 0, 3)
                .at(2020, 2, EventKind.PROCS, 2)
                .at(2030, 2, EventKind.STW_END)
                .at(2100, 3, EventKind.P_LOST, 0)
                .at(2110, 3, EventKind.P_START, 0)
                .at(2200, 3, EventKind.GO_END)
                .at(2300, 2, EventKind.GO_END)
                .at(2310, 2, EventKind.P_STOP, 1)
                .thread(95, "sleeper", "app.Sleeper", "sleep")
                .endsAt(3000);
    }
}
