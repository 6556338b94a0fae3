package dev.heddle.agent;

import dev.heddle.kernel.PreemptionPoint;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/// All preemption points of one class: open, they ask whether to yield; shut, they are nothing at all.
///
/// Shut is how they begin. The JIT compiler treats the target of a call site as a constant, so a shut point leaves no
/// instruction in compiled code and hinders no optimisation. Opening it throws that code away, and the thread
/// goes on in the interpreter, which comes to the point.
final class Point {

    private static final MethodType TYPE = MethodType.methodType(void.class);
    private static final MethodHandle NOTHING = MethodHandles.empty(TYPE);

    private final MutableCallSite site = new MutableCallSite(NOTHING);
    private final MethodHandle pass;
    private boolean isOpen;
    private volatile long usedAt;

    /// `pass` is the handle of [#pass].
    Point(MethodHandle pass) {
        this.pass = pass.bindTo(this);
    }

    MutableCallSite site() {
        return site;
    }

    /// What an open point does.
    void pass() {
        if (PreemptionPoint.isRequested() && PreemptionPoint.yieldIfAsked()) {
            usedAt = System.nanoTime();
        }
    }

    /// [PointKeeper] only, like the others below.
    void open(long now) {
        usedAt = now;
        if (!isOpen) {
            isOpen = true;
            change(pass);
        }
    }

    /// Shuts it if nobody has yielded here for so long. True if it is shut now.
    boolean shutIfUnused(long now, long nanos) {
        if (isOpen && now - usedAt >= nanos) {
            isOpen = false;
            change(NOTHING);
        }
        return !isOpen;
    }

    private void change(MethodHandle target) {
        site.setTarget(target);
        MutableCallSite.syncAll(new MutableCallSite[] {site});
    }
}
