package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.kernel.TraceSwitch;
import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.Bytes;
import dev.heddle.internal.trace.LatencyWatch;
import dev.heddle.internal.trace.NameTable;
import dev.heddle.internal.trace.Recording;
import dev.heddle.internal.trace.TraceDrainer;
import dev.heddle.internal.trace.TraceFile;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The recording of this JVM's events while any file or the flight recorder wants them: the thread that empties the
/// buffers, and what schedulers do not know, such as pauses of the garbage collector.
final class TraceRecorder extends Thread implements KernelThread {

    /// While events come. The buffers of a machine hold some milliseconds of the fastest switching, and a machine whose
    /// buffers fill wakes this thread.
    private static final long BUSY_NANOS = 1_000_000;

    /// While few events come.
    private static final long QUIET_NANOS = 20_000_000;

    private static final long QUIET_BYTES = 4096;

    private static final long SECOND_NANOS = 1_000_000_000;

    /// With a [LatencyWatch], which looks at moments of completeness: a wait is in the flight recorder still when it is
    /// found.
    private static final long WATCH_NANOS = SECOND_NANOS / 4;

    /// How long the end of a recording waits for a machine that is just writing an event.
    private static final long LAST_PATIENCE_NANOS = 10 * SECOND_NANOS;

    private static final long PATIENCE_NANOS = SECOND_NANOS / 20;

    /// More threads than that are not listed: each costs a microsecond.
    private static final int MOST_THREADS = 50_000;

    private final Recording recording;
    private final TraceDrainer drainer;
    private final GcPauses pauses;
    private final ThrottledTime throttled = new ThrottledTime();
    private volatile boolean goesOn = true;

    /// Finds goroutines that were runnable for too long; null if no setting asks for that.
    private volatile @Nullable Watched watch;

    /// The watch, and how the drainer knows it.
    private record Watched(LatencyWatch watch, TraceDrainer.Attached attached) {}

    /// Begins to record. Returns when every machine takes part.
    ///
    /// @throws IllegalStateException if events are recorded in another way
    TraceRecorder() {
        super(null, null, "heddle-trace", 0, /* inheritInheritableThreadLocals= */ false);
        setDaemon(true);
        Instant wall = Instant.now();
        recording = new Recording(wall.getEpochSecond() * SECOND_NANOS + wall.getNano());
        recording.setDrainer(this);
        drainer = new TraceDrainer(recording);
        pauses = new GcPauses(recording);
    }

    /// Begins to record; [#settle] follows when the first sink is there.
    void begin() {
        TraceSwitch.on(recording);
        start();
        pauses.begin();
    }

    /// Waits until every machine takes part: from then on the recording is strict.
    void settle() {
        boolean _ = TraceSwitch.awaitPassing(SECOND_NANOS);
        drainer.strict();
    }

    /// Ends the recording. The sinks have everything then.
    void end() {
        complete(); // first: while schedulers are told one after the other, some events are missing beside others
        TraceSwitch.off();
        pauses.end();
        goesOn = false;
        Jdk.unparkCarrier(this);
    }

    Recording recording() {
        return recording;
    }

    /// Looks for goroutines that are runnable for longer than the limit from now on.
    void watch(long limitNanos) {
        LatencyWatch wanted = new LatencyWatch(limitNanos);
        watch = new Watched(wanted, drainer.attach(wanted));
    }

    TraceDrainer drainer() {
        return drainer;
    }

    /// Gives the sinks everything up to now, and the list of all threads.
    void complete() {
        listThreads();
        boolean _ = drainer.complete(LAST_PATIENCE_NANOS);
    }

    byte[] header(boolean isFlight) {
        Hello hello = Hello.ofThisJvm();
        String version = hello.version();
        return recording.header(
                isFlight, hello.pid(), version == null ? "unpackaged" : version, hello.java(), hello.command());
    }

    @Override
    public void run() {
        long nextMark = recording.now() + markNanos();
        while (goesOn) {
            try {
                long bytes = drainer.cycle();
                if (recording.now() >= nextMark || drainer.isHungry()) {
                    throttled.note(recording);
                    boolean _ = drainer.complete(PATIENCE_NANOS);
                    nextMark = recording.now() + markNanos();
                    lookForLateOnes();
                }
                Jdk.parkSelf(bytes > QUIET_BYTES ? BUSY_NANOS : QUIET_NANOS);
            } catch (OutOfMemoryError _) {
                Jdk.parkSelf(QUIET_NANOS); // events are dropped and counted meanwhile
            }
        }
    }

    // ---- goroutines that were runnable for too long

    /// How long after a moment of completeness the next one comes, at the latest.
    private long markNanos() {
        return watch == null ? SECOND_NANOS : WATCH_NANOS;
    }

    private void lookForLateOnes() {
        Watched watched = watch;
        if (watched == null) {
            return;
        }
        LatencyWatch.Late late = watched.watch.take();
        if (late != null) {
            Snapshots.late(late);
        }
        IOException failure = watched.attached.failure();
        if (failure != null) {
            watch = null;
            System.err.println("heddle: no goroutine is checked for its latency any more (" + failure.getMessage()
                    + "): restart the program to check again.");
        }
    }

    // ---- the threads that exist: events tell only of threads that do something

    private void listThreads() {
        for (Kernel kernel : Inspector.kernels()) {
            int scheduler = TraceSwitch.schedulerIn(recording, kernel);
            if (scheduler >= 0) {
                drainer.block(Block.Type.THREADS, threadsOf(kernel, scheduler));
            }
        }
    }

    private byte[] threadsOf(Kernel kernel, int scheduler) {
        Bytes out = new Bytes().unsigned(scheduler).unsigned(recording.now());
        int left = MOST_THREADS;
        for (Thread thread : Inspector.threads(kernel)) {
            if (left-- == 0 || out.size() > TraceFile.MAX_BLOCK / 2) {
                break;
            }
            Object body = Inspector.bodyOf(thread);
            out.unsigned(thread.threadId())
                    .text(thread.getName())
                    .text(body == null ? "" : NameTable.nameOf(body.getClass()))
                    .text(Inspector.isParked(thread) ? "waiting" : "runnable");
        }
        return out.toArray();
    }
}
