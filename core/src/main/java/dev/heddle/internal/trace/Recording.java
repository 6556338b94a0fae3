package dev.heddle.internal.trace;

import dev.heddle.internal.jdk.Jdk;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What all who write events of one recording share: its clock, its names, its buffers and their memory.
public final class Recording {

    /// Memory for the buffers of all machines together; what is recorded leaves them within milliseconds.
    private static final long MOST_BYTES = 128L << 20;

    /// From here on new machines get less.
    private static final long MANY_BYTES = 32L << 20;

    private static final int CHUNKS = 8;
    private static final int FEW_CHUNKS = 2;

    /// Goroutines are numbered in the whole JVM, so that one that an earlier recording has numbered is not taken for
    /// another. 0 means none.
    private static final AtomicLong GOROUTINES = new AtomicLong(1);

    private static final int GOROUTINES_AT_ONCE = 1024;

    /// A buffer, and what the file says of it.
    record Member(TraceBuffer buffer, EventDecoder.Buffer info) {}

    /// A scheduler, as the file names it.
    record Scheduler(int number, String name, int procs) {
        byte[] toPayload() {
            return new Bytes().unsigned(number).text(name).unsigned(procs).toArray();
        }
    }

    private final long origin = Jdk.nanoTime();
    private final Tables tables = new Tables();
    private final AtomicLong lastBuffer = new AtomicLong();
    private final AtomicInteger lastScheduler = new AtomicInteger(-1);
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger unrecorded = new AtomicInteger();
    private final ForeignBuffers foreign;
    private final long wallNanos;

    // What the drainer has not seen yet.
    final Queue<Scheduler> newSchedulers = new ConcurrentLinkedQueue<>();
    final Queue<Member> newMembers = new ConcurrentLinkedQueue<>();

    private volatile int stacksEvery;

    private volatile @Nullable Thread drainer;

    /// @param wallNanos the wall clock now, in nanoseconds since 1970
    public Recording(long wallNanos) {
        this.wallNanos = wallNanos;
        Rehearsal.once();
        TraceBuffer[] stripes = new TraceBuffer[ForeignBuffers.STRIPES];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = join(null, -1, -1, 0, 0, "");
        }
        foreign = new ForeignBuffers(stripes);
    }

    public Tables tables() {
        return tables;
    }

    public NameTable names() {
        return tables.names();
    }

    /// On average, one of so many parks has a stack; 0: none has. Read at each park.
    public int stacksEvery() {
        return stacksEvery;
    }

    public void setStacksEvery(int parks) {
        stacksEvery = parks;
    }

    public ForeignBuffers foreign() {
        return foreign;
    }

    /// Nanoseconds since the recording began.
    public long now() {
        return Jdk.nanoTime() - origin;
    }

    /// The beginning of a file of this recording.
    public byte[] header(boolean isFlight, long pid, String heddle, String jvm, String command) {
        return new Bytes()
                .unsigned(0)
                .signed(origin)
                .signed(wallNanos)
                .unsigned(pid)
                .unsigned(isFlight ? 1 : 0)
                .text(heddle)
                .text(jvm)
                .text(command)
                .toArray();
    }

    /// A scheduler takes part. Returns its number.
    public int addScheduler(String name, int procs) {
        int number = lastScheduler.incrementAndGet();
        newSchedulers.add(new Scheduler(number, name, procs));
        return number;
    }

    /// A machine takes part. Null if there is no memory for its events: then it is not recorded.
    public @Nullable TraceBuffer addMachine(
            TraceBuffer.Owner owner, int scheduler, int machine, long osThread, long thread, String name) {
        if (bytes.get() > MOST_BYTES) {
            unrecorded.incrementAndGet();
            return null;
        }
        try {
            return join(owner, scheduler, machine, osThread, thread, name);
        } catch (OutOfMemoryError _) {
            unrecorded.incrementAndGet();
            return null;
        }
    }

    private TraceBuffer join(
            TraceBuffer.@Nullable Owner owner, int scheduler, int machine, long osThread, long thread, String name) {
        long id = lastBuffer.incrementAndGet();
        int chunks = bytes.get() > MANY_BYTES ? FEW_CHUNKS : CHUNKS;
        TraceBuffer buffer = new TraceBuffer(id, origin, owner, chunks, this::wakeDrainer);
        newMembers.add(new Member(buffer, new EventDecoder.Buffer(id, scheduler, machine, osThread, thread, name)));
        bytes.addAndGet((long) chunks * TraceBuffer.CHUNK_BYTES);
        return buffer;
    }

    /// Whether the buffers may grow by so much. The caller allocates it then.
    boolean takeMemory(long more) {
        if (bytes.addAndGet(more) > MOST_BYTES) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void giveMemory(long less) {
        bytes.addAndGet(-less);
    }

    /// How many machines there was no memory for.
    public int unrecorded() {
        return unrecorded.get();
    }

    /// Numbers for [#GOROUTINES_AT_ONCE] goroutines, from the returned one on. Never 0 in 32 bits.
    static long takeGoroutines() {
        return GOROUTINES.getAndAdd(GOROUTINES_AT_ONCE);
    }

    static int goroutinesAtOnce() {
        return GOROUTINES_AT_ONCE;
    }

    /// A number for one goroutine.
    public static int takeGoroutine() {
        int number = (int) GOROUTINES.getAndIncrement();
        return number != 0 ? number : (int) GOROUTINES.getAndIncrement();
    }

    /// The thread that empties the buffers.
    public void setDrainer(Thread thread) {
        drainer = thread;
    }

    /// Any thread, also under the scheduler lock: an unpark of a platform thread calls nothing back.
    void wakeDrainer() {
        Thread thread = drainer;
        if (thread != null) {
            Jdk.unparkCarrier(thread);
        }
    }
}
