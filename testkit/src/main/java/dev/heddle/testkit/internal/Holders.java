package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.Synchronizers;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import dev.heddle.internal.jdk.ThreadState;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The holders of the locks and monitors that the threads of a bubble wait for.
final class Holders {

    private Holders() {}

    /// Whether a thread outside makes a thread of the bubble runnable at this moment, or holds a lock of
    /// java.util.concurrent for which one waits, and will release it. While no thread of the bubble runs.
    static boolean isLockHeldOutside(Iterable<BubbleThread> threads) {
        for (BubbleThread thread : threads) {
            if (!thread.hasEnded && !thread.isHeldBack && isLockHeldOutside(thread)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLockHeldOutside(BubbleThread thread) {
        return switch (Jdk.stateOf(thread.resumeTask)) {
            case ThreadState.PARKED, ThreadState.TIMED_PARKED -> {
                Object blocker = LockSupport.getBlocker(thread.thread);
                yield blocker != null && Helpers.isLock(blocker) && isOutside(blocker, Synchronizers.ownerOf(blocker));
            }
            case ThreadState.UNPARKED, ThreadState.UNBLOCKED -> true; // and is not in the inbox yet
            default -> false;
        };
    }

    /// A lock without an owner for which a thread is parked is being released outside: inside, its release would
    /// have made the thread runnable. Locks with readers do not tell all of their owners.
    private static boolean isOutside(Object lock, @Nullable Thread owner) {
        return owner == null
                ? lock.getClass().getName().startsWith(ReentrantLock.class.getName())
                : owner.isAlive() && !(Jdk.poolOf(owner) instanceof BubblePool);
    }

    /// The same of monitors. Slow.
    static boolean isMonitorHeldOutside(Iterable<BubbleThread> threads) {
        for (BubbleThread thread : threads) {
            if (!thread.hasEnded && Jdk.stateOf(thread.resumeTask) == ThreadState.BLOCKED) {
                ThreadSnapshotter picture = ThreadSnapshotter.of(thread.thread);
                Object monitor = picture == null ? null : picture.blocker();
                if (monitor != null && ofMonitor(threads, monitor) == null) {
                    return true;
                }
            }
        }
        return isLockHeldOutside(threads); // the monitor may have been released meanwhile
    }

    /// The thread of the bubble that holds a monitor; null if none does.
    static @Nullable BubbleThread ofMonitor(Iterable<BubbleThread> threads, Object monitor) {
        for (BubbleThread other : threads) {
            ThreadSnapshotter picture = other.hasEnded ? null : ThreadSnapshotter.of(other.thread);
            if (picture != null) {
                for (Object held : picture.monitors()) {
                    if (held == monitor && picture.blocker() != monitor) {
                        return other;
                    }
                }
            }
        }
        return null;
    }
}
