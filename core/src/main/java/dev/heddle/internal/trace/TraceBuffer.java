package dev.heddle.internal.trace;

import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The events of one machine, or of one stripe of foreign threads, on their way to the drainer.
public final class TraceBuffer {
    /*
     * Shape.      chunk 0 | chunk 1 | ..: numbered without end, each CHUNK_BYTES long, `capacity` of them in memory at a
     *             time. Chunk n is slots[n mod MOST_CHUNKS]. Each chunk begins with a CHUNK event, which says all that a
     *             reader needs to know of what came before. The writer may begin chunk n if n < allowed.
     *
     *             drained: drainedChunk, drainedOffset     published = | chunk:32 | offset:32 |     allowed
     *                                v                                    v                            v
     *             | empty | . . . . e e e | e e e e e e | e e e . . . . . . | free | free |    (not in memory)
     *
     * Who writes. published, last, at, limit, lengths, running: the writer. A machine is the only writer of its buffer;
     *             a stripe's lock makes the foreign thread that holds it the only one. slots, allowed, capacity: the
     *             drainer.
     * Orderings.  An event's bytes, then published (release): the drainer's acquire sees whole events only. An event
     *             that a stack overflow cuts off is never published; the next one overwrites it.
     *             slots, then allowed (release): pairs with the writer's acquire in renew.
     * In flight.  isWriting is set before the clock is read and cleared after the event is published. So an event whose
     *             time is before T is published, or its flag is visible, a moment after T. The drainer waits for a
     *             millisecond and then until the flag is clear, and knows that everything up to T has been published
     *             (TraceDrainer.complete).
     *             A fence keeps the compiler from moving the store of the flag behind the clock, which has no effect on
     *             memory. How long the store may then stay in the core's store buffer is not in Java's memory model but
     *             in the hardware: a core that goes on executing empties its buffer within microseconds, and the
     *             operating system empties it when it suspends the thread. A full fence would make this a proof and
     *             cost as much as the rest of the event.
     * Full.       Without a free chunk the event is dropped and counted. The writer never waits and never allocates.
     * Rejected.   One position for writer and reader in a ring of bytes: the reader would have to know where events
     *             begin. Buffers per processor: a park is noted when the processor may be another machine's already.
     */

    /// 16 KB: some 3,500 events. A guess: small enough for thousands of machines.
    public static final int CHUNK_BYTES = 16 << 10;

    /// 4 MB for each machine at most.
    static final int MOST_CHUNKS = 256;

    /// More than any event without a text needs: a kind, and six varints.
    private static final int EVENT_BYTES = 64;

    /// The longest text of an event, in characters.
    public static final int MAX_TEXT = 512;

    private static final int BYTES_OF_A_CHARACTER = 3;

    private static final VarHandle PUBLISHED;
    private static final VarHandle ALLOWED;
    private static final VarHandle WRITING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PUBLISHED = lookup.findVarHandle(TraceBuffer.class, "published", long.class);
            ALLOWED = lookup.findVarHandle(TraceBuffer.class, "allowed", long.class);
            WRITING = lookup.findVarHandle(TraceBuffer.class, "isWriting", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// What a buffer asks its machine when it begins.
    public interface Owner {

        /// The processor that this machine has, if it was not taken; else -1. On the machine's thread.
        int tracedProcessor();

        /// The id of the virtual thread on whose stack this is called; 0: on the machine's own stack. On the
        /// machine's thread.
        long tracedThread();
    }

    /// Wakes the drainer.
    interface Waker {
        void wake();
    }

    private final long id;
    private final long origin;
    private final @Nullable Owner owner;
    private final Waker waker;

    // ---- the writer's
    private byte[] bytes = {};
    private int at;
    private int limit;
    private long number = -1;
    private long last;
    private long lastGoroutine;
    private boolean hasBegun;
    private int processor = -1;
    private long running;
    private long nextGoroutine;
    private int goroutinesLeft;
    private long dropped;

    /// How many parks come until the next one with a stack, and a number for what comes then.
    private long parksLeft;

    private long random;
    private long droppedBefore;

    /// The class whose name was asked for last: most goroutines are of the same class as the one before.
    private @Nullable Class<?> lastType;

    private int lastName;

    @SuppressWarnings("UnusedVariable") // accessed through WRITING
    private boolean isWriting;

    /// Nothing more will be written. Set by the writer.
    private volatile boolean hasEnded;

    private volatile long published = -1L << 32; // written through PUBLISHED

    private final int[] lengths = new int[MOST_CHUNKS];

    // ---- the drainer's
    private final byte[][] slots = new byte[MOST_CHUNKS][];
    private volatile long allowed; // written through ALLOWED
    private int capacity;
    private long drainedChunk;
    private int drainedOffset;

    /// @param id     the number of the buffer in the file
    /// @param origin the clock's reading at time 0
    /// @param owner  the machine; null: foreign threads share the buffer
    /// @param chunks how many chunks it has at first
    /// @param waker  what to call when half of the chunks are full
    TraceBuffer(long id, long origin, @Nullable Owner owner, int chunks, Waker waker) {
        this.id = id;
        this.origin = origin;
        this.owner = owner;
        this.waker = waker;
        this.random = ~id; // never 0
        for (int i = 0; i < chunks; i++) {
            addChunk(new byte[CHUNK_BYTES]);
        }
    }

    public long id() {
        return id;
    }

    /// A number for a goroutine that is created here: never 0, and unique in the JVM. On the writer's thread.
    public int nextGoroutine() {
        if (goroutinesLeft == 0) {
            nextGoroutine = Recording.takeGoroutines();
            goroutinesLeft = Recording.goroutinesAtOnce();
        }
        goroutinesLeft--;
        int number = (int) nextGoroutine++;
        return number != 0 ? number : nextGoroutine();
    }

    /// The id of a class in the table of names. On the writer's thread.
    public int nameOf(NameTable names, Class<?> type) {
        if (type != lastType) {
            lastName = names.of(type);
            lastType = type;
        }
        return lastName;
    }

    // ---- goroutines: the events that are written at every switch

    public void goCreate(long goroutine, int body, Place place) {
        int to = begin(EventKind.GO_CREATE, false, 0);
        if (to >= 0) {
            to = putGoroutine(to, goroutine);
            to = Bytes.putUnsigned(bytes, to, body);
            bytes[to] = (byte) place.ordinal();
            end(to + 1);
        }
    }

    public void goReady(long thread, Place place) {
        int to = begin(EventKind.GO_READY, false, 0);
        if (to >= 0) {
            to = Bytes.putUnsigned(bytes, to, thread);
            bytes[to] = (byte) place.ordinal();
            end(to + 1);
        }
    }

    /// `atOnce`: the entry comes from the queue of the machine's own processor, and nothing but the end of the
    /// last run came before. Then the time of the last event is right for this one too, and the clock is not
    /// read: all entries of that queue had become runnable before.
    public void goStart(long thread, Source source, boolean atOnce) {
        int to = begin(EventKind.GO_START, atOnce, 0);
        if (to >= 0) {
            to = Bytes.putUnsigned(bytes, to, thread);
            bytes[to] = (byte) source.ordinal();
            end(to + 1);
        }
        running = thread;
    }

    /// See [#goStart].
    public void goStartFresh(long goroutine, long thread, Source source, int body, boolean atOnce) {
        int to = begin(EventKind.GO_START_FRESH, atOnce, 0);
        if (to >= 0) {
            to = putGoroutine(to, goroutine);
            to = Bytes.putUnsigned(bytes, to, thread);
            bytes[to] = (byte) source.ordinal();
            to = Bytes.putUnsigned(bytes, to + 1, body);
            end(to);
        }
        running = thread;
    }

    public void goPark(ParkReason reason, int blocker) {
        int to = begin(EventKind.GO_PARK, false, 0);
        if (to >= 0) {
            bytes[to] = (byte) reason.code();
            to = Bytes.putUnsigned(bytes, to + 1, blocker);
            end(to);
        }
        running = 0;
    }

    /// Whether the next park shall be written with a stack: on average, one of `every` is; 0: none. The distance
    /// between two varies, because goroutines that park in turn would else always be met at the same one.
    public boolean wantsStack(int every) {
        if (every == 0) {
            return false;
        }
        parksLeft = Math.min(parksLeft, 2L * every) - 1;
        if (parksLeft > 0) {
            return false;
        }
        random ^= random << 13; // xorshift: any sequence without a short period will do
        random ^= random >>> 7;
        random ^= random << 17;
        parksLeft = 1 + (random >>> 1) % (2L * every - 1);
        return true;
    }

    /// Reads the time of a park whose stack the machine takes now: [#goPark(ParkReason, int, long, int)] must follow.
    /// The drainer waits for it as for any event that is being written.
    public long beginPark() {
        return beginNow();
    }

    /// The park that began at `time` by [#beginPark], and where: the stack, 0: it could not be taken.
    public void goPark(ParkReason reason, int blocker, long time, int stack) {
        if (stack != 0) {
            int to = beginAt(EventKind.GO_STACK, time, 0);
            if (to >= 0) {
                publish(Bytes.putUnsigned(bytes, to, stack)); // not its end: the park has the same time
            }
        }
        int to = beginAt(EventKind.GO_PARK, time, 0);
        if (to >= 0) {
            bytes[to] = (byte) reason.code();
            end(Bytes.putUnsigned(bytes, to + 1, blocker));
        }
        running = 0;
    }

    public void goYield(boolean isPreempted) {
        int to = begin(EventKind.GO_YIELD, false, 0);
        if (to >= 0) {
            bytes[to] = (byte) (isPreempted ? 1 : 0);
            end(to + 1);
        }
        running = 0;
    }

    /// The goroutine that ran here has ended.
    public void goEnd() {
        int to = begin(EventKind.GO_END, false, 0);
        if (to >= 0) {
            end(to);
        }
        running = 0;
    }

    /// The entry that was started here ran nothing: it had been queued twice.
    public void goVoid() {
        int to = begin(EventKind.GO_VOID, false, 0);
        if (to >= 0) {
            end(to);
        }
        running = 0;
    }

    /// Whether a goroutine runs here, by what was written.
    public boolean isRunning() {
        return running != 0;
    }

    /// The thread that has just been unmounted is the one that this machine has run. Only the first event of a buffer
    /// needs it: the others follow what was written.
    public void ran(long thread) {
        if (!hasBegun && owner != null) {
            hasBegun = true;
            processor = owner.tracedProcessor();
            running = thread;
        }
    }

    // ---- processors

    public void processorStarts(int number) {
        note(EventKind.P_START, number, 0, 0, 0);
        processor = number;
    }

    public void processorStops(int number) {
        note(EventKind.P_STOP, number, 0, 0, 0);
        processor = -1;
    }

    public void processorLost(int number) {
        note(EventKind.P_LOST, number, 0, 0, 0);
        processor = -1;
    }

    // ---- all others

    /// An event of any kind, with as many numbers as it has.
    public void note(EventKind kind, long a, long b, long c, long d) {
        int to = begin(kind, false, 0);
        if (to >= 0) {
            end(putNumbers(to, kind, a, b, c, d));
        }
    }

    /// An event whose last field is a text.
    public void note(EventKind kind, long a, long b, long c, String text) {
        int length = Math.min(text.length(), MAX_TEXT);
        int to = begin(kind, false, length * BYTES_OF_A_CHARACTER);
        if (to >= 0) {
            end(putText(putNumbers(to, kind, a, b, c, 0), text, length));
        }
    }

    /// An event of a foreign thread. The caller holds the stripe's lock.
    void noteForeign(EventKind kind, long thread, int scheduler, long a, long b, long c, long d) {
        int to = begin(kind, false, 0);
        if (to >= 0) {
            to = Bytes.putUnsigned(bytes, to, thread);
            to = Bytes.putUnsigned(bytes, to, Bytes.zigzag(scheduler));
            end(putNumbers(to, kind, a, b, c, d));
        }
    }

    /// See [#noteForeign(EventKind, long, int, long, long, long, long)].
    void noteForeign(EventKind kind, long thread, int scheduler, long a, long b, long c, String text) {
        int length = Math.min(text.length(), MAX_TEXT);
        int to = begin(kind, false, length * BYTES_OF_A_CHARACTER);
        if (to >= 0) {
            to = Bytes.putUnsigned(bytes, to, thread);
            to = Bytes.putUnsigned(bytes, to, Bytes.zigzag(scheduler));
            end(putText(putNumbers(to, kind, a, b, c, 0), text, length));
        }
    }

    // ---- writing one event: begin, the fields, end

    /// Where the fields go; -1 if the event is dropped.
    private int begin(EventKind kind, boolean atOnce, int more) {
        if (!atOnce || !hasBegun) {
            return beginAt(kind, beginNow(), more);
        }
        WRITING.setOpaque(this, true);
        return beginAt(kind, last, more);
    }

    private long beginNow() {
        WRITING.setOpaque(this, true); // before the clock is read: see In flight
        VarHandle.releaseFence(); // costs nothing on x86
        return Jdk.nanoTime() - origin;
    }

    private int beginAt(EventKind kind, long now, int more) {
        if (limit - at < EVENT_BYTES + more && !renew(now)) {
            dropped++;
            WRITING.setRelease(this, false);
            return -1;
        }
        byte[] to = bytes;
        int next = at;
        to[next] = (byte) kind.code();
        next = Bytes.putUnsigned(to, next + 1, now - last);
        last = now;
        return next;
    }

    private void publish(int position) {
        at = position;
        PUBLISHED.setRelease(this, number << 32 | position);
    }

    private void end(int position) {
        publish(position);
        WRITING.setRelease(this, false);
    }

    private int putGoroutine(int to, long goroutine) {
        int next = Bytes.putUnsigned(bytes, to, Bytes.zigzag(goroutine - lastGoroutine));
        lastGoroutine = goroutine;
        return next;
    }

    private int putNumbers(int to, EventKind kind, long a, long b, long c, long d) {
        int next = to;
        int count = 0;
        for (Field.Code code : kind.codes) {
            if (code == Field.Code.TEXT) {
                break;
            }
            long value = count == 0 ? a : count == 1 ? b : count == 2 ? c : d;
            count++;
            if (code == Field.Code.GOROUTINE) {
                next = putGoroutine(next, value);
            } else {
                next = Bytes.putUnsigned(bytes, next, code == Field.Code.SIGNED ? Bytes.zigzag(value) : value);
            }
        }
        return next;
    }

    /// UTF-8, by hand: nothing may be allocated here. Surrogates become question marks.
    private int putText(int to, String text, int length) {
        int size = 0;
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            size += character < 0x80 || Character.isSurrogate(character) ? 1 : character < 0x800 ? 2 : 3;
        }
        int next = Bytes.putUnsigned(bytes, to, size);
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (Character.isSurrogate(character)) {
                bytes[next++] = '?';
            } else if (character < 0x80) {
                bytes[next++] = (byte) character;
            } else if (character < 0x800) {
                bytes[next++] = (byte) (0xC0 | character >> 6);
                bytes[next++] = (byte) (0x80 | character & 0x3F);
            } else {
                bytes[next++] = (byte) (0xE0 | character >> 12);
                bytes[next++] = (byte) (0x80 | character >> 6 & 0x3F);
                bytes[next++] = (byte) (0x80 | character & 0x3F);
            }
        }
        return next;
    }

    /// Begins a chunk; false if there is no free one.
    private boolean renew(long now) {
        long next = number + 1;
        if (next >= (long) ALLOWED.getAcquire(this)) { // acquire: pairs with addChunk
            return false;
        }
        if (number >= 0) {
            lengths[(int) (number % MOST_CHUNKS)] = at; // published with the first event of the new chunk
        }
        if (!hasBegun) {
            hasBegun = true;
            if (owner != null) {
                processor = owner.tracedProcessor();
                running = owner.tracedThread();
            }
        }
        int pid = owner == null || owner.tracedProcessor() < 0 ? -1 : processor;
        number = next;
        bytes = slots[(int) (next % MOST_CHUNKS)];
        int to = 0;
        bytes[to] = (byte) EventKind.CHUNK.code();
        to = Bytes.putUnsigned(bytes, to + 1, now);
        to = Bytes.putUnsigned(bytes, to, Bytes.zigzag(pid));
        to = Bytes.putUnsigned(bytes, to, running);
        to = Bytes.putUnsigned(bytes, to, dropped - droppedBefore);
        droppedBefore = dropped;
        last = now;
        lastGoroutine = 0;
        at = to;
        limit = CHUNK_BYTES;
        if (next - drainedChunk >= capacity / 2) { // both racy: the drainer looks after itself, too
            waker.wake();
        }
        return true;
    }

    // ---- draining: one thread at a time

    /// Takes a piece of a chunk.
    interface PieceReader {
        void piece(long chunk, int offset, byte[] bytes, int length);
    }

    /// Gives all published events that were not given yet to the reader. Returns how many bytes that were.
    long drain(PieceReader to) {
        long until = (long) PUBLISHED.getAcquire(this);
        long lastChunk = until >> 32;
        int lastOffset = (int) until;
        long sum = 0;
        while (drainedChunk <= lastChunk) {
            boolean isWhole = drainedChunk < lastChunk;
            int slot = (int) (drainedChunk % MOST_CHUNKS);
            int length = isWhole ? lengths[slot] : lastOffset;
            if (length > drainedOffset) {
                to.piece(drainedChunk, drainedOffset, slots[slot], length);
                sum += length - drainedOffset;
                drainedOffset = length;
            }
            if (!isWhole) {
                break;
            }
            byte[] empty = slots[slot];
            drainedChunk++;
            drainedOffset = 0;
            capacity--;
            addChunk(empty);
        }
        return sum;
    }

    /// Whether the writer is about to use the last free chunk.
    boolean isShort() {
        return capacity < MOST_CHUNKS && allowed - ((long) PUBLISHED.getAcquire(this) >> 32) <= 1 + capacity / 2;
    }

    int capacity() {
        return capacity;
    }

    /// Adds memory for a chunk.
    final void addChunk(byte[] chunk) {
        long next = drainedChunk + capacity;
        slots[(int) (next % MOST_CHUNKS)] = chunk;
        capacity++;
        ALLOWED.setRelease(this, next + 1);
    }

    /// The writer ends.
    public void close() {
        hasEnded = true;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /// Whether an event is being written.
    boolean isWriting() {
        return (boolean) WRITING.getAcquire(this);
    }

    /// How many events were dropped. Exact only if the writer rests.
    long dropped() {
        return dropped;
    }
}
