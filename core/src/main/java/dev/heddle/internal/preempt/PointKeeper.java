package dev.heddle.internal.preempt;

import dev.heddle.internal.jdk.PointGate;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.kernel.Machine;
import dev.heddle.internal.kernel.PreemptionPoints;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Opens the preemption points of classes in which hogs were found, and shuts points that are no longer used.
///
/// It runs on its own thread: changing a call site briefly waits for every thread of the JVM, and the system monitor
/// must not wait for any thread.
public final class PointKeeper extends Thread implements KernelThread, PreemptionPoints {

    /// A point is shut after this long without a yield at it. Each opening and shutting costs the affected code
    /// a few milliseconds.
    private static final long UNUSED_NANOS = 10_000_000_000L;

    /// How many classes of a hog's stack are opened, from the top: a hog spends most of its time in its innermost
    /// loop.
    private static final int OPEN_CLASSES = 3;

    private final ConcurrentHashMap<String, Point> points = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Machine> hogs = new ConcurrentLinkedQueue<>();

    /// Own thread only.
    private final List<Point> open = new ArrayList<>();

    PointKeeper() {
        super(null, null, "heddle-points", 0, /* inheritInheritableThreadLocals= */ false);
        setDaemon(true);
    }

    /// Creates and starts the keeper: woven classes can link their points from now on.
    public static PointKeeper begin() {
        try {
            PointKeeper keeper = new PointKeeper();
            MethodType bootstrap =
                    MethodType.methodType(CallSite.class, MethodHandles.Lookup.class, String.class, MethodType.class);
            PointGate.open(MethodHandles.lookup().bind(keeper, "link", bootstrap));
            keeper.start();
            return keeper;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The bootstrap method of all points: one [Point] for each class name.
    CallSite link(MethodHandles.Lookup caller, String name, MethodType type) {
        return points.computeIfAbsent(caller.lookupClass().getName(), _ -> new Point())
                .site(name);
    }

    @Override
    public void ask(Machine hog) {
        hogs.add(hog);
        LockSupport.unpark(this);
    }

    @Override
    public void run() {
        while (true) {
            try {
                workOnce();
            } catch (OutOfMemoryError _) {
                // the monitor takes the hog's processor away instead
            }
        }
    }

    private void workOnce() {
        Machine hog = hogs.poll();
        if (hog != null) {
            if (!open(hog.mountedThread())) {
                hog.reportNoPoints();
            }
        } else if (open.isEmpty()) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, UNUSED_NANOS);
            long now = System.nanoTime();
            open.removeIf(it -> it.shutIfUnused(now, UNUSED_NANOS));
        }
    }

    /// Opens the points on the hog's stack. Whether there are any: the hog will reach one, be it new or open already,
    /// unless the operating system does not run it or the compiler lets it wait.
    boolean open(@Nullable Thread hog) {
        List<Point> onStack = pointsOf(hog);
        for (Point point : onStack) {
            if (!open.contains(point)) {
                open.add(point);
                point.open(System.nanoTime());
            }
        }
        return !onStack.isEmpty();
    }

    private List<Point> pointsOf(@Nullable Thread thread) {
        List<Point> found = new ArrayList<>();
        StackTraceElement[] stack = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
        for (int i = 0; i < stack.length && found.size() < OPEN_CLASSES; i++) {
            Point point = points.get(stack[i].getClassName());
            if (point != null && !found.contains(point)) {
                found.add(point);
            }
        }
        return found;
    }
}
