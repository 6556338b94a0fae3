package dev.heddle.internal.observe;

import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Successive dumps of one scheduler. The stack of a goroutine that is still in the same wait is not walked again,
/// since walking stacks is nearly the whole cost of a dump.
final class DumpSeries {
    /*
     * Invariant.  A wait record belongs to one wait. So a thread that has the same record as in the last dump, and is
     *             parked now as it was then, has the same frames, reason and blocker; only its waiting time differs.
     */

    /// Limits of a dump: its goroutines, how many stacks are walked for it, and frames per stack. Larger dumps
    /// would not be more informative.
    private static final int GOROUTINES = 5_000;

    private static final int LOOKS = 1_000;

    private static final int FRAMES = 32;

    /// The picture of a waiting goroutine, and the wait during which it was taken.
    private record Waiting(WaitRecord waitRecord, GoroutineStats picture) {}

    /// Maximum number of frames to remember: a program that generates classes at run time never stops producing new
    /// ones.
    private static final int STRINGS = 20_000;

    private final Kernel kernel;
    private final Map<String, String> strings = new HashMap<>();
    private final SurroundingsReader surroundings = new SurroundingsReader();

    /// The waiting goroutines of the last dump. The search for leaks in heap dumps treats this class as a
    /// register of threads: it does not follow these references.
    private Map<Thread, Waiting> waiting = new IdentityHashMap<>();

    DumpSeries(Kernel kernel) {
        this.kernel = kernel;
    }

    /// Begins a new window of time.
    void startWindow() {
        surroundings.startWindow();
    }

    Dump next() {
        if (strings.size() > STRINGS) {
            strings.clear();
        }
        Map<Thread, Waiting> before = waiting;
        waiting = new IdentityHashMap<>();
        var blockers = new Blockers();
        var pools = new PoolReader();
        Map<Thread, GoroutineStats> found = new LinkedHashMap<>(); // a thread has no equals of its own
        boolean complete = true;
        int looks = 0;
        List<Thread> threads = Inspector.threads(kernel);
        for (Thread thread : threads) {
            WaitRecord waitRecord = WaitRecord.of(thread);
            Waiting last = before.get(thread);
            GoroutineStats picture = null;
            if (found.size() == GOROUTINES) {
                complete = false;
            } else if (last != null && waitRecord == last.waitRecord && isParked(thread)) {
                waiting.put(thread, last);
                picture = last.picture.withWaitNanos(waitRecord.nanosSoFar());
            } else if (looks == LOOKS) {
                complete = false;
            } else {
                looks++;
                picture = look(thread, waitRecord, blockers, pools);
            }
            if (picture != null) {
                found.put(thread, picture);
            }
        }
        var platformReader = new PlatformReader(blockers, pools);
        Map<Long, GoroutineStats> platform = new LinkedHashMap<>();
        platformReader.read().forEach(it -> platform.put(it.id(), withSharedStrings(it)));
        lookAtOwners(blockers, found, platformReader, platform);
        Set<String> frames = new HashSet<>();
        found.values().forEach(it -> frames.addAll(it.stack()));
        return new Dump(
                System.nanoTime(),
                List.copyOf(found.values()),
                complete,
                List.copyOf(platform.values()),
                blockers.read(),
                pools.read(),
                surroundings.next(threads, frames));
    }

    private @Nullable GoroutineStats look(
            Thread thread, @Nullable WaitRecord waitRecord, Blockers blockers, PoolReader pools) {
        ThreadSnapshotter snapshot = ThreadSnapshotter.of(thread);
        if (snapshot == null) {
            return null;
        }
        blockers.add(snapshot.blocker());
        pools.add(thread, snapshot.stack());
        GoroutineStats picture = withSharedStrings(GoroutineReader.of(kernel, thread, snapshot, FRAMES));
        if (waitRecord != null && picture.state() == GoroutineState.WAITING && WaitRecord.of(thread) == waitRecord) {
            waiting.put(thread, new Waiting(waitRecord, picture));
        }
        return picture;
    }

    /// Takes the pictures of the owners of contended locks once more, together with the question whether they own
    /// them: what a dump says of an owner is of one moment.
    private void lookAtOwners(
            Blockers blockers,
            Map<Thread, GoroutineStats> found,
            PlatformReader platformReader,
            Map<Long, GoroutineStats> platform) {
        blockers.owners().forEach((owner, locks) -> {
            if (found.containsKey(owner)) {
                ThreadSnapshotter snapshot = ThreadSnapshotter.of(owner, locks);
                if (snapshot != null) {
                    blockers.confirm(owner, snapshot.held());
                    found.put(owner, withSharedStrings(GoroutineReader.of(kernel, owner, snapshot, FRAMES)));
                }
            } else if (!owner.isVirtual()) {
                GoroutineStats picture = platformReader.readOwner(owner, locks);
                if (picture != null) {
                    platform.put(picture.id(), withSharedStrings(picture));
                }
            }
        });
    }

    private static boolean isParked(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
        };
    }

    /// The same frames occur many times: each is stored and sent once.
    private GoroutineStats withSharedStrings(GoroutineStats picture) {
        return picture.withStack(picture.stack().stream()
                .map(frame -> strings.computeIfAbsent(frame, _ -> frame))
                .toList());
    }
}
