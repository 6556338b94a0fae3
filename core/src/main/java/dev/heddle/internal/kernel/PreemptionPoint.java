package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;

/// What a preemption point in user code does: looks whether anybody is asked to yield, and if it is this thread,
/// yields. Go: the stack check in function prologues, and asyncPreempt.
public final class PreemptionPoint {

    /// Some machine is asked to yield. One for the JVM: only the scheduler that runs every virtual thread has
    /// points.
    private static volatile boolean requested;

    private PreemptionPoint() {}

    /// Whether it is worth calling [#yieldIfAsked]. Any thread.
    public static boolean isRequested() {
        return requested;
    }

    /// System monitor only.
    static void request(boolean anybody) {
        if (requested != anybody) {
            requested = anybody;
        }
    }

    /// Yields if the machine under the current thread is asked to, and the thread is virtual and not
    /// pinned. True if it tried. Any thread, with whatever locks: a virtual thread keeps its monitors while
    /// it waits its turn.
    public static boolean yieldIfAsked() {
        // Not pinned: the thread may move to another machine at any call. Then the question was put to the wrong
        // machine, and a yield too many, or one that comes a little later, is all that follows.
        if (!(Jdk.currentCarrierThread() instanceof Machine machine) || !machine.shouldYieldAtPoint()) {
            return false;
        }
        long mounts = machine.mounts();
        EntryPoints.yieldSlice();
        if (Jdk.currentCarrierThread() == machine && machine.mounts() == mounts) {
            machine.closePoints(); // it has not been unmounted
        }
        return true;
    }
}
