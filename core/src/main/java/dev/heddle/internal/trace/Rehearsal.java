package dev.heddle.internal.trace;

import dev.heddle.internal.jdk.ParkedStack;

/// Does once, on a thread that may wait, what the scheduler will do in its kernel: so all classes are loaded and all
/// method handles are linked before the first event. The kernel must not wait for a class loader, and has little stack.
final class Rehearsal {

    private static boolean isDone; // guarded by the class's monitor

    private Rehearsal() {}

    static synchronized void once() {
        if (!isDone) {
            isDone = true;
            NameTable names = new NameTable();
            TraceBuffer[] buffers = new TraceBuffer[ForeignBuffers.STRIPES];
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = new TraceBuffer(i, 0, new Nowhere(), 2, () -> {});
            }
            write(buffers[0], buffers[0].nameOf(names, Rehearsal.class));
            ForeignBuffers foreign = new ForeignBuffers(buffers);
            foreign.note(EventKind.HAND_OFF, 0, 1, 1, 1, 1);
            foreign.note(EventKind.THREAD_CREATE, 0, 1, 1, 1, "text");
        }
    }

    private static void write(TraceBuffer buffer, int name) {
        buffer.goCreate(buffer.nextGoroutine(), name, Place.NEXT);
        buffer.goReady(1, Place.TAIL);
        buffer.ran(1);
        buffer.goStart(1, Source.NEXT, false);
        buffer.goPark(ParkReason.of(ParkReason.SELECT.code()), name);
        if (buffer.wantsStack(1)) {
            ParkedStack.link();
            int stack = new StackTable().of(new Throwable().getStackTrace());
            buffer.goPark(ParkReason.PARK, name, buffer.beginPark(), stack);
        }
        buffer.goStartFresh(1, 1, Source.QUEUE, name, true);
        buffer.goYield(false);
        if (!buffer.isRunning()) {
            buffer.goEnd();
            buffer.goVoid();
        }
        buffer.processorStarts(1);
        buffer.processorStops(1);
        buffer.processorLost(1);
        buffer.note(EventKind.THREAD_CREATE, 1, 1, 1, "é€\uD83D");
        for (EventKind kind : EventKind.values()) {
            if (!kind.fields().contains(Field.TEXT)) {
                buffer.note(kind, 1, 1, 1, 1);
            }
        }
        long _ = buffer.drain((_, _, _, _) -> {});
        buffer.addChunk(new byte[TraceBuffer.CHUNK_BYTES]);
    }

    /// A machine that has nothing.
    private static final class Nowhere implements TraceBuffer.Owner {
        @Override
        public int tracedProcessor() {
            return -1;
        }

        @Override
        public long tracedThread() {
            return 0;
        }
    }
}
