package dev.heddle.internal.observe;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import java.lang.management.LockInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Determines why a thread waits, in Go's terms.
///
/// Heddle's own channels and groups leave a [WaitRecord]. For the JDK's locks, sleeps and sockets the reason
/// follows from what the thread is parked on and from the innermost frames.
final class WaitReasons {

    /// How many of the innermost frames may lie between the user's call and the park.
    private static final int FRAMES = 12;

    private WaitReasons() {}

    static String of(ThreadSnapshotter picture) {
        return picture.blocker() instanceof WaitRecord waiting
                ? waiting.waitReason().toString()
                : ofJdk(picture.state(), classOf(picture.blocker()), picture.stack())
                        .toString();
    }

    /// The reason of a platform thread, of which the JVM tells the class of what it waits for.
    static String ofPlatform(Thread.State state, @Nullable LockInfo lock, List<StackTraceElement> stack) {
        return ofJdk(state, lock == null ? "" : lock.getClassName(), stack).toString();
    }

    private static String classOf(@Nullable Object blocker) {
        return blocker == null ? "" : blocker.getClass().getName();
    }

    private static WaitReason ofJdk(Thread.State state, String blocker, List<StackTraceElement> stack) {
        if (state == Thread.State.BLOCKED) {
            return WaitReason.MUTEX_LOCK;
        }
        WaitReason byLock = byLock(blocker);
        if (byLock != null) {
            return byLock;
        }
        for (StackTraceElement frame : stack.subList(0, Math.min(FRAMES, stack.size()))) {
            WaitReason byFrame = byFrame(frame);
            if (byFrame != null) {
                return byFrame;
            }
        }
        return WaitReason.SEMACQUIRE; // parked on an object that is unknown here
    }

    /// By the class of what the thread is parked on, which may be a class inside of the lock's.
    private static @Nullable WaitReason byLock(String blocker) {
        int nested = blocker.indexOf('$');
        return switch (nested < 0 ? blocker : blocker.substring(0, nested)) {
            case "java.util.concurrent.locks.ReentrantReadWriteLock" -> WaitReason.RWMUTEX_LOCK;
            case "java.util.concurrent.locks.ReentrantLock" -> WaitReason.MUTEX_LOCK;
            case "java.util.concurrent.Semaphore", "java.util.concurrent.CountDownLatch" -> WaitReason.SEMACQUIRE;
            default -> blocker.endsWith("$ConditionObject") ? WaitReason.COND_WAIT : null;
        };
    }

    private static @Nullable WaitReason byFrame(StackTraceElement frame) {
        return switch (frame.getClassName() + "." + frame.getMethodName()) {
            case "java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep", "java.lang.Thread.sleepNanos" ->
                WaitReason.SLEEP;
            case "sun.nio.ch.Poller.poll", "sun.nio.ch.NioSocketImpl.park", "sun.nio.ch.SelectorImpl.select" ->
                WaitReason.IO_WAIT;
            case "java.lang.Object.wait0" -> WaitReason.COND_WAIT;
            case "java.lang.VirtualThread.joinNanos" -> WaitReason.WAIT_GROUP_WAIT;
            default -> null;
        };
    }
}
