package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;

/// Initialises classes of the kernel on the thread that makes a scheduler, before any thread of the kernel
/// runs.
///
/// Otherwise monitor, starter, the first machine and the warm-up initialise them at the same time, wait for
/// each other's class initialisers, and the first goroutine spends its time slice on it. On a busy computer
/// that takes so long that the slice ends, and the order in which the first goroutines run is not Go's.
final class ColdStart {

    /// Of the monitor and the starter, which begin at once.
    private static final Class<?>[] OF_HELPERS = {Chaos.class, CoarseClock.class};

    /// Of the first machine and the first goroutine; superclasses are initialised with them.
    private static final Class<?>[] OF_MACHINES = {Word.class, Machine.class, Shell.class, KernelTimer.class};

    private ColdStart() {}

    /// Before the first thread of the kernel starts. While the agent installs the kernel, what machines need is
    /// left out: it costs milliseconds for which the start of the program would wait, and the program may have
    /// no virtual threads. The starter has most of it initialised before the first machine runs.
    static void prepare(CarrierPool pool) {
        Jdk.initialise(OF_HELPERS);
        if (!DefaultScheduler.isVacant()) {
            Jdk.initialise(OF_MACHINES);
            Jdk.linkThreads(pool);
        }
    }
}
