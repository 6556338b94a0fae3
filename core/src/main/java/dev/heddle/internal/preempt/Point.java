package dev.heddle.internal.preempt;

import dev.heddle.internal.kernel.PreemptionPoint;
import dev.heddle.internal.weave.Weaver;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/// All preemption points of one class. An open point checks whether the thread should yield; a shut point does
/// nothing.
///
/// Points start shut. The JIT compiler treats the target of a call site as a constant, so a shut point leaves no
/// instruction in compiled code and prevents no optimisation. Opening a point discards that code. The thread
/// continues in the interpreter, which reaches the point.
public final class Point {

    /// Iterations of a counted loop between two open points: at most a few milliseconds, and enough that the
    /// overhead between two strips is not measurable.
    public static final int STRIP = 1 << 16;

    private static final MethodType PASS = MethodType.methodType(void.class);
    private static final MethodType LIMIT = MethodType.methodType(int.class, int.class, int.class);
    private static final MethodHandle NOTHING = MethodHandles.empty(PASS);
    private static final MethodHandle WHOLE =
            MethodHandles.dropArguments(MethodHandles.identity(int.class), 0, int.class);

    /// Handles of the two methods below, looked up once.
    private record Open(MethodHandle pass, MethodHandle stripLimit) {
        static final Open HANDLES = find();

        private static Open find() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                return new Open(
                        lookup.findVirtual(Point.class, "pass", PASS),
                        lookup.findStatic(Point.class, "stripLimit", LIMIT));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final MutableCallSite pass = new MutableCallSite(NOTHING);
    private final MutableCallSite stripLimit = new MutableCallSite(WHOLE);
    private boolean isOpen;
    private volatile long usedAt;

    /// The call site of the class's points, or of the limits of its strips.
    MutableCallSite site(String name) {
        return name.equals(Weaver.STRIP_LIMIT) ? stripLimit : pass;
    }

    /// What an open point does.
    void pass() {
        if (PreemptionPoint.isRequested() && PreemptionPoint.yieldIfAsked()) {
            usedAt = System.nanoTime();
        }
    }

    /// How far a counted loop runs before its next open point.
    public static int stripLimit(int counter, int limit) {
        return (int) Math.min(limit, (long) counter + STRIP);
    }

    /// [PointKeeper] only, like the others below.
    void open(long now) {
        usedAt = now;
        if (!isOpen) {
            isOpen = true;
            change(Open.HANDLES.pass().bindTo(this), Open.HANDLES.stripLimit());
        }
    }

    /// Shuts the point if no thread has yielded here for `nanos`. Returns whether the point is shut now.
    boolean shutIfUnused(long now, long nanos) {
        if (isOpen && now - usedAt >= nanos) {
            isOpen = false;
            change(NOTHING, WHOLE);
        }
        return !isOpen;
    }

    private void change(MethodHandle passTarget, MethodHandle limitTarget) {
        pass.setTarget(passTarget);
        stripLimit.setTarget(limitTarget);
        MutableCallSite.syncAll(new MutableCallSite[] {pass, stripLimit});
    }
}
