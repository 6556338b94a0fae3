package dev.heddle.internal.trace;

import dev.heddle.internal.jdk.Jdk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Empties the buffers of a recording into its sinks, and knows up to when the sinks have everything.
///
/// One thread calls [#cycle] again and again; the others wait for it. Nothing here is called by the scheduler.
public final class TraceDrainer {

    /// How long after a moment an event of before may still be invisible, at most: see In flight in [TraceBuffer].
    private static final long VISIBLE_NANOS = 1_000_000;

    private static final long POLL_NANOS = 100_000;

    /// A sink, and why it got nothing more.
    public static final class Attached {
        private final TraceSink sink;
        private volatile @Nullable IOException failure;
        private boolean isStrict;

        private Attached(TraceSink sink) {
            this.sink = sink;
        }

        /// Why nothing more is written; null: all is well.
        public @Nullable IOException failure() {
            return failure;
        }
    }

    private final Recording recording;
    private final List<Recording.Scheduler> schedulers = new ArrayList<>();
    private final List<Recording.Member> members = new ArrayList<>();
    private final List<Attached> sinks = new ArrayList<>();
    private boolean isStrict;
    private long dropped;

    public TraceDrainer(Recording recording) {
        this.recording = recording;
    }

    /// From now on `sink` gets everything.
    public synchronized Attached attach(TraceSink sink) {
        welcome();
        Attached attached = new Attached(sink);
        sinks.add(attached);
        for (Recording.Scheduler each : schedulers) {
            give(attached, it -> it.block(Block.Type.SCHEDULER, each.toPayload()));
        }
        for (Recording.Member each : members) {
            give(attached, it -> it.block(Block.Type.BUFFER, each.info().toPayload()));
        }
        if (isStrict) {
            beginStrict(attached, recording.now());
        }
        return attached;
    }

    public synchronized void detach(Attached attached) {
        sinks.remove(attached);
    }

    /// Every machine writes from now on.
    public synchronized void strict() {
        isStrict = true;
        long now = recording.now();
        for (Attached each : List.copyOf(sinks)) {
            if (!each.isStrict) {
                beginStrict(each, now);
            }
        }
    }

    private void beginStrict(Attached attached, long time) {
        attached.isStrict = true;
        give(attached, it -> it.strict(time, dropped));
    }

    /// Gives what was written since the last time to the sinks. Returns how many bytes that were.
    public synchronized long cycle() {
        welcome();
        long sum = 0;
        for (Iterator<Recording.Member> all = members.iterator(); all.hasNext(); ) {
            Recording.Member each = all.next();
            boolean hasEnded = each.buffer().hasEnded(); // before the last look
            sum += drain(each.buffer());
            if (hasEnded) {
                all.remove();
                long ended = each.buffer().id();
                for (Attached sink : List.copyOf(sinks)) {
                    give(sink, it -> it.ended(ended));
                }
                dropped += each.buffer().dropped();
                recording.giveMemory((long) each.buffer().capacity() * TraceBuffer.CHUNK_BYTES);
            } else if (each.buffer().isShort()) {
                grow(each.buffer());
            }
        }
        return sum;
    }

    private long drain(TraceBuffer buffer) {
        return buffer.drain((chunk, offset, bytes, length) -> {
            for (Attached each : List.copyOf(sinks)) {
                give(each, it -> it.piece(buffer.id(), chunk, offset, bytes, length));
            }
        });
    }

    /// Doubles its memory, if there is any: what comes in bursts will come so again.
    private void grow(TraceBuffer buffer) {
        int more = Math.min(buffer.capacity(), TraceBuffer.MOST_CHUNKS - buffer.capacity());
        for (int i = 0; i < more && recording.takeMemory(TraceBuffer.CHUNK_BYTES); i++) {
            try {
                buffer.addChunk(new byte[TraceBuffer.CHUNK_BYTES]);
            } catch (OutOfMemoryError _) {
                recording.giveMemory(TraceBuffer.CHUNK_BYTES);
                return;
            }
        }
    }

    /// Makes the sinks complete up to now, if every thread that is writing an event ends that within the time.
    /// Returns whether it did.
    public synchronized boolean complete(long patienceNanos) {
        long time = recording.now();
        Jdk.parkSelf(VISIBLE_NANOS);
        while (isAnyWriting()) {
            if (recording.now() - time > patienceNanos) {
                return false;
            }
            Jdk.parkSelf(POLL_NANOS);
        }
        boolean isVisible = recording.now() - time >= VISIBLE_NANOS; // a park may end early
        long _ = cycle();
        if (!isVisible) {
            return complete(patienceNanos);
        }
        long sum = dropped();
        for (Attached each : List.copyOf(sinks)) {
            give(each, it -> it.complete(time, sum));
        }
        return true;
    }

    private boolean isAnyWriting() {
        welcome();
        for (Recording.Member each : members) {
            if (each.buffer().isWriting()) {
                return true;
            }
        }
        return false;
    }

    /// Whether a sink should get a moment of completeness soon.
    public synchronized boolean isHungry() {
        for (Attached each : sinks) {
            if (each.sink instanceof RingSink ring && ring.isHungry()) {
                return true;
            }
        }
        return false;
    }

    /// Events that were lost because a buffer was full.
    public synchronized long dropped() {
        long sum = dropped + recording.foreign().dropped();
        for (Recording.Member each : members) {
            sum += each.buffer().dropped();
        }
        return sum;
    }

    /// Gives a block to all sinks: THREADS, a REMARK.
    public synchronized void block(Block.Type type, byte[] payload) {
        for (Attached each : List.copyOf(sinks)) {
            give(each, it -> it.block(type, payload));
        }
    }

    private void welcome() {
        for (Recording.Scheduler next = recording.newSchedulers.poll();
                next != null;
                next = recording.newSchedulers.poll()) {
            schedulers.add(next);
            block(Block.Type.SCHEDULER, next.toPayload());
        }
        for (Recording.Member next = recording.newMembers.poll(); next != null; next = recording.newMembers.poll()) {
            members.add(next);
            block(Block.Type.BUFFER, next.info().toPayload());
        }
    }

    /// What a sink is given.
    private interface Gift {
        void to(TraceSink sink) throws IOException;
    }

    /// A sink that fails gets nothing more; the recording goes on for the others.
    private void give(Attached attached, Gift gift) {
        if (attached.failure == null) {
            try {
                gift.to(attached.sink);
            } catch (IOException e) {
                attached.failure = e;
            } catch (OutOfMemoryError e) {
                attached.failure = new IOException("there is no memory left", e);
            }
            if (attached.failure != null) {
                sinks.remove(attached);
            }
        }
    }
}
