package dev.heddle.internal.kernel;

import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ParkedStack;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.ForeignBuffers;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.Recording;
import dev.heddle.internal.trace.TraceBuffer;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// What one kernel tells of itself while its events are recorded: from the kernel's objects to the numbers of an event.
final class Tracing {
    /*
     * Off.        ProcessorOwner.trace is null, and so is `foreign`: each hook is a test of one field.
     * On.         A machine writes to its own buffer, wherever in its kernel it is: on its own stack or, pinned, on that
     *             of its thread. All other threads share the foreign buffers, machines of other kernels included.
     * Order.      docs/trace-format.md, "The order". An event that gives something is written before the store that
     *             publishes it; one that takes, after it was won. The place of each hook follows from that, and a test
     *             of recordings under load fails if one is wrong (TraceStressTest).
     * Safe.       A hook allocates nothing, takes no lock and calls no code of the program. A hook on a user's stack is
     *             behind the check of EntryPoints, or checks itself (Blocking). It comes before the change that it
     *             tells, so that a stack overflow in it leaves nothing half done.
     * Stacks.     The one exception, on request only: a park with a stack allocates. That hook is on the machine's own
     *             stack, in user state, so it may wait for memory like a program, and the thread cannot be mounted
     *             before the hook returns (ADR 17).
     * Begin.      `recording` is set first, then the machines that exist are given buffers; a machine that begins later
     *             looks at `recording`. So none is missed (join). A section of the kernel that began without a buffer
     *             may still be under way: hasPassed tells when it is over, and from then on the recording is strict.
     *             Callers without a processor read `foreign` under the scheduler lock, so that taking that lock once
     *             tells the same of them (TraceSwitch).
     * Checked by  TraceHooksTest, TraceStressTest, EntryDepthTest with a recording.
     */

    private static final long NUMBER_MASK = 0xFFFFFFFFL;

    private final Kernel kernel;

    /// What new machines take part in; null: nothing is recorded.
    private volatile @Nullable Recording recording;

    /// Where threads write that are none of this kernel's machines; null: nothing is recorded.
    private volatile @Nullable ForeignBuffers foreign;

    private int scheduler;

    Tracing(Kernel kernel) {
        this.kernel = kernel;
    }

    // ---- on and off: TraceSwitch, and machines that begin

    /// Machines may write from now on; each gets its buffer by [#join].
    synchronized void begin(Recording wanted) {
        scheduler = wanted.addScheduler(Inspector.nameOf(kernel), kernel.procs());
        kernel.lock.lock();
        try {
            foreign = wanted.foreign(); // a holder of the lock that saw null has left it now
        } finally {
            kernel.lock.held = 0;
        }
        recording = wanted;
    }

    /// The number of this scheduler in the recording; -1 if it takes no part in it.
    synchronized int schedulerIn(Recording asked) {
        return recording == asked ? scheduler : -1;
    }

    synchronized void end() {
        recording = null;
        foreign = null;
    }

    /// Gives the machine a buffer if one is wanted, and it has none.
    synchronized void join(Machine machine) {
        Recording wanted = recording;
        if (wanted != null && machine.trace == null && !machine.hasEnded) {
            TraceBuffer buffer = wanted.addMachine(
                    machine, scheduler, machine.id, machine.probe.threadId(), machine.threadId(), machine.getName());
            VarHandle.storeStoreFence(); // the machine reads the field without a fence
            machine.trace = buffer;
        }
    }

    /// Whether the machine, which has a buffer now, can no longer be in a section that it entered without one. `before`
    /// is its word as it was when it had got the buffer. Racy in one direction only: true is true.
    boolean hasPassed(Machine machine, long before) {
        long word = machine.word();
        return word != before
                || Word.isTakeable(word)
                || (Word.state(word) != Word.KERNEL && machine.depth == 0)
                || machine.isIdle
                || machine.locked.isWaiting()
                || kernel.sleeper.isTakenBy(machine)
                || machine.hasEnded
                || machine.getState() == Thread.State.NEW;
    }

    // ---- goroutines

    /// A goroutine or a thread is about to be queued on its machine's processor.
    void queues(Machine machine, TraceBuffer trace, Runnable entry, Place place) {
        if (entry instanceof Goroutine goroutine) {
            int number = trace.nextGoroutine();
            goroutine.traceNumber = number;
            trace.goCreate(number & NUMBER_MASK, nameOf(trace, goroutine.body()), place);
            return;
        }
        int state = Jdk.stateOf(entry);
        Thread thread = Jdk.threadOf(entry);
        if (state == ThreadState.STARTED) {
            trace.note(
                    EventKind.THREAD_CREATE,
                    thread.threadId(),
                    nameOf(Jdk.taskOf(thread)),
                    place.ordinal(),
                    thread.getName());
        } else if (state != ThreadState.YIELDED) { // its GO_YIELD has said that it is runnable
            trace.goReady(thread.threadId(), place);
        }
    }

    /// The same for an entry that goes to the global queue, by whatever thread. Holds the scheduler lock. `again`: it
    /// may have been noted before.
    void injectsLocked(Runnable entry, boolean again) {
        ForeignBuffers others = foreign;
        if (others == null) {
            return;
        }
        Place place = again ? Place.GLOBAL_AGAIN : Place.GLOBAL;
        Machine machine = kernel.entries.machineHere();
        TraceBuffer trace = machine == null ? null : machine.trace;
        if (again && (entry instanceof Goroutine || Jdk.stateOf(entry) == ThreadState.STARTED)) {
            return; // was noted when it was created
        }
        if (machine != null && trace != null) {
            queues(machine, trace, entry, place);
        } else if (entry instanceof Goroutine goroutine) {
            int number = Recording.takeGoroutine();
            goroutine.traceNumber = number;
            others.note(
                    EventKind.GO_CREATE, scheduler, number & NUMBER_MASK, nameOf(goroutine.body()), place.ordinal(), 0);
        } else {
            injectsThread(others, entry, place);
        }
    }

    private void injectsThread(ForeignBuffers others, Runnable entry, Place place) {
        int state = Jdk.stateOf(entry);
        Thread thread = Jdk.threadOf(entry);
        if (state == ThreadState.STARTED) {
            others.note(
                    EventKind.THREAD_CREATE,
                    scheduler,
                    thread.threadId(),
                    nameOf(Jdk.taskOf(thread)),
                    place.ordinal(),
                    thread.getName());
        } else if (state != ThreadState.YIELDED) {
            others.note(EventKind.GO_READY, scheduler, thread.threadId(), place.ordinal(), 0, 0);
        }
    }

    /// The machine is about to run the entry, in the thread of `task`.
    void starts(Machine machine, TraceBuffer trace, Runnable entry, Runnable task) {
        long thread = Jdk.threadOf(task).threadId();
        if (entry instanceof Goroutine fresh) {
            startsFresh(machine, trace, fresh, thread);
        } else {
            trace.goStart(thread, machine.search.source(), machine.search.isAtOnce());
        }
    }

    /// The machine is about to run the goroutine in that thread.
    void startsFresh(Machine machine, TraceBuffer trace, Goroutine fresh, long thread) {
        trace.goStartFresh(
                fresh.traceNumber & NUMBER_MASK,
                thread,
                machine.search.source(),
                nameOf(trace, fresh.body()),
                machine.search.isAtOnce());
    }

    /// The thread of `task` has been unmounted from the machine, and no other thread knows that yet. On the machine's
    /// own stack; its processor may have been taken.
    void unmounted(Machine machine, TraceBuffer trace, Runnable task) {
        Thread thread = Jdk.threadOf(task);
        trace.ran(thread.threadId());
        switch (Jdk.stateOf(task) & ~ThreadState.SUSPENDED) {
            case ThreadState.PARKING -> parks(trace, thread, ParkReason.PARK);
            case ThreadState.TIMED_PARKING -> parks(trace, thread, ParkReason.TIMED_PARK);
            case ThreadState.YIELDING -> trace.goYield(machine.preemption.shouldYield());
            case ThreadState.BLOCKING -> parks(trace, thread, ParkReason.MONITOR_ENTER);
            case ThreadState.WAITING -> parks(trace, thread, ParkReason.MONITOR_WAIT);
            case ThreadState.TIMED_WAITING -> parks(trace, thread, ParkReason.MONITOR_TIMED_WAIT);
            default -> {
                // it ends
            }
        }
    }

    private void parks(TraceBuffer trace, Thread thread, ParkReason byState) {
        Object blocker = Jdk.blockerOf(thread);
        if (blocker instanceof WaitRecord waiting) {
            parks(trace, thread, ParkReason.of(waiting.waitReason().ordinal()), 0);
        } else if (blocker == null) {
            parks(trace, thread, byState == ParkReason.TIMED_PARK ? ParkReason.SLEEP : byState, 0);
        } else {
            parks(trace, thread, byState, nameOf(trace, blocker));
        }
    }

    private void parks(TraceBuffer trace, Thread thread, ParkReason reason, int blocker) {
        Recording wanted = recording;
        if (wanted == null || !trace.wantsStack(wanted.stacksEvery())) {
            trace.goPark(reason, blocker);
            return;
        }
        long time = trace.beginPark(); // first: the walk takes microseconds, in which the goroutine no longer runs
        int stack = 0;
        try {
            stack = wanted.tables().stacks().of(ParkedStack.of(thread));
        } catch (Throwable _) {
            // No memory, for example. The park is told without its stack, and the machine goes on.
        }
        trace.goPark(reason, blocker, time, stack);
    }

    /// The machine has come back from running the thread of `task`: tells the end of the thread, or that nothing ran,
    /// if the thread was not unmounted.
    void ran(TraceBuffer trace, Runnable task) {
        if (trace.isRunning()) {
            if (Jdk.stateOf(task) == ThreadState.TERMINATED) {
                trace.goEnd();
            } else {
                trace.goVoid();
            }
        }
    }

    private int nameOf(TraceBuffer trace, Object object) {
        Recording wanted = recording;
        return wanted == null ? 0 : trace.nameOf(wanted.names(), object.getClass());
    }

    private int nameOf(@Nullable Object body) {
        Recording wanted = recording;
        return body == null || wanted == null ? 0 : wanted.names().of(body.getClass());
    }

    // ---- all others

    /// An event by whatever thread, which must not be unmounted here.
    void note(EventKind kind, long a, long b, long c, long d) {
        ForeignBuffers others = foreign;
        if (others == null) {
            return;
        }
        Machine machine = kernel.entries.machineHere();
        TraceBuffer trace = machine == null ? null : machine.trace;
        if (trace != null) {
            trace.note(kind, a, b, c, d);
        } else {
            others.note(kind, scheduler, a, b, c, d);
        }
    }

    void note(EventKind kind, long a) {
        note(kind, a, 0, 0, 0);
    }

    void note(EventKind kind, long a, long b) {
        note(kind, a, b, 0, 0);
    }

    /// Whether [#note] would write anything.
    boolean isOn() {
        return foreign != null;
    }
}
