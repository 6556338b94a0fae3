package dev.heddle.internal.observe;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
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
                : ofJdk(picture).toString();
    }

    private static WaitReason ofJdk(ThreadSnapshotter picture) {
        if (picture.state() == Thread.State.BLOCKED) {
            return WaitReason.MUTEX_LOCK;
        }
        WaitReason byLock = byLock(picture.blocker());
        if (byLock != null) {
            return byLock;
        }
        List<StackTraceElement> stack = picture.stack();
        for (StackTraceElement frame : stack.subList(0, Math.min(FRAMES, stack.size()))) {
            WaitReason byFrame = byFrame(frame);
            if (byFrame != null) {
                return byFrame;
            }
        }
        return WaitReason.SEMACQUIRE; // parked on an object that is unknown here
    }

    private static @Nullable WaitReason byLock(@Nullable Object blocker) {
        if (blocker == null) {
            return null;
        }
        Class<?> outer = blocker.getClass();
        for (Class<?> next = outer.getEnclosingClass(); next != null; next = outer.getEnclosingClass()) {
            outer = next;
        }
        if (outer == ReentrantReadWriteLock.class) {
            return WaitReason.RWMUTEX_LOCK;
        }
        if (outer == ReentrantLock.class) {
            return WaitReason.MUTEX_LOCK;
        }
        if (outer == Semaphore.class || outer == CountDownLatch.class) {
            return WaitReason.SEMACQUIRE;
        }
        return blocker instanceof java.util.concurrent.locks.Condition ? WaitReason.COND_WAIT : null;
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
