package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;
import dev.heddle.procs.LinuxCalls;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Lowers the priority of threads that hog a CPU without a processor, so that those with one get their turn
/// (N12).
///
/// That is always allowed; raising it again is not, so such a machine ends with its goroutine's turn. A thread
/// of its own, made when the first hog is met: the first foreign call takes a tenth of a second.
final class Demoter extends Thread implements KernelThread {

    private static final int NICENESS = 10;

    private final Kernel kernel;
    private final ConcurrentLinkedQueue<Machine> hogs = new ConcurrentLinkedQueue<>();

    Demoter(Kernel kernel) {
        super(null, null, kernel.name() + "-demoter", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        setDaemon(true);
    }

    void demote(Machine machine) {
        if (isAlive()) {
            hogs.add(machine);
            Jdk.unparkCarrier(this);
        }
    }

    @Override
    public void run() {
        LinuxCalls calls = load();
        while (calls != null && !kernel.isEnded()) {
            Machine machine = hogs.poll();
            if (machine == null) {
                Jdk.parkCarrier(0);
                boolean _ = Thread.interrupted();
            } else if (Word.state(machine.word()) == Word.LOST) {
                machine.endSoon(); // before: it must not run anything else at the lower priority
                demote(calls, machine);
            }
        }
    }

    private void demote(LinuxCalls calls, Machine machine) {
        try {
            if (calls.setNiceness(machine.probe.threadId(), NICENESS) == null) {
                kernel.counters.demoted.incrementAndGet();
            }
        } catch (OutOfMemoryError failure) {
            kernel.countRepair(failure); // it keeps its priority
        }
    }

    /// Null where threads cannot be demoted: hogs keep their priority there, and everything else works.
    private static @Nullable LinuxCalls load() {
        try {
            return LinuxCalls.load(Jdk::allowNativeAccess);
        } catch (UnsupportedOperationException | LinkageError | OutOfMemoryError _) {
            return null;
        }
    }
}
