package dev.heddle.internal.kernel;

import dev.heddle.internal.event.CoarseClock;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;

/// Initialises classes of the kernel on the thread that makes a scheduler, before any thread of the kernel runs.
///
/// Otherwise the monitor, the starter, the first machine and the warm-up would initialise them at the same time and
/// wait for each other's class initialisers. The first goroutine would spend its time slice on that. On a busy
/// computer the slice would end meanwhile, and the first goroutines would not run in Go's order.
final class ColdStart {

    /// Classes of the monitor and the starter, which begin at once.
    private static final Class<?>[] OF_HELPERS = {Chaos.class, CoarseClock.class};

    /// Classes of the first machine and the first goroutine. Their superclasses are initialised with them.
    private static final Class<?>[] OF_MACHINES = {Word.class, Machine.class, Shell.class, KernelTimer.class};

    private ColdStart() {}

    /// Called before the first thread of the kernel starts. While the agent installs the kernel, the classes of
    /// machines are left out. Initialising them would delay the start of the program by milliseconds, and the
    /// program may have no virtual threads. The starter has initialised most of them before the first machine
    /// runs.
    static void prepare(CarrierPool pool) {
        Jdk.initialise(OF_HELPERS);
        if (!DefaultScheduler.isVacant()) {
            Jdk.initialise(OF_MACHINES);
            Jdk.linkThreads(pool);
        }
    }
}
