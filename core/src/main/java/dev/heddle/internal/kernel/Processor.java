package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.TimerHeap;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A logical processor: the right to run goroutines, with the queue, timers and counters that go with it.
///
/// Go: p. Who owns it is said by a machine's [Word] and by nothing else; [#machine] is a hint for those who
/// want to look at that word. Plain fields are written by the owner in state KERNEL only, and travel to the
/// next owner with the word or the scheduler lock; others read them racily, for statistics and for guesses.
final class Processor implements LocalRunQueue.Overflow {

    /// Where a processor is, as far as the scheduler lock says. Written under the lock.
    enum Status {
        /// Owned by a machine, or taken by one that is on its way to hand it over.
        RUNNING,
        /// On the idle list.
        IDLE,
        /// On the list of processors that wait for a machine to be made.
        PENDING,
        /// Held by whoever stopped the world.
        STOPPED,
        /// Beyond the present number of processors; kept for reuse.
        DEAD
    }

    /// Chunks that hold whatever the three queues can: one may be left partly empty for each of them.
    static final int MOST_CHUNKS = (LocalRunQueue.CAPACITY + 1 + 2 * Yielded.CAPACITY) / RunBatch.CAPACITY + 3;

    final int id;
    final Kernel kernel;
    final LocalRunQueue runQueue = new LocalRunQueue(LocalRunQueue.CAPACITY);

    /// Threads that yielded here, as if at the end of the global queue: their turn comes when this processor
    /// has had its share of what was there before them. When the owner adds something to the global queue they
    /// really go there, for they were first.
    final Yielded yielded = new Yielded();

    /// Entries of the global queue that are taken here before the turn of those who yielded comes. Owner only.
    int globalTurns;

    /// Replaced when a dead processor is used again: a heap that was closed stays closed.
    volatile TimerHeap timers = new TimerHeap();

    /// The machine that owns this processor, as far as anyone can say without looking at its word.
    volatile @Nullable Machine machine;

    volatile Status status = Status.DEAD;

    /// Link of the idle list, the pending list. Under the scheduler lock.
    @Nullable
    Processor link;

    /// While PENDING: whether the machine that takes it inherits a spinning token. Under the scheduler lock.
    boolean pendingSpinning;

    /// The shells that were started with this processor.
    final ShellRegister shells = new ShellRegister();

    /// Asked by the system monitor: the time slice is over. Honoured at the next switch, and by entries of the
    /// API.
    volatile boolean preempt;

    /// The slice is over and its thread could not yield yet: it gave its queue to everybody instead. Owner
    /// only.
    boolean sliceShared;

    /// Goroutines for which no shell could be made: memory is exhausted. Tried again. Owner only.
    @Nullable
    Goroutine stalled;

    /// What a look at the global queue brings on its way to the local one. Empty between looks. Owner only.
    final RunBatch transfer = new RunBatch();

    /// A chunk for the next spill, so that it need not be allocated then.
    private @Nullable RunBatch spare = new RunBatch();

    // Counters, owner-written, read racily.
    /// Time slices: runs that did not inherit one. Go: schedtick.
    long schedTick;
    /// Everything that was run, in shells too: moves even if schedTick does not.
    long switches;

    long started;
    long ended;
    long steals;
    long stolen;
    long overflows;
    long timersFired;
    long wakes;
    long naps;
    /// Times a machine began to look for work with this processor.
    long spins;
    /// Entries queued here: which one is followed, see [LatencySampler].
    int queued;

    // Counters of the system monitor, the only one who writes them.
    long handOffs;
    long preemptions;

    private static final VarHandle STOLEN_FROM = Handles.field(lookup(), "stolenFrom", long.class);

    /// Steals by others. Thieves add to it, by an atomic add: they have just fought for the line of the queue's
    /// head.
    @SuppressWarnings("UnusedVariable") // accessed through STOLEN_FROM
    private long stolenFrom;

    /// What the system monitor has seen of this processor. System monitor only.
    final ProcessorSample sample = new ProcessorSample();

    /// Scheduling points that threads came to here. By the mounted thread, racily: what matters is whether it
    /// moves.
    long points;

    /// What thieves saw: so many switches, and since when. Any thief, racily: a guess.
    long stillAt = -1;

    long stillSince;

    Processor(int id, Kernel kernel) {
        this.id = id;
        this.kernel = kernel;
    }

    long stolenFrom() {
        return (long) STOLEN_FROM.getOpaque(this);
    }

    /// Something was stolen from `victim`, besides one entry in the thief's hands. Owner only.
    void countTheft(Processor victim) {
        steals++;
        stolen += 1 + visibleWork();
        long _ = (long) STOLEN_FROM.getAndAdd(victim, 1L);
    }

    /// Whether the next switch ends the time slice. Owner only.
    boolean isSliceOver() {
        return preempt || sliceShared;
    }

    /// One entry of the global queue was taken. Owner only.
    void countGlobalTurn() {
        globalTurns = Math.max(0, globalTurns - 1);
    }

    boolean isIdle() {
        return status == Status.IDLE;
    }

    /// Whether a machine that took this processor would find something. Any thread.
    boolean hasWork() {
        return !runQueue.isEmpty() || !yielded.isEmpty();
    }

    /// The same for the owner, at less cost: nobody else adds to the queues.
    boolean hasOwnWork() {
        return runQueue.hasNext() || visibleWork() > 0;
    }

    /// Entries that a thief can have at once. Any thread, racily.
    int visibleWork() {
        return runQueue.size() + yielded.size();
    }

    /// Before it goes idle. Owner only.
    void clearDead() {
        runQueue.clearDead();
        yielded.clearDead();
    }

    // ---- where the local queue spills to

    @Override
    public RunBatch reserve() {
        kernel.shared.takeOver(yielded); // they were first
        RunBatch chunk = spare;
        if (chunk == null) {
            return kernel.shared.newChunk(); // may throw OutOfMemoryError: nothing has changed yet
        }
        spare = null;
        return chunk;
    }

    @Override
    public void release(RunBatch chunk) {
        spare = chunk;
    }

    @Override
    public void accept(RunBatch batch) {
        overflows++;
        spare = kernel.shared.putBatch(batch);
    }
}
