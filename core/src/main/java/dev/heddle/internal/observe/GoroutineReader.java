package dev.heddle.internal.observe;

import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import dev.heddle.internal.kernel.CreationSite;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.trace.NameTable;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes pictures of a scheduler's goroutines and virtual threads, one after the other, while the scheduler keeps
/// running.
final class GoroutineReader {

    /// The frame below a goroutine's body: this frame and the frames below it are of no interest.
    private static final String SHELL = "dev.heddle.BodyGoroutine";

    private GoroutineReader() {}

    /// At most `limit` of them, each with at most `frames` frames.
    static List<GoroutineStats> of(Kernel kernel, int limit, int frames) {
        List<GoroutineStats> found = new ArrayList<>();
        for (Thread thread : threads(kernel, limit)) {
            if (found.size() >= limit) {
                break;
            }
            GoroutineStats stats = of(kernel, thread, frames);
            if (stats != null) {
                found.add(stats);
            }
        }
        return found;
    }

    /// All threads of the scheduler. If there are more than `limit`, the threads that run, want to run or wait
    /// for a monitor come first: most of the others wait for their work, and are all alike.
    static List<Thread> threads(Kernel kernel, int limit) {
        List<Thread> threads = Inspector.threads(kernel);
        if (threads.size() <= limit) {
            return threads;
        }
        List<Thread> ordered = new ArrayList<>(threads.size());
        List<Thread> parked = new ArrayList<>(threads.size());
        for (Thread thread : threads) {
            (Inspector.isParked(thread) ? parked : ordered).add(thread);
        }
        ordered.addAll(parked);
        return ordered;
    }

    /// With at most `frames` frames; null if it has ended.
    static @Nullable GoroutineStats of(Kernel kernel, Thread thread, int frames) {
        ThreadSnapshotter picture = ThreadSnapshotter.of(thread);
        return picture == null ? null : of(kernel, thread, picture, frames);
    }

    /// What a picture of the thread shows.
    static GoroutineStats of(Kernel kernel, Thread thread, ThreadSnapshotter picture, int frames) {
        Goroutine goroutine = Inspector.goroutineOf(thread);
        GoroutineState state = Inspector.stateOf(picture.state(), picture.carrier());
        boolean waits = state == GoroutineState.WAITING;
        boolean blocks = waits || state.blocksCarrier();
        Thread owner = blocks ? picture.ownerOfBlocker() : null;
        CreationSite creation = goroutine == null ? null : goroutine.creation();
        return new GoroutineStats(
                thread.threadId(),
                thread.getName(),
                state,
                waits ? WaitReasons.of(picture) : null,
                waits ? waitNanos(picture) : -1,
                picture.seenNanos(),
                Inspector.isLocked(kernel, thread),
                Inspector.machineId(picture.carrier()),
                blocks ? nameOf(picture.blocker()) : null,
                owner == null ? 0 : owner.threadId(),
                picture.monitors().stream().map(Blockers::identity).toList(),
                framesOf(picture.stack(), frames),
                bodyOf(Inspector.bodyOf(thread)),
                creation == null ? null : creation.frame().toString(),
                creation == null ? 0 : creation.thread());
    }

    private static long waitNanos(ThreadSnapshotter picture) {
        return picture.blocker() instanceof WaitRecord waiting ? waiting.nanosSoFar() : picture.timedNanos();
    }

    private static List<String> framesOf(List<StackTraceElement> stack, int limit) {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : stack) {
            if (frames.size() >= limit || frame.getClassName().equals(SHELL)) {
                break;
            }
            frames.add(frame.toString());
        }
        return frames;
    }

    private static @Nullable String nameOf(@Nullable Object blocker) {
        return blocker == null ? null : Blockers.identity(blocker);
    }

    /// The class of a task; of a lambda, the class that it is written in.
    private static @Nullable String bodyOf(@Nullable Object task) {
        return task == null ? null : NameTable.nameOf(task.getClass());
    }
}
