package dev.heddle.internal.kernel;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Source;
import org.jspecify.annotations.Nullable;

/// How one machine finds the next entry to run. Used by that machine only, in the kernel, with a processor.
/// Go: findRunnable (proc.go), in its order.
final class FindRunnable {
    /*
     * Order.      1. The world is being stopped: give the processor up.
     *             2. Entries that a stack overflow kept from being queued (Rescue).
     *             3. Due timers of this processor. What they make runnable goes to its queue.
     *             4. The end of a time slice: the entry in runNext, which would inherit the slice, goes to the end.
     *             5. At every 61st tick the global queue, one entry. Otherwise two goroutines that keep waking each
     *                other would keep the global queue waiting for ever.
     *             6. runNext, which inherits the rest of the slice.
     *             7. The head of the local queue.
     *             8. A share of the global queue: its length divided by the number of processors, at most half a local
     *                queue. One entry runs, the others go to the local queue.
     *             9. Threads that yielded here. They count as the end of the global queue: their turn comes when this
     *                processor has had its share of the entries before them (globalTurns), and they have one turn in
     *                each round (Rounds).
     *            10. Goroutines for which no shell could be made, when memory was exhausted (stalled).
     *            11. Ready sockets, without blocking, unless a machine waits in epoll for them.
     *            12. Stealing, if this machine may spin: at most half of the busy processors' machines do. Thief has
     *                the order of victims; in its last round it also runs their due timers.
     *            13. A nap, still spinning, if work may appear soon (SpinCoordinator, Naps).
     *            14. Going idle, with one more look at everything (SpinCoordinator, R2 to R6).
     *             A machine that was spinning and has found an entry stops spinning and wakes a successor: this is how
     *             further machines start while there is more work than machines.
     *
     * Fresh.      A shell asks for the next entry between two goroutines (nextFresh). It takes an entry only if steps 3
     *             to 8 would give it that entry, and only if it is a fresh goroutine. It peeks before it takes: an
     *             entry that is taken and kept would be invisible to thieves.
     * Left out.   Go's steps for the garbage collector, the trace reader and finalizers have no counterpart here.
     */

    /// 61: a prime, as in Go, so that the check does not fall into step with a pattern of the program.
    private static final int GLOBAL_CHECK_TICKS = 61;

    private final Machine machine;
    private final Kernel kernel;
    private final Thief thief;
    private final DueTimers timers;

    /// The entry found last came from runNext and inherits the time slice.
    private boolean inheritsTime;

    /// Where the entry found last came from.
    private Source source = Source.QUEUE;

    /// The processor to whose CPU this thread was last moved.
    private @Nullable Processor placedFor;

    FindRunnable(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
        this.timers = new DueTimers(machine, kernel);
        this.thief = new Thief(machine, kernel, timers);
    }

    /// The machine has failed: what the search had in hand goes on without it.
    void giveBack() {
        timers.giveBack();
    }

    /// Whether the entry found last continues the time slice of the entry before it.
    boolean inheritsTime() {
        return inheritsTime;
    }

    /// Where the entry found last came from.
    Source source() {
        return source;
    }

    /// The next entry to run comes from there.
    void came(Source from) {
        source = from;
    }

    /// Whether the entry found last was in the queue of this machine's own processor, where only its owner puts
    /// entries: it had become runnable before anything that this machine has noted since it owns the processor.
    boolean isAtOnce() {
        return source == Source.NEXT || source == Source.QUEUE;
    }

    /// Finds an entry to run. Null: the machine has given up its processor, or should search again.
    @Nullable
    Runnable find() {
        Processor processor = machine.owned();
        if (kernel.isStopping()) {
            kernel.world.surrender(machine);
            return null;
        }
        if (kernel.placement != null && placedFor != processor) {
            kernel.placement.moveTo(processor);
            placedFor = processor;
        }
        machine.rescue.drain();
        timers.run(processor);
        Runnable entry = findLocally(processor);
        if (entry == null) {
            entry = stealOrSleep(processor);
        }
        if (entry != null && machine.spinning) {
            // Go: resetspinning. The last spinner that found work wakes a successor.
            kernel.spin.stopSpinning(machine);
            kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ false);
        }
        return entry;
    }

    /// Takes an entry of the own queue, or of the global queue where fairness requires it: steps 4 to 9.
    @Nullable
    Runnable findLocally(Processor processor) {
        inheritsTime = false;
        if (processor.isSliceOver()) {
            kernel.submitter.endTimeSlice(machine, processor);
        }
        if (processor.schedTick % GLOBAL_CHECK_TICKS == 0) {
            Runnable first = takeGlobal(processor);
            Runnable entry = first != null ? first : takeYielded(processor);
            if (entry != null) {
                return entry;
            }
        }
        Runnable next = processor.runQueue.takeNext();
        if (next != null) {
            inheritsTime = true;
            source = Source.NEXT;
            return next;
        }
        Runnable head = processor.runQueue.takeHead();
        source = Source.QUEUE;
        return head != null ? head : takeGlobalBatch(processor);
    }

    // ---- the global queue, and the yielded threads that count as its end

    /// Takes a share of the global queue, and after it the threads that yielded here.
    private @Nullable Runnable takeGlobalBatch(Processor processor) {
        Runnable first = kernel.globalQueue.takeBatch(processor, kernel.procs());
        if (first == null) {
            return takeYielded(processor);
        }
        source = Source.GLOBAL;
        int others = processor.runQueue.size(); // the queue was empty before
        machine.note(EventKind.GLOBAL_TAKE, 1 + others, 0);
        if (others > 0) {
            kernel.spin.wakeNapper(); // a napper scans without the lock, and may have missed entries that moved
        }
        return first;
    }

    /// One entry of the global queue, if its turn comes before that of the threads that yielded here.
    private @Nullable Runnable takeGlobal(Processor processor) {
        Runnable entry = isTurnOfGlobal(processor) ? kernel.globalQueue.take() : null;
        if (entry != null) {
            source = Source.GLOBAL;
            machine.note(EventKind.GLOBAL_TAKE, 1, 0);
            processor.countGlobalTurn();
        }
        return entry;
    }

    private boolean isTurnOfGlobal(Processor processor) {
        return !kernel.globalQueue.isEmpty() && (processor.globalTurns > 0 || !processor.yielded.hasWaiting());
    }

    /// A thread that yielded here, or one that has had fewer turns on another processor: see [Rounds].
    private @Nullable Runnable takeYielded(Processor processor) {
        Runnable entry = processor.yielded.take();
        source = Source.YIELDED;
        if (entry != null || !processor.yielded.hasWaiting()) {
            return entry;
        }
        entry = kernel.rounds.beginNextOrSteal(processor);
        if (entry == null) {
            processor.globalTurns = kernel.globalQueue.share(kernel.procs()); // the global queue comes first
            Runnable first = takeGlobal(processor);
            if (first == null) {
                source = Source.YIELDED;
            }
            return first != null ? first : processor.yielded.take();
        }
        source = Source.STOLEN;
        if (!processor.yielded.isRoundOver()) {
            // A machine that was about to sleep cannot see entries while they move from ring to ring.
            kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ false);
        }
        return entry;
    }

    // ---- elsewhere

    /// Steals. If there is nothing to steal, gives the processor up and sleeps. Null: search again.
    private @Nullable Runnable stealOrSleep(Processor processor) {
        if (processor.hasStalled()) {
            source = Source.STALLED;
            return machine.rescue.retryStalled(processor);
        }
        if (kernel.sockets.pollUnlessAwaited() && processor.hasWork()) {
            source = Source.QUEUE;
            return processor.runQueue.get();
        }
        if (kernel.spin.maySearch(machine)) {
            kernel.spin.becomeSpinning(machine);
            Runnable stolen = thief.steal(processor);
            source = Source.STOLEN;
            if (stolen != null
                    || kernel.isStopping()
                    || processor.hasWork()
                    || kernel.spin.nap(machine, processor, thief)) {
                return stolen;
            }
        }
        kernel.spin.goIdle(machine, processor);
        return null;
    }

    // ---- for shells

    /// Takes the next entry in the order above if it is a fresh goroutine and nothing else is due. Otherwise null,
    /// and the entry stays in its queue.
    @Nullable
    Goroutine nextFresh(Processor processor) {
        if (processor.isSliceOver() || kernel.timers.isDue(processor)) {
            return null;
        }
        if (processor.schedTick % GLOBAL_CHECK_TICKS == 0 && hasShared(processor)) {
            Goroutine fresh = isTurnOfGlobal(processor) ? kernel.globalQueue.takeFresh() : null;
            if (fresh != null) {
                source = Source.GLOBAL;
                machine.note(EventKind.GLOBAL_TAKE, 1, 0);
                processor.countGlobalTurn();
                processor.beginSlice();
            }
            return fresh;
        }
        Runnable next = processor.runQueue.peekNext();
        if (next != null) {
            source = Source.NEXT;
            return next instanceof Goroutine fresh && processor.runQueue.takeNextIf(fresh) ? fresh : null;
        }
        Runnable head = processor.runQueue.peekHead();
        if (head == null && processor.yielded.isEmpty() && refill(processor)) {
            head = processor.runQueue.peekHead();
        }
        source = Source.QUEUE;
        if (head instanceof Goroutine fresh && processor.runQueue.takeHeadIf(fresh)) {
            processor.beginSlice();
            return fresh;
        }
        return null;
    }

    /// Whether entries wait in the global queue, or yielded threads here, which count as its end.
    private boolean hasShared(Processor processor) {
        return !kernel.globalQueue.isEmpty() || !processor.yielded.isEmpty();
    }

    /// Takes a share of the global queue into the local one. False if there was none.
    private boolean refill(Processor processor) {
        int moved = kernel.globalQueue.refill(processor, kernel.procs());
        if (moved > 0) {
            machine.note(EventKind.GLOBAL_TAKE, moved, 0);
        }
        if (moved > 1) {
            kernel.spin.wakeNapper(); // as in takeGlobalBatch
        }
        return moved > 0;
    }
}
