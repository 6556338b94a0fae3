package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Puts what became runnable into a queue, and wakes a machine for it: decides which queue, and which machine.
/// Go: ready, runqput, goschedImpl, injectglist.
final class Submitter {
    /*
     * What became runnable          caller              queue                        wakes
     * a thread was unparked         machine with a P    its runNext; the entry       SpinCoordinator.wakeProcessor
     * a goroutine or thread starts  machine with a P      there moves to the tail    SpinCoordinator.wakeProcessor
     * the mounted thread yields     its machine         yielded threads of that P    none: this machine takes the next
     *                                                                                entry at once
     * a shell is started            machine with a P    none: Machine.execute runs   none
     *                                                   it at once (Shells)
     * the slice of runNext ends     machine with a P    yielded threads of that P    wakeProcessor
     * any of the first two, or      caller without a P  global queue                 a machine for an idle P; if there is
     *   rescued, or repaired                                                         none, the napper
     *
     * Slice over. A thread whose slice is over, and which makes others runnable where it cannot yield, first moves the
     *             local queues to the global one (shareQueue), so that they do not wait behind it.
     * Yields.     A thread that yields goes to the end of the global queue, as in Go, but by way of its processor's own
     *             ring: it stays near its cache (Yielded, Rounds).
     * Moves.      Entries that move from this processor's queues to the global one are briefly in neither. A machine
     *             that scans all queues before it sleeps (SpinCoordinator, R4) does not take the lock, so it may miss
     *             them. So moved entries count as submitted: a wake-up follows the move.
     * Failure.    Each step allocates before it changes a queue. On a failure before the entry is queued, the caller
     *             sees the failure and nothing has changed.
     */

    private static final long RETRY_NANOS = 1_000_000;

    private final Kernel kernel;

    Submitter(Kernel kernel) {
        this.kernel = kernel;
    }

    // ---- callers in the kernel; `machine` is null on a thread that is none of this kernel's machines

    /// A thread became runnable.
    ///
    /// True if the thread that ran on this machine has yielded. The caller then must not exit the kernel: the
    /// thread is no longer mounted, and the JDK is about to return to [Machine#execute].
    /// Go: ready, goschedImpl.
    boolean ready(@Nullable Machine machine, Runnable resumeTask) {
        int state = Jdk.stateOf(resumeTask);
        Processor processor = machine == null ? null : machine.p;
        if (machine == null || processor == null) {
            inject(resumeTask, /* starts= */ state == ThreadState.STARTED);
            return false;
        }
        if (machine.shells.isStarting()) {
            machine.shells.keep(resumeTask);
            return false;
        }
        if (state == ThreadState.STARTED) {
            refuseIfClosed();
            processor.started++;
        }
        if (state == ThreadState.YIELDED && resumeTask == machine.mounted()) {
            yieldHere(machine, resumeTask);
            return true;
        }
        try {
            putLocal(machine, processor, resumeTask);
        } catch (OutOfMemoryError failure) { // nothing has changed, and the JDK ends a thread that cannot start
            if (state == ThreadState.STARTED) {
                processor.started--;
            }
            machine.note(EventKind.GO_REFUSED, Jdk.threadOf(resumeTask).threadId(), 0);
            throw failure;
        }
        return false;
    }

    /// Queues a fresh goroutine. True if the time slice of the starting thread is over: it should yield.
    ///
    /// On a stack overflow before it is queued, the goroutine is not started, and the entry that it displaced
    /// is not lost.
    /// Go: newproc.
    boolean start(@Nullable Machine machine, Goroutine goroutine) {
        Processor processor = machine == null ? null : machine.p;
        if (machine == null || processor == null) {
            inject(goroutine, /* starts= */ true);
            return false;
        }
        refuseIfClosed();
        boolean sliceOver = processor.isYieldRequested();
        boolean queued = false;
        processor.started++;
        try {
            boolean shared = sliceOver && shareQueue(machine, processor);
            kernel.latency.queues(processor, goroutine);
            boolean next = !Chaos.coin();
            TraceBuffer events = machine.trace;
            if (events != null) {
                kernel.tracing.queues(machine, events, goroutine, next ? Place.NEXT : Place.TAIL);
            }
            processor.runQueue.put(goroutine, next, processor);
            queued = true;
            machine.showQueuedWork(true);
            kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ !shared && processor.visibleWork() == 0);
        } catch (Throwable failure) { // no method calls in this block: there may be no stack for them
            Runnable stranded = processor.runQueue.stranded;
            processor.runQueue.stranded = null;
            if (!queued && (stranded == null || stranded == goroutine)) {
                processor.started--;
            } else if (stranded != null) {
                machine.rescue.entries = new Object[] {stranded, machine.rescue.entries};
            }
            throw failure;
        }
        return sliceOver;
    }

    /// Puts an entry into runNext and wakes a machine if one should search for work.
    /// Go: runqput and wakep.
    private void putLocal(Machine machine, Processor processor, Runnable entry) {
        boolean shared = processor.isYieldRequested() && shareQueue(machine, processor);
        kernel.latency.queues(processor, entry);
        boolean next = !Chaos.coin();
        TraceBuffer events = machine.trace;
        if (events != null) {
            kernel.tracing.queues(machine, events, entry, next ? Place.NEXT : Place.TAIL);
        }
        processor.runQueue.put(entry, next, processor);
        machine.showQueuedWork(true);
        Chaos.point();
        kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ !shared && processor.visibleWork() == 0);
    }

    /// Moves the local queues to the global one. Used when a thread whose slice is over makes another one
    /// runnable at a point where it cannot yield. The queued threads can then run on all processors instead of
    /// waiting behind it, and the monitor need not take the processor. True if it did: a wake-up must follow.
    private boolean shareQueue(Machine machine, Processor processor) {
        boolean shares = kernel.procs() > 1;
        if (shares) {
            machine.note(EventKind.SHARE, processor.id, 0);
            processor.sliceShared = true;
            processor.beginSlice();
            kernel.globalQueue.takeOver(processor.yielded);
            kernel.globalQueue.takeOver(processor.runQueue);
        }
        return shares;
    }

    // ---- the machine's own steps between two entries; in the kernel, with a processor

    /// Puts a thread that yields at the end of the global queue, by way of this processor's yielded threads.
    /// Unlike Go, this wakes no machine: this machine takes the next entry at once, so the other machines have
    /// no more work than before.
    void yieldHere(Machine machine, Runnable resumeTask) {
        Processor processor = machine.owned();
        if (processor.isSliceOver()) {
            endTimeSlice(machine, processor); // first: a yield lets all others run, including the heir of the slice
        }
        kernel.latency.queues(processor, resumeTask);
        makeRoomForYielded(machine, processor);
        processor.yielded.put(resumeTask, processor);
    }

    /// Ends the slice: the entry that would inherit it goes to the end of the global queue, like a thread that
    /// yields. Otherwise a chain of goroutines that each start the next, or a pair that wakes each other, would
    /// keep all other entries of this processor waiting.
    void endTimeSlice(Machine machine, Processor processor) {
        machine.note(EventKind.SLICE_END, processor.id, 0);
        processor.sliceShared = false;
        processor.beginSlice(); // the request to yield was for the slice before
        if (!processor.runQueue.hasNext()) {
            return;
        }
        try {
            makeRoomForYielded(machine, processor);
        } catch (OutOfMemoryError _) {
            return; // the heir of the slice runs a little longer
        }
        Runnable next = processor.runQueue.takeNext();
        if (next != null) {
            processor.yielded.put(next, processor);
            kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ false);
        }
    }

    private void makeRoomForYielded(Machine machine, Processor processor) {
        if (processor.yielded.isFull()) {
            machine.note(EventKind.SPILL, processor.yielded.size(), 1);
            kernel.globalQueue.takeOver(processor.yielded);
            kernel.spin.wakeProcessor(machine, /* onlyRunNext= */ false); // see Moves
        }
        if (!processor.yielded.hasWaiting()) {
            kernel.rounds.join(processor);
            processor.globalTurns = 0;
        }
    }

    // ---- callers without a processor

    /// Puts the entry into the global queue and starts an idle processor for it. `starts`: the entry is new.
    /// Go: injectglist.
    void inject(Runnable entry, boolean starts) {
        if (starts) {
            kernel.counters.externalStarts.incrementAndGet(); // before the entry can end, and before the kernel can
        }
        try {
            if (starts) {
                refuseIfClosed();
            }
            kernel.latency.injects(entry);
            putAndStart(entry, /* again= */ false);
        } catch (Throwable failure) {
            if (starts) {
                kernel.counters.externalStarts.decrementAndGet();
            }
            throw failure;
        }
    }

    /// Queues an entry that is in no other queue: on OutOfMemoryError it retries instead of failing. The caller has
    /// enough stack.
    void injectPatiently(Runnable entry) {
        while (true) {
            try {
                kernel.latency.injects(entry);
                putAndStart(entry, /* again= */ true);
                return;
            } catch (OutOfMemoryError _) {
                kernel.failures.countRepair();
                Jdk.parkCarrier(RETRY_NANOS);
            }
        }
    }

    /// Called in the kernel of a machine with a processor, or after the start was counted: see [Kernel#mayEnd].
    private void refuseIfClosed() {
        if (kernel.isClosed()) {
            throw new RejectedExecutionException("scheduler " + kernel.name() + " is closed");
        }
    }

    /// `again`: the entry may have been queued before, or be known as runnable.
    private void putAndStart(Runnable entry, boolean again) {
        RunBatch fresh = null;
        while (true) {
            boolean isQueued;
            Processor processor = null;
            Machine machine = null;
            kernel.lock.lock();
            try {
                isQueued = kernel.globalQueue.makeRoomLocked(fresh);
                if (isQueued) {
                    kernel.tracing.injectsLocked(entry, again);
                    kernel.globalQueue.putLocked(entry);
                    kernel.counters.injections.lazySet(kernel.counters.injections.getPlain() + 1); // the only writer
                    processor = kernel.machines.takeIdleLocked();
                    machine =
                            processor == null ? null : kernel.machines.assignLocked(processor, /* withToken= */ false);
                }
            } finally {
                kernel.lock.held = 0;
            }
            if (isQueued) {
                kernel.machines.launch(processor, machine);
                return;
            }
            fresh = new RunBatch();
        }
    }
}
