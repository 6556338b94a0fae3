package dev.heddle.trace.export;

import dev.heddle.internal.trace.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes Go's execution trace format (Go: internal/trace/tracev2), generation by generation.
///
/// An event belongs to the stream of a machine and has an absolute time in nanoseconds. The events of a machine are
/// given in the order of time. The writer counts the sequence numbers of goroutines and processors, and judges nothing:
/// whether an event fits the state of its machine is the caller's affair. One generation is kept in memory.
final class GoWriter {
    /*
     * File.        A header of 16 bytes, then generations. A generation is a run of batches in any order, except that
     *              the batches of one machine are in its order. Structure (clock, stacks, strings) has batches of its
     *              own, which belong to no machine.
     * Batch.       A time in ticks, and at most 64 KiB of events. The first number of each event is the difference
     *              to the event before, or to the batch.
     * Sequences.   The parser replays all machines by time, but takes an event only if the goroutine or processor has
     *              reached its sequence number. They start anew in each generation.
     * Generation.  Readable by itself: it begins with the status of each goroutine and processor, and has its own
     *              tables.
     */

    /// The limit of the parser, for the events of a batch.
    private static final int LARGEST_BATCH = 64 << 10;

    /// Room for the largest event: its type and five numbers.
    private static final int LARGEST_EVENT = 64;

    /// As in Go: most differences then fit into one byte.
    private static final int NANOS_PER_TICK = 64;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final GoVersion version;
    private final long wallClockOffset;
    private final OutputStream out;
    private long generation;

    // of the current generation
    private final Map<Long, Stream> streams = new LinkedHashMap<>();
    private GoTables tables = new GoTables();
    private final Map<Long, Long> goroutineSequences = new HashMap<>();
    private final Map<Long, Long> processorSequences = new HashMap<>();
    private long beginTick;

    /// Writes the header.
    ///
    /// @param wallClockOffset added to an event's time gives nanoseconds since 1970
    GoWriter(GoVersion version, long wallClockOffset, OutputStream out) throws IOException {
        this.version = version;
        this.wallClockOffset = wallClockOffset;
        this.out = out;
        out.write(("go 1." + version.number + " trace\0\0\0").getBytes(StandardCharsets.US_ASCII));
    }

    /// The events of one machine in this generation.
    private final class Stream {
        private final long machine;
        private final Bytes closed = new Bytes();
        private final Bytes events = new Bytes();
        private long batchTick;
        private long lastTick;

        Stream(long machine) {
            this.machine = machine;
        }

        void add(int type, long nanos, long... numbers) {
            if (events.size() + LARGEST_EVENT > LARGEST_BATCH) {
                close();
            }
            long tick = Math.max(lastTick, nanos / NANOS_PER_TICK);
            if (events.isEmpty()) {
                batchTick = tick;
                lastTick = tick;
            }
            events.put(type).unsigned(tick - lastTick);
            for (long number : numbers) {
                events.unsigned(number);
            }
            lastTick = tick;
        }

        void close() {
            if (!events.isEmpty()) {
                putBatch(machine, batchTick, events, closed);
                events.clear();
            }
        }
    }

    private void putBatch(long machine, long tick, Bytes events, Bytes into) {
        into.put(GoEvent.BATCH).unsigned(generation).unsigned(machine).unsigned(tick);
        into.unsigned(events.size()).bytes(events);
    }

    // ---- generations

    void beginGeneration(long nanos) {
        generation++;
        streams.clear();
        tables = new GoTables();
        goroutineSequences.clear();
        processorSequences.clear();
        beginTick = nanos / NANOS_PER_TICK;
    }

    void endGeneration() throws IOException {
        Bytes structure = new Bytes();
        putBatch(GoEvent.NO_MACHINE, beginTick, clock(), structure);
        structure.writeTo(out);
        for (Stream stream : streams.values()) {
            stream.close();
            stream.closed.writeTo(out);
        }
        structure.clear();
        tables.write(LARGEST_BATCH, body -> putBatch(GoEvent.NO_MACHINE, beginTick, body, structure));
        if (version.hasEndMark()) {
            structure.put(GoEvent.END_OF_GENERATION);
        }
        structure.writeTo(out);
    }

    private Bytes clock() {
        Bytes clock = new Bytes();
        if (version.hasClockSnapshot()) {
            clock.put(GoEvent.SYNC);
        }
        clock.put(GoEvent.FREQUENCY).unsigned(NANOS_PER_SECOND / NANOS_PER_TICK);
        if (version.hasClockSnapshot()) {
            long nanos = beginTick * NANOS_PER_TICK;
            long wall = nanos + wallClockOffset;
            clock.put(GoEvent.CLOCK_SNAPSHOT).unsigned(0).unsigned(nanos);
            clock.unsigned(Math.floorDiv(wall, NANOS_PER_SECOND)).unsigned(Math.floorMod(wall, NANOS_PER_SECOND));
        }
        return clock;
    }

    private void add(long machine, long nanos, int type, long... numbers) {
        streams.computeIfAbsent(machine, Stream::new).add(type, nanos, numbers);
    }

    private static long next(Map<Long, Long> sequences, long id) {
        return sequences.merge(id, 1L, Long::sum);
    }

    // ---- processors

    /// @param status [GoEvent#PROC_RUNNING] on this machine, or [GoEvent#PROC_IDLE]
    void procStatus(long machine, long nanos, long processor, int status) {
        processorSequences.put(processor, 0L);
        add(machine, nanos, GoEvent.PROC_STATUS, processor, status);
    }

    /// Needs a machine that has a processor and a goroutine.
    void procsChange(long machine, long nanos, long procs) {
        add(machine, nanos, GoEvent.PROCS_CHANGE, procs, 0);
    }

    void procStart(long machine, long nanos, long processor) {
        add(machine, nanos, GoEvent.PROC_START, processor, next(processorSequences, processor));
    }

    void procStop(long machine, long nanos) {
        add(machine, nanos, GoEvent.PROC_STOP);
    }

    /// Takes the processor of a machine whose goroutine is in a system call.
    void procSteal(long machine, long nanos, long processor, long victim) {
        add(machine, nanos, GoEvent.PROC_STEAL, processor, next(processorSequences, processor), victim);
    }

    // ---- goroutines

    /// @param of     the machine that runs it, or [GoEvent#NO_MACHINE]
    /// @param status [GoEvent#RUNNABLE], [GoEvent#RUNNING] or [GoEvent#WAITING]
    void goStatus(long machine, long nanos, long goroutine, long of, int status) {
        goroutineSequences.put(goroutine, 0L);
        add(machine, nanos, GoEvent.GO_STATUS, goroutine, of, status);
    }

    /// Needs a machine that has a processor.
    void goCreate(long machine, long nanos, long goroutine, String name) {
        goroutineSequences.put(goroutine, 0L);
        add(machine, nanos, GoEvent.GO_CREATE, goroutine, tables.stack(List.of(name)), 0);
    }

    void goStart(long machine, long nanos, long goroutine) {
        add(machine, nanos, GoEvent.GO_START, goroutine, next(goroutineSequences, goroutine));
    }

    void goDestroy(long machine, long nanos) {
        add(machine, nanos, GoEvent.GO_DESTROY);
    }

    /// The goroutine stays runnable.
    void goStop(long machine, long nanos, String reason) {
        add(machine, nanos, GoEvent.GO_STOP, tables.string(reason), 0);
    }

    void goBlock(long machine, long nanos, String reason, List<String> stack) {
        add(machine, nanos, GoEvent.GO_BLOCK, tables.string(reason), tables.stack(stack));
    }

    /// Needs neither a processor nor a goroutine.
    void goUnblock(long machine, long nanos, long goroutine) {
        add(machine, nanos, GoEvent.GO_UNBLOCK, goroutine, next(goroutineSequences, goroutine), 0);
    }

    void syscallBegin(long machine, long nanos, long processor) {
        add(machine, nanos, GoEvent.GO_SYSCALL_BEGIN, next(processorSequences, processor), 0);
    }

    void syscallEnd(long machine, long nanos) {
        add(machine, nanos, GoEvent.GO_SYSCALL_END);
    }

    /// After its processor was taken: the goroutine is runnable, and the machine has none.
    void syscallEndBlocked(long machine, long nanos) {
        add(machine, nanos, GoEvent.GO_SYSCALL_END_BLOCKED);
    }

    // ---- what goroutines and the world do

    void stopBegin(long machine, long nanos, String kind) {
        add(machine, nanos, GoEvent.STW_BEGIN, tables.string(kind), 0);
    }

    void stopEnd(long machine, long nanos) {
        add(machine, nanos, GoEvent.STW_END);
    }

    /// @param sequence one more than the last of these two events had
    void gcBegin(long machine, long nanos, long sequence) {
        add(machine, nanos, GoEvent.GC_BEGIN, sequence, 0);
    }

    void gcEnd(long machine, long nanos, long sequence) {
        add(machine, nanos, GoEvent.GC_END, sequence);
    }

    void taskBegin(long machine, long nanos, long task, long parent, String name) {
        add(machine, nanos, GoEvent.TASK_BEGIN, task, parent, tables.string(name), 0);
    }

    void taskEnd(long machine, long nanos, long task) {
        add(machine, nanos, GoEvent.TASK_END, task, 0);
    }

    void regionBegin(long machine, long nanos, long task, String name) {
        add(machine, nanos, GoEvent.REGION_BEGIN, task, tables.string(name), 0);
    }

    void regionEnd(long machine, long nanos, long task, String name) {
        add(machine, nanos, GoEvent.REGION_END, task, tables.string(name), 0);
    }

    void log(long machine, long nanos, long task, String category, String message) {
        add(machine, nanos, GoEvent.USER_LOG, task, tables.string(category), tables.string(message), 0);
    }
}
