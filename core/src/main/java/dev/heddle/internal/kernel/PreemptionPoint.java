package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;

/// What a preemption point in user code does: checks whether any machine is asked to yield, and yields if it is the
/// machine of this thread.
/// Go: the stack check in function prologues, and asyncPreempt.
public final class PreemptionPoint {

    /// Some machine is asked to yield. One flag for the whole JVM: only the scheduler that runs every virtual
    /// thread has preemption points.
    private static volatile boolean requested;

    private PreemptionPoint() {}

    /// Whether it is worth calling [#yieldIfAsked]. Any thread.
    public static boolean isRequested() {
        return requested;
    }

    /// Sets whether any machine is asked to yield. System monitor only.
    static void request(boolean anybody) {
        if (requested != anybody) {
            requested = anybody;
        }
    }

    /// Yields if the machine under the current thread is asked to, and the thread is virtual and not
    /// pinned. True if it tried. Any thread, with any locks held: a virtual thread keeps its monitors while
    /// it waits for its turn.
    public static boolean yieldIfAsked() {
        // The thread is not pinned here, so it may move to another machine at any call. Then the wrong machine was
        // asked. The only consequence is a superfluous yield, or one that comes a little later.
        if (!(Jdk.currentCarrierThread() instanceof Machine machine) || !machine.preemption.shouldYieldAtPoint()) {
            return false;
        }
        long mounts = machine.mounts();
        EntryPoints.yieldSlice();
        if (Jdk.currentCarrierThread() == machine && machine.mounts() == mounts) {
            machine.preemption.pausePoints(); // the thread was not unmounted
        }
        return true;
    }
}
