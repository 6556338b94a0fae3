package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes pictures of the platform threads that run code of the program. Goroutines wait for them, too: for a lock that
/// one holds, or for a task in a pool.
///
/// `ThreadMXBean` would take them all at once, but does not know a monitor whose owner is a virtual thread.
final class PlatformReader {

    /// Limits of a dump: threads whose stacks are walked, and frames per stack.
    private static final int THREADS = 256;

    private static final int FRAMES = 32;

    private final Blockers blockers;
    private final PoolReader pools;

    PlatformReader(Blockers blockers, PoolReader pools) {
        this.blockers = blockers;
        this.pools = pools;
    }

    /// The platform threads that run code of the program. Notes what they wait for and which pools they work for.
    List<GoroutineStats> read() {
        List<GoroutineStats> found = new ArrayList<>();
        int walked = 0;
        for (Thread thread : JdkThreads.all()) {
            if (walked < THREADS && isOfInterest(thread)) {
                walked++;
                ThreadSnapshotter picture = ThreadSnapshotter.ofPlatform(thread, List.of());
                if (picture == null) {
                    continue; // it has ended
                }
                pools.add(thread, picture.stack());
                if (picture.stack().stream().anyMatch(it -> ProgramClasses.isPrograms(it.getClassName()))) {
                    blockers.add(picture.blocker());
                    found.add(stats(thread, picture));
                }
            }
        }
        return found;
    }

    /// Whether the thread may run code of the program: it is not the JVM's own, and no carrier.
    private static boolean isOfInterest(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group.getParent() != null && !Jdk.isCarrier(thread) && thread != Thread.currentThread();
    }

    /// Another picture of a thread, with the locks that it held at that moment; null if it is of no interest or has
    /// ended.
    @Nullable
    GoroutineStats readOwner(Thread thread, List<Object> locks) {
        ThreadSnapshotter picture = isOfInterest(thread) ? ThreadSnapshotter.ofPlatform(thread, locks) : null;
        if (picture == null) {
            return null;
        }
        blockers.confirm(thread, picture.held());
        return stats(thread, picture);
    }

    private static GoroutineStats stats(Thread thread, ThreadSnapshotter picture) {
        boolean waits = picture.state() != Thread.State.RUNNABLE;
        boolean isNative =
                !picture.stack().isEmpty() && picture.stack().getFirst().isNativeMethod();
        Object blocker = waits ? picture.blocker() : null;
        Thread owner = waits ? picture.ownerOfBlocker() : null;
        return new GoroutineStats(
                thread.threadId(),
                thread.getName(),
                waits ? GoroutineState.WAITING : isNative ? GoroutineState.SYSCALL : GoroutineState.RUNNING,
                waits ? WaitReasons.of(picture) : null,
                /* waitNanos= */ -1,
                /* seenNanos= */ -1,
                /* locked= */ false,
                /* machine= */ -1,
                blocker == null ? null : Blockers.identity(blocker),
                owner == null ? 0 : owner.threadId(),
                picture.monitors().stream().map(Blockers::identity).toList(),
                picture.stack().stream()
                        .limit(FRAMES)
                        .map(StackTraceElement::toString)
                        .toList(),
                /* body= */ null,
                /* createdBy= */ null,
                /* creator= */ 0);
    }
}
