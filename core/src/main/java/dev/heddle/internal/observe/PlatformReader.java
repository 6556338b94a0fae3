package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.jdk.Synchronizers;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Takes pictures of the platform threads that run code of the program. Goroutines wait for them, too: for a lock that
/// one holds, or for a task in a pool.
///
/// The JVM takes all pictures at one safepoint, with the monitors that each thread holds.
final class PlatformReader {

    /// Limits of a dump: threads whose stacks are walked, and frames per stack.
    private static final int THREADS = 256;

    private static final int FRAMES = 32;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Blockers blockers;
    private final PoolReader pools;
    private final Map<Long, Thread> byId = new HashMap<>();

    PlatformReader(Blockers blockers, PoolReader pools) {
        this.blockers = blockers;
        this.pools = pools;
    }

    /// The platform threads that run code of the program. Notes what they wait for and which pools they work for.
    List<GoroutineStats> read() {
        for (Thread thread : JdkThreads.all()) {
            boolean isOfInterest = !Jdk.isCarrier(thread) && thread != Thread.currentThread();
            if (isOfInterest && byId.size() < THREADS) {
                byId.put(thread.threadId(), thread);
            }
        }
        List<GoroutineStats> found = new ArrayList<>();
        for (ThreadInfo info :
                pictures(byId.keySet().stream().mapToLong(Long::longValue).toArray())) {
            Thread thread = info == null ? null : byId.get(info.getThreadId());
            if (info == null || thread == null) {
                continue; // it has ended
            }
            List<StackTraceElement> stack = Arrays.asList(info.getStackTrace());
            pools.add(thread, stack);
            if (stack.stream().anyMatch(it -> ProgramClasses.isPrograms(it.getClassName()))) {
                blockers.add(blockerOf(thread, info));
                found.add(stats(info, stack));
            }
        }
        return found;
    }

    /// Another picture of a thread of [#read], and whether it held these locks at that moment; null if it has ended.
    /// A platform thread cannot be suspended, so its locks are read before and after the picture.
    @Nullable
    GoroutineStats readOwner(Thread thread, List<Object> locks) {
        if (!byId.containsKey(thread.threadId())) {
            return null;
        }
        List<Object> before = heldBy(thread, locks);
        ThreadInfo info = pictures(new long[] {thread.threadId()})[0];
        if (info == null) {
            return null;
        }
        blockers.confirm(thread, heldBy(thread, before));
        return stats(info, Arrays.asList(info.getStackTrace()));
    }

    private static List<Object> heldBy(Thread thread, List<Object> locks) {
        return locks.stream().filter(it -> Synchronizers.ownerOf(it) == thread).toList();
    }

    private @Nullable ThreadInfo[] pictures(long[] ids) {
        return threads.getThreadInfo(ids, /* lockedMonitors= */ true, /* lockedSynchronizers= */ false, FRAMES);
    }

    /// What the thread is parked on, if that is still what it was at the moment of the picture.
    private static @Nullable Object blockerOf(Thread thread, ThreadInfo info) {
        Object blocker = LockSupport.getBlocker(thread);
        LockInfo then = info.getLockInfo();
        return blocker != null && then != null && Blockers.identity(blocker).equals(nameOf(then)) ? blocker : null;
    }

    private static GoroutineStats stats(ThreadInfo info, List<StackTraceElement> stack) {
        boolean waits = info.getThreadState() != Thread.State.RUNNABLE;
        LockInfo lock = info.getLockInfo();
        return new GoroutineStats(
                info.getThreadId(),
                info.getThreadName(),
                waits ? GoroutineState.WAITING : info.isInNative() ? GoroutineState.SYSCALL : GoroutineState.RUNNING,
                waits ? WaitReasons.ofPlatform(info.getThreadState(), lock, stack) : null,
                /* waitNanos= */ -1,
                /* locked= */ false,
                /* machine= */ -1,
                lock == null ? null : nameOf(lock),
                Math.max(0, info.getLockOwnerId()),
                Arrays.stream(info.getLockedMonitors())
                        .map(PlatformReader::nameOf)
                        .toList(),
                stack.stream().map(StackTraceElement::toString).toList(),
                /* body= */ null,
                /* createdBy= */ null,
                /* creator= */ 0);
    }

    private static String nameOf(LockInfo lock) {
        return lock.getClassName() + "@" + Integer.toHexString(lock.getIdentityHashCode());
    }
}
