package dev.heddle.internal.kernel;

import dev.heddle.internal.event.CoarseClock;
import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.StealRule;
import dev.heddle.internal.queue.TimerEntry;
import dev.heddle.internal.queue.TimerHeap;
import org.jspecify.annotations.Nullable;

/// The calls of VarHandles that a short run of a kernel may miss, because they depend on chance: steals, naps, timers
/// that are cancelled, the first of two machines that arrive at the same time.
///
/// The JVM links a call of a VarHandle when it is first executed, once for each class, and needs memory for it. So the
/// warm-up executes each of them once, on a kernel that has ended. WarmUpTest compares them with the class files.
final class RareCalls {

    private final Kernel kernel;

    /// A machine that never starts. As a thread it also serves as an entry of queues.
    private final Machine machine;

    /// @param ended a kernel that no thread uses any more
    RareCalls(Kernel ended) {
        this.kernel = ended;
        this.machine = new Machine(ended, 1, "heddle-warm-up");
    }

    void perform() {
        searchAndSleep();
        steal();
        cancelTimers();
        long _ = CoarseClock.nanos();
    }

    private void searchAndSleep() {
        SpinCoordinator spin = kernel.spin;
        if (spin.takeFirstToken()) {
            spin.returnToken();
        }
        spin.takeToken(machine);
        spin.dropToken(machine);
        boolean _ = spin.announceNap(machine);
        spin.withdrawNap(machine);
        kernel.sleeper.resign(machine);
        kernel.rounds.beginAfter(Long.MIN_VALUE);
        machine.rescue.forget(new Object[0]);
    }

    private void steal() {
        Processor processor = kernel.processors().all()[0];
        LocalRunQueue victim = new LocalRunQueue();
        LocalRunQueue thief = new LocalRunQueue();
        victim.put(machine, /* next= */ false, processor);
        victim.put(machine, /* next= */ false, processor);
        Runnable _ = thief.stealFrom(victim, StealRule.GO, /* includeRunNext= */ false);
        victim.put(machine, /* next= */ true, processor);
        Runnable _ = victim.takeNext();
        victim.put(machine, /* next= */ true, processor);
        boolean _ = victim.takeNextIf(machine);
        int _ = victim.size();
        processor.countTheft(processor);
        long _ = processor.stolenFrom();
    }

    private void cancelTimers() {
        TimerHeap heap = new TimerHeap();
        TimerEntry far = new TimerEntry(TimerEntry.LATEST, machine);
        heap.push(far);
        heap.push(new TimerEntry(0, machine));
        @Nullable TimerEntry[] due = new TimerEntry[1];
        int _ = heap.takeDue(1, due);
        boolean _ = far.cancel();
        boolean _ = heap.hasPending();
        boolean _ = heap.closeAndMoveTo(new TimerHeap());
    }
}
