package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealOrder;
import dev.heddle.internal.queue.TimerHeap;
import dev.heddle.internal.trace.EventKind;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Stops the world to change the number of processors. Go: stopTheWorld, procresize, startTheWorld.
///
/// Stopped means that every processor is with the stopper. The world stops processors, not threads: user code goes on.
final class World {
    /*
     * Stopping.   1. Under the lock: `stopping` is set, the stopper's own processor is stopped, and so are all idle and
     *                pending ones. From now on no list gives out a processor.
     *             2. A machine in its loop sees `stopping` and surrenders its processor (FindRunnable, step 1). A
     *                machine in a kernel section comes to its loop soon, or leaves the kernel.
     *             3. The stopper takes the processor of a machine in user code by CAS, like the system monitor. Such a
     *                machine continues without a processor until its next scheduling point, so that the stopper never
     *                waits for user code (N10). It polls for the rest, because a kernel section is a few microseconds.
     * Resizing.   Everything that a change needs is allocated before the world stops (Plan): an OutOfMemoryError
     *             between the two would leave the world stopped. New processors first become visible, then the old
     *             ones lose their entries: a thread that pushes a timer to a closed heap finds the new set.
     * Starting.   Under the lock: the stopper keeps a processor if it had one; processors without work become idle;
     *             `stopping` is cleared. Then each processor with work gets a machine.
     *             Idle processors may have to help with what the destroyed ones left in the global queue. A stopper with
     *             a processor wakes a spinner for that, as any submitter does.
     * Tokens.     A pending processor may carry a spinning token. No machine will use it, so the stopper returns it.
     * Who writes. every, processors: the stopper, which holds the semaphore. stopping: the stopper, under the lock.
     *             Processor.status: under the lock, or by the stopper for a processor that it holds.
     * Rejected.   Waiting for threads as Go does: a goroutine without a scheduling point would stop the program.
     * Sources.    Go 1.27 proc.go stopTheWorldWithSema, procresize, startTheWorldWithSema. Checked by LimitsTest,
     *             KernelStressTest.
     */

    private static final long POLL_NANOS = 50_000;

    private final Kernel kernel;

    /// Go: worldsema. An ordinary lock, which may unmount: taken before the kernel is entered.
    private final ReentrantLock semaphore = new ReentrantLock();

    /// All processors ever made, in the order of their ids; the dead ones are kept for reuse.
    private volatile Processor[] every = new Processor[0];

    /// The processors in use. Replaced while the world is stopped.
    private volatile ProcessorSet processors = new ProcessorSet(new Processor[0], new StealOrder(1), null);

    private volatile boolean stopping;

    World(Kernel kernel) {
        this.kernel = kernel;
    }

    ProcessorSet processors() {
        return processors;
    }

    /// Whether the world is being stopped: no processor may leave a list, and machines give theirs up.
    boolean isStopping() {
        return stopping;
    }

    Processor[] everyProcessor() {
        return every;
    }

    /// Makes the first processors. Nothing runs yet.
    void resize(int procs) {
        Plan plan = new Plan(procs);
        resizeStopped(plan);
        for (int id = procs - 1; id >= 0; id--) {
            kernel.idle.put(every[id]);
        }
    }

    /// Changes the number of processors of a running scheduler to the decided number. Reads the decision only
    /// after it holds the semaphore, so that of two concurrent changes the later decision wins. Any thread,
    /// virtual or not.
    void followDecision() {
        StackReserve.check(); // so that the call of unlock below has enough stack
        semaphore.lock();
        try {
            int procs = kernel.limits.watcher().decision().procs();
            if (procs != kernel.procs()) {
                kernel.entries.resize(new Plan(procs));
            }
        } finally {
            semaphore.unlock();
        }
    }

    /// Stops the world, changes the number of processors, and starts the world. If `self` is not null: in the
    /// kernel, pinned.
    void change(Plan plan, @Nullable Machine self) {
        Processor own = self == null ? null : self.p;
        kernel.tracing.note(EventKind.STW_BEGIN, 0);
        stop(own);
        resizeStopped(plan);
        kernel.tracing.note(EventKind.PROCS, plan.procs);
        start(self, own);
        kernel.tracing.note(EventKind.STW_END, 0);
    }

    /// Everything that a change needs, allocated before the world stops.
    final class Plan {
        final int procs;
        final Processor[] every;
        final ProcessorSet set;
        /// Chunks for the entries of the processors that are destroyed.
        final ArrayDeque<RunBatch> chunks = new ArrayDeque<>();

        Plan(int procs) {
            this.procs = procs;
            int before = World.this.every.length;
            every = Arrays.copyOf(World.this.every, Math.max(before, procs));
            for (int id = before; id < every.length; id++) {
                every[id] = new Processor(id, kernel);
            }
            for (int id = kernel.procs(); id < Math.min(procs, before); id++) {
                every[id].timers = new TimerHeap(); // the heap of a destroyed processor is closed for good
            }
            set = new ProcessorSet(
                    Arrays.copyOf(every, procs),
                    new StealOrder(procs),
                    kernel.placement == null ? null : kernel.placement.stealOrder(procs));
            for (int i = 0; i < Processor.MOST_CHUNKS * (kernel.procs() - procs); i++) {
                chunks.add(new RunBatch());
            }
        }
    }

    private void stop(@Nullable Processor own) {
        int tokens = 0;
        kernel.lock.lock();
        try {
            stopping = true;
            if (own != null) {
                own.status = Processor.Status.STOPPED;
            }
            for (Processor free = kernel.idle.take(null); free != null; free = kernel.idle.take(null)) {
                free.status = Processor.Status.STOPPED;
            }
            for (Processor waiting = kernel.idle.takePending(); waiting != null; waiting = kernel.idle.takePending()) {
                tokens += waiting.pendingSpinning ? 1 : 0;
                waiting.status = Processor.Status.STOPPED;
            }
        } finally {
            kernel.lock.held = 0;
        }
        for (; tokens > 0; tokens--) {
            kernel.spin.returnToken();
        }
        while (!takeAll()) {
            Jdk.parkCarrier(POLL_NANOS);
        }
        Jdk.unparkCarrier(Jdk.currentCarrierThread()); // our parks may have consumed its permit: see SchedulerLock
    }

    /// The machine gives its processor to the stopper, unless the world goes on again. On that machine, in the
    /// kernel.
    /// Go: gcstopm.
    void surrender(Machine machine) {
        kernel.spin.dropToken(machine);
        kernel.lock.lock();
        try {
            if (stopping) {
                machine.releaseLocked().status = Processor.Status.STOPPED;
            }
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// Takes every processor that can be taken; true when the stopper holds all.
    private boolean takeAll() {
        boolean all = true;
        for (Processor processor : kernel.processors().all()) {
            if (processor.status != Processor.Status.STOPPED) {
                Machine owner = processor.machine;
                long word = owner == null ? 0 : owner.word();
                if (owner != null && Word.isTakeable(word) && Word.pid(word) == processor.id && owner.take(word)) {
                    processor.machine = null;
                    processor.status = Processor.Status.STOPPED;
                } else {
                    all = false;
                }
            }
        }
        return all;
    }

    private void resizeStopped(Plan plan) {
        int before = kernel.procs();
        every = plan.every;
        processors = plan.set; // first: a push to a closed timer heap then finds another heap here
        for (int id = before; id < plan.procs; id++) {
            every[id].status = Processor.Status.STOPPED;
        }
        for (int id = plan.procs; id < before; id++) {
            destroy(every[id], plan.chunks);
        }
    }

    /// Go: p.destroy. Its queues go to the head of the global one, its timers to the first processor.
    private void destroy(Processor processor, ArrayDeque<RunBatch> chunks) {
        kernel.globalQueue.putHead(processor.yielded.next(), chunks);
        kernel.globalQueue.putHead(processor.yielded.due(), chunks);
        kernel.globalQueue.putHead(processor.runQueue, chunks);
        processor.status = Processor.Status.DEAD;
        Processor heir = every[0];
        if (processor.timers.closeAndMoveTo(heir.timers)) {
            boolean _ = kernel.sleeper.wakeIfLaterThan(heir.timers.nextWhen());
        }
        for (Goroutine stalled = processor.takeStalled(); stalled != null; stalled = processor.takeStalled()) {
            heir.stall(stalled);
        }
        processor.withdrawRequest();
        processor.sliceShared = false;
    }

    private void start(@Nullable Machine self, @Nullable Processor own) {
        Processor[] all = kernel.processors().all();
        kernel.lock.lock();
        try {
            if (self != null && own != null) {
                Processor kept = own;
                if (own.status == Processor.Status.DEAD) {
                    kept = all[0];
                    self.releaseLocked();
                    self.acquire(kept);
                }
                kept.status = Processor.Status.RUNNING;
            }
            for (int id = all.length - 1; id >= 0; id--) {
                if (all[id].status == Processor.Status.STOPPED && !hasWork(all[id])) {
                    kernel.idle.put(all[id]);
                }
            }
            stopping = false;
        } finally {
            kernel.lock.held = 0;
        }
        for (Processor processor : all) {
            if (processor.status == Processor.Status.STOPPED) {
                kernel.machines.start(processor);
            }
        }
        if (self != null && self.p != null) {
            kernel.spin.wakeProcessor(self, /* onlyRunNext= */ false);
        } else {
            // This thread has no processor and must not take a spinning token, and a machine started without a token
            // wakes no other. So start one machine for each entry. Otherwise a machine could run a hog first, and the
            // rest of its share would wait behind the hog while processors are idle.
            for (int left = Math.max(1, kernel.globalQueue.size());
                    left > 0 && kernel.idle.idleProcessors() > 0;
                    left--) {
                kernel.machines.startIdle();
            }
        }
    }

    private static boolean hasWork(Processor processor) {
        return processor.hasWork() || processor.hasStalled();
    }
}
