package dev.heddle.internal.kernel;

import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.queue.StealRule;
import dev.heddle.internal.settings.Settings;
import org.jspecify.annotations.Nullable;

/// A machine whose thread never starts: a test makes its steps, in whatever order it likes, so that what happens
/// depends neither on the operating system nor on the machine's speed. All of them belong to the test's thread.
final class DrivenMachine {

    final Machine machine;
    final Processor processor;

    /// What would be mounted now.
    @Nullable
    Runnable current;

    /// Takes an idle processor of the kernel.
    DrivenMachine(Kernel kernel) {
        Processor idle = kernel.machines.takeIdle(null);
        if (idle == null) {
            throw new AssertionError("no processor is idle");
        }
        processor = idle;
        machine = new Machine(kernel, idle.id, "driven-" + idle.id);
        machine.acquire(idle);
    }

    /// Gives the machine a spinning token. The monitor's audit sees that the machine holds it.
    DrivenMachine spin() {
        machine.kernel.allMachines.add(machine);
        machine.kernel.spin.takeToken(machine);
        return this;
    }

    /// Like [#spin], and announces a nap.
    DrivenMachine nap() {
        spin();
        if (!machine.kernel.spin.announceNap(machine)) {
            throw new AssertionError("another machine naps");
        }
        return this;
    }

    /// Whether the announced nap was ended by another thread.
    boolean isNapOver() {
        return machine.kernel.spin.announceNap(machine);
    }

    /// The mounted thread calls `Go.gosched`, and something is mounted: perhaps the same thread.
    void yieldAndRun() {
        Runnable yielding = current;
        if (yielding != null) {
            if (!machine.preemption.seesOthers() && machine.preemption.tryStay()) {
                return; // it goes on
            }
            yieldHere(yielding);
        }
        runNext();
    }

    /// A thread that is mounted here yields.
    void yieldHere(Runnable yielding) {
        machine.kernel.submitter.yieldHere(machine, yielding);
    }

    /// The mounted thread ends, and something else is mounted. Null if there is nothing without stealing.
    @Nullable
    Runnable runNext() {
        current = machine.search.findLocally(processor);
        if (current != null) {
            processor.schedTick++;
        }
        return current;
    }

    /// A kernel for driven machines. Its own threads do not run: nothing happens in it by itself, and a processor that
    /// needs another machine stays pending. A test that wants the system monitor or the starter starts it.
    static Kernel kernel(int procs) {
        ProcsWatcher watcher = new ProcsWatcher(_ -> null, ProcsSettings.NONE, procs, System.nanoTime());
        watcher.setExplicit(procs, "driven");
        return new Kernel(new KernelOptions(
                "driven",
                watcher,
                null,
                Settings.DEFAULT_MAX_THREADS,
                KernelOptions.DEFAULT_IDLE_NANOS,
                StealRule.GO,
                null,
                null));
    }

    /// Ends a kernel of driven machines, whatever they did, so that the threads that a test started end too.
    static void end(Kernel kernel) {
        kernel.lock.lock();
        try {
            for (Processor processor : kernel.processors().all()) {
                Machine owner = processor.machine;
                if (owner != null && owner.p == processor && owner.getState() == Thread.State.NEW) {
                    Processor _ = owner.releaseLocked();
                }
            }
        } finally {
            kernel.lock.held = 0;
        }
        kernel.counters.strayEnds.addAndGet(kernel.live()); // what was only queued
        kernel.close();
        if (kernel.monitor.getState() == Thread.State.NEW) {
            kernel.end(); // in its place
        }
    }
}
