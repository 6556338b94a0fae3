package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.ParkedStack;
import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.EventDecoder;
import dev.heddle.internal.trace.FileSink;
import dev.heddle.internal.trace.Recording;
import dev.heddle.internal.trace.TraceDrainer;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.internal.trace.TraceFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// A recording of everything that happens until it is closed, in memory. Needs no test library.
final class TestRecording {

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /// What a recording holds, sorted by time.
    record Content(
            List<TraceEvent> events, Map<Long, List<String>> stacks, long strict, long end, long dropped, int bytes) {

        /// The events that a strict replay takes.
        List<TraceEvent> strictOnes() {
            return events.stream()
                    .filter(it -> it.time() >= strict && it.time() <= end)
                    .toList();
        }
    }

    private final Recording recording = new Recording(0);
    private final TraceDrainer drainer = new TraceDrainer(recording);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final FileSink sink;
    private final TraceDrainer.Attached attached;
    private final Thread thread;
    private final Object draining = new Object();
    private volatile boolean goesOn = true;

    TestRecording() {
        this(0);
    }

    /// @param stacksEvery one of so many parks has a stack
    TestRecording(int stacksEvery) {
        recording.setStacksEvery(stacksEvery);
        try {
            sink = new FileSink(bytes, recording.tables());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        attached = drainer.attach(sink);
        thread = new Thread(this::drain, "test-drainer");
        thread.setDaemon(true);
        recording.setDrainer(thread);
        thread.start();
        TraceSwitch.on(recording);
        if (!TraceSwitch.awaitPassing(PATIENCE_NANOS)) {
            throw new AssertionError("a machine stays in its kernel");
        }
        drainer.strict();
    }

    /// A machine and a kernel whose threads never start take part, too.
    void add(Machine machine) {
        TraceSwitch.join(machine.kernel);
        machine.kernel.tracing.join(machine);
    }

    Recording recording() {
        return recording;
    }

    /// Nothing is written meanwhile: a test may fill the heap.
    void withoutDraining(Runnable task) {
        synchronized (draining) {
            task.run();
        }
    }

    /// How many buffers a recording that begins now would have.
    int buffers() {
        ByteArrayOutputStream beginning = new ByteArrayOutputStream();
        try {
            FileSink other = new FileSink(beginning, recording.tables());
            drainer.detach(drainer.attach(other));
            other.abandon();
            int buffers = 0;
            TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(beginning.toByteArray()));
            for (Block block = reader.next(); block != null; block = reader.next()) {
                buffers += block.type() == Block.Type.BUFFER ? 1 : 0;
            }
            return buffers;
        } catch (IOException | ByteSource.Damage e) {
            throw new AssertionError(e);
        }
    }

    private void drain() {
        while (goesOn) {
            synchronized (draining) {
                drainer.cycle();
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// Ends the recording and decodes it.
    Content stop() {
        if (!drainer.complete(PATIENCE_NANOS)) {
            throw new AssertionError("an event is written and written");
        }
        TraceSwitch.off(); // afterwards: it tells one scheduler after the other
        goesOn = false;
        drainer.detach(attached);
        try {
            thread.join();
            if (attached.failure() != null) {
                throw new AssertionError(attached.failure());
            }
            sink.end(drainer.dropped());
            return decode(bytes.toByteArray());
        } catch (IOException | InterruptedException | ByteSource.Damage e) {
            throw new AssertionError(e);
        }
    }

    /// What is in a file. Fails if it is damaged.
    static Content decode(byte[] file) throws IOException, ByteSource.Damage {
        List<TraceEvent> events = new ArrayList<>();
        Map<Long, EventDecoder> decoders = new HashMap<>();
        Map<Long, String> names = new HashMap<>();
        Map<Long, List<String>> stacks = new HashMap<>();
        List<Block> all = new ArrayList<>();
        TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(file));
        for (Block block = reader.next(); block != null; block = reader.next()) {
            all.add(block);
            if (block.type() == Block.Type.NAMES) {
                ByteSource in = new ByteSource(block.payload());
                while (!in.isAtEnd()) {
                    names.put(in.unsigned(), in.text());
                }
            }
        }
        long strict = Long.MAX_VALUE;
        long end = -1;
        long dropped = 0;
        for (Block block : all) {
            ByteSource in = new ByteSource(block.payload());
            switch (block.type()) {
                case BUFFER -> {
                    EventDecoder.Buffer buffer = EventDecoder.Buffer.of(in);
                    decoders.put(buffer.id(), new EventDecoder(buffer, id -> names.getOrDefault(id, "")));
                }
                case DATA -> {
                    EventDecoder.Piece piece = EventDecoder.Piece.of(in);
                    decoders.get(piece.buffer()).decode(piece, in, events::add);
                }
                case MARK -> {
                    Block.Mark mark = Block.Mark.values()[in.count(2)];
                    long time = in.unsigned();
                    switch (mark) {
                        case STRICT -> strict = time;
                        case COMPLETE -> end = time;
                        case END -> dropped = in.unsigned();
                    }
                }
                case STACKS -> {
                    while (!in.isAtEnd()) {
                        long number = in.unsigned();
                        List<String> frames = new ArrayList<>();
                        for (int left = in.count(ParkedStack.MOST_FRAMES); left > 0; left--) {
                            frames.add(in.text());
                        }
                        stacks.put(number, frames);
                    }
                }
                default -> {
                    // not needed
                }
            }
        }
        if (reader.damage() != null) {
            throw new AssertionError(reader.damage());
        }
        events.sort(Comparator.comparingLong(TraceEvent::time)); // stable: each buffer keeps its order
        return new Content(events, stacks, strict, end, dropped, file.length);
    }
}
