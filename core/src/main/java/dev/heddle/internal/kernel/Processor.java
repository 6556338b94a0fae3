package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.TimerHeap;
import dev.heddle.internal.trace.EventKind;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A logical processor: the right to run goroutines, with the queue, timers and counters that go with it.
///
/// Go: p. Only a machine's [Word] determines which machine owns it; [#machine] is a hint where to find that word.
/// The owner writes plain fields in state KERNEL only, and the word or the scheduler lock publishes them to the next
/// owner. Other threads read them racily, for statistics and heuristics.
final class Processor implements LocalRunQueue.Overflow {

    /// Where a processor is. Written under the scheduler lock, or by the stopper of the world for a processor it
    /// holds.
    enum Status {
        /// Owned by a machine, or taken by one that is on its way to hand it over.
        RUNNING,
        /// On the idle list.
        IDLE,
        /// On the list of processors that wait for a machine to be made.
        PENDING,
        /// Held by the thread that stopped the world.
        STOPPED,
        /// Beyond the present number of processors; kept for reuse.
        DEAD
    }

    /// The value of [#endedSlice] while no slice is over.
    private static final long NO_SLICE = -1;

    /// Enough chunks for all entries of the three queues: each queue may leave one chunk partly empty.
    static final int MOST_CHUNKS = (LocalRunQueue.CAPACITY + 1 + 2 * Yielded.CAPACITY) / RunBatch.CAPACITY + 3;

    final int id;
    final Kernel kernel;
    final LocalRunQueue runQueue = new LocalRunQueue(LocalRunQueue.CAPACITY);

    /// Threads that yielded here. They count as the end of the global queue: their turn comes when this
    /// processor has had its share of the entries before them. When the local queue spills to the global queue,
    /// the owner moves them there first, because they were there before.
    final Yielded yielded = new Yielded();

    /// How many entries of the global queue are taken here before the yielded threads have their turn. Written by
    /// [FindRunnable], [GlobalRunQueue], [Submitter] and here. Owner only.
    int globalTurns;

    /// Replaced when a dead processor is reused, because a closed heap stays closed.
    volatile TimerHeap timers = new TimerHeap();

    /// The machine that owns this processor: a hint, only the machine's word is authoritative. Written by
    /// [ProcessorOwner] for a machine that acquires or releases it, and by the takers, [Retaker] and [World].
    volatile @Nullable Machine machine;

    /// Written by [IdleLists] and [Machines], under the scheduler lock, and by [World]: see [Status].
    volatile Status status = Status.DEAD;

    /// Link of the idle list, the pending list. Under the scheduler lock.
    @Nullable
    Processor link;

    /// While PENDING: whether the machine that takes it inherits a spinning token. Under the scheduler lock.
    boolean pendingSpinning;

    /// The shells that were started with this processor.
    final ShellRegister shells = new ShellRegister();

    /// The time slice that is over, by its schedTick: honoured at the next switch, and at the scheduling points of the
    /// API. Written by [Retaker] only, and by [World] for a processor that it destroys.
    private volatile long endedSlice = NO_SLICE;

    /// The slice is over, but its thread could not yield yet. It moved its queues to the global queue instead.
    /// Written by [Submitter], as the owner, and by [World] for a processor that it destroys.
    boolean sliceShared;

    /// Goroutines for which no shell could be made because memory was exhausted, linked by stalledNext. Owner only.
    private @Nullable Goroutine stalled;

    /// Entries on their way from the global queue to the local one. Empty between two transfers. Owner only.
    final RunBatch transfer = new RunBatch();

    /// A chunk for the next spill, so that it need not be allocated then.
    private @Nullable RunBatch spare = new RunBatch();

    // Counters, owner-written, read racily.
    /// Time slices: runs that did not inherit one.
    /// Go: schedtick.
    long schedTick;
    /// Entries that were run, in shells too. Grows even if schedTick does not.
    long switches;

    long started;
    long ended;
    long steals;
    long stolen;
    long overflows;
    long timersFired;
    long wakes;
    long naps;
    /// How often a machine began to spin with this processor.
    long spins;
    /// Entries queued here. [LatencySampler] uses it to choose the entry that it follows.
    int queued;

    // Counters that only the system monitor writes.
    long handOffs;
    long preemptions;

    private static final VarHandle STOLEN_FROM = Handles.field(lookup(), "stolenFrom", long.class);

    /// Steals by other processors. Thieves use an atomic add, which is cheap for them: they have just contended
    /// for the cache line of the queue's head.
    @SuppressWarnings("UnusedVariable") // accessed through STOLEN_FROM
    private long stolenFrom;

    /// What the system monitor has seen of this processor. System monitor only.
    final ProcessorSample sample = new ProcessorSample();

    /// Scheduling points that threads passed here. Written racily by the mounted thread: only whether it changes
    /// matters.
    long points;

    /// The switch count that thieves saw last, and since when. Written racily by any thief: a heuristic.
    long stillAt = -1;

    long stillSince;

    Processor(int id, Kernel kernel) {
        this.id = id;
        this.kernel = kernel;
    }

    long stolenFrom() {
        return (long) STOLEN_FROM.getOpaque(this);
    }

    /// Counts a steal from `victim`: one entry that the thief runs, and those now in this queue. Owner only.
    void countTheft(Processor victim) {
        steals++;
        stolen += 1 + visibleWork();
        long _ = (long) STOLEN_FROM.getAndAdd(victim, 1L);
    }

    /// A time slice begins: the thread that runs next does not inherit one. Owner only.
    void beginSlice() {
        schedTick++;
    }

    /// An entry runs. Owner only.
    void countSwitch() {
        switches++;
    }

    /// Asks the thread that runs in slice `tick` to yield. The operating system may suspend the monitor between
    /// its verdict and this call. The request names the slice that was judged, so it cuts no later slice short.
    /// System monitor only.
    void endSlice(long tick) {
        endedSlice = tick;
    }

    /// Takes back a request to yield: the processor changes hands. System monitor only, or with the world stopped.
    void withdrawRequest() {
        endedSlice = NO_SLICE;
    }

    /// Whether the thread that runs here was asked to yield. A new slice ends the request. Any thread, racily.
    boolean isYieldRequested() {
        return endedSlice == schedTick;
    }

    /// Whether the next switch ends the time slice. Owner only.
    boolean isSliceOver() {
        return isYieldRequested() || sliceShared;
    }

    /// One entry of the global queue was taken. Owner only.
    void countGlobalTurn() {
        globalTurns = Math.max(0, globalTurns - 1);
    }

    boolean isIdle() {
        return status == Status.IDLE;
    }

    /// Whether a machine that took this processor would find work. Any thread.
    boolean hasWork() {
        return !runQueue.isEmpty() || !yielded.isEmpty();
    }

    /// The same for the owner, at less cost: no other thread adds to the queues. Owner only.
    boolean hasOwnWork() {
        return runQueue.hasNext() || visibleWork() > 0;
    }

    /// The number of entries that a thief can take at once. Any thread, racily.
    int visibleWork() {
        return runQueue.size() + yielded.size();
    }

    /// No shell could be made for the goroutine: it waits here until its owner tries again. Owner only.
    void stall(Goroutine goroutine) {
        goroutine.stalledNext = stalled;
        stalled = goroutine;
    }

    boolean hasStalled() {
        return stalled != null;
    }

    /// The goroutine that was stalled last; null if there is none. Owner only.
    @Nullable
    Goroutine takeStalled() {
        Goroutine goroutine = stalled;
        if (goroutine != null) {
            stalled = goroutine.stalledNext;
            goroutine.stalledNext = null;
        }
        return goroutine;
    }

    /// Clears stale references before the processor goes idle. Owner only.
    void clearDead() {
        runQueue.clearDead();
        yielded.clearDead();
    }

    // ---- where the local queue spills to

    @Override
    public RunBatch reserve() {
        Machine owner = machine;
        if (owner != null && owner.trace != null && !yielded.isEmpty()) {
            owner.note(EventKind.SPILL, yielded.size(), 1);
        }
        kernel.globalQueue.takeOver(yielded); // they were there before the entries that spill
        RunBatch chunk = spare;
        if (chunk == null) {
            return kernel.globalQueue.newChunk(); // may throw OutOfMemoryError: nothing has changed yet
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
        Machine owner = machine;
        if (owner != null) {
            owner.note(EventKind.SPILL, batch.size(), 0);
        }
        spare = kernel.globalQueue.putBatch(batch);
    }
}
