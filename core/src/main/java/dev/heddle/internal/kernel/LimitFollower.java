package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.ProcsWatcher;

/// Keeps the number of processors at what the CPUs and the CPU quota of this process allow, or at what the program
/// asked for.
///
/// The system monitor reads the limits, because it runs anyway, and the starter applies a change. The monitor never
/// stops the world itself: meanwhile it could not take processors from blocked machines.
/// Go: sysmonUpdateGOMAXPROCS, updateMaxProcsGoroutine.
final class LimitFollower {

    private final Kernel kernel;
    private final ProcsWatcher watcher;
    private volatile boolean mayNap = true;

    LimitFollower(Kernel kernel, ProcsWatcher watcher) {
        this.kernel = kernel;
        this.watcher = watcher;
    }

    ProcsWatcher watcher() {
        return watcher;
    }

    /// Whether spinning machines may nap. False where naps would only use up a small CPU quota.
    boolean mayNap() {
        return mayNap;
    }

    /// Reads the limits, at most once a second. System monitor only.
    void follow() {
        int wanted = watcher.poll(Jdk.nanoTime());
        mayNap = !watcher.spinningWastesQuota();
        if (wanted != ProcsWatcher.UNCHANGED) {
            kernel.starter.signal();
        }
    }

    /// Applies what [#follow] found. Starter only.
    void apply() {
        if (watcher.decision().procs() != kernel.procs()) {
            kernel.world.followDecision();
        }
    }

    /// The program asks for a number of processors. Any thread.
    void set(int procs) {
        watcher.setExplicit(KernelOptions.checkProcs(procs), "Go.gomaxprocs(" + procs + ")");
        kernel.world.followDecision();
    }
}
