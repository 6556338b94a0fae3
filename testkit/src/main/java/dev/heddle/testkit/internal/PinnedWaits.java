package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testkit.Escapes;
import dev.heddle.testkit.FailureKind;
import java.util.concurrent.TimeUnit;

/// Waits of a thread that cannot unmount, because it is in a class initialiser or below a native frame. It keeps the
/// bubble's only carrier, so nothing in the bubble could wake it.
///
/// All methods are called on the stack of that thread.
final class PinnedWaits {
    /*
     * Without anything outside, a wait with a time limit lets the time pass, and one without a limit is a failure.
     *
     * While something outside works for the test (`escapes = WAIT`), it may end the wait, and the clock follows real
     * time. A park then looks for its permit every millisecond. A wait in Object.wait ends every millisecond without a
     * reason, as its contract permits, because nothing tells a notification from the end of the millisecond.
     */

    private static final long SLICE_NANOS = 1_000_000;
    private static final long SLICE_MILLIS = 1;

    private final BubbleRun run;
    private boolean isInSlice;

    PinnedWaits(BubbleRun run) {
        this.run = run;
    }

    /// A park. False if the JDK's own returns at once.
    boolean park(boolean timed, long nanos) {
        Thread self = Thread.currentThread();
        long limit = timed ? nanos : OutsideWaits.LIMIT_NANOS;
        long start = System.nanoTime();
        long waited = 0;
        boolean mayBeWoken = true;
        while (mayBeWoken && waited < limit) {
            mayBeWoken = isWorkingOutside(); // before the next line, which sees what it did before it ended
            if (Internals.hasParkPermit(self) || self.isInterrupted()) {
                run.clock.pass(waited);
                return false;
            }
            if (mayBeWoken) {
                Jdk.parkCarrier(Math.min(SLICE_NANOS, limit - waited));
                waited = System.nanoTime() - start;
            }
        }
        if (!timed) {
            throw failure("parks");
        }
        run.clock.pass(nanos);
        return true;
    }

    /// The current thread calls Object.wait with a time limit, or without one if it is 0. Whether it has waited;
    /// otherwise the JDK's own does.
    boolean waitFor(Object monitor, long millis) throws InterruptedException {
        boolean waits = millis >= 0
                && !isInSlice
                && Thread.holdsLock(monitor)
                && !Thread.currentThread().isInterrupted();
        if (!waits || !run.isPinned()) {
            return false;
        }
        if (isWorkingOutside()) {
            waitOneSlice(monitor);
        } else if (millis == 0) {
            throw failure("waits in Object.wait");
        } else {
            run.clock.pass(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        return true;
    }

    @SuppressWarnings("WaitNotInLoop") // the caller's loop is the one
    private void waitOneSlice(Object monitor) throws InterruptedException {
        long start = System.nanoTime();
        isInSlice = true;
        try {
            monitor.wait(SLICE_MILLIS);
        } finally {
            isInSlice = false;
        }
        run.clock.pass(System.nanoTime() - start);
    }

    private boolean isWorkingOutside() {
        return run.options.escapes() == Escapes.WAIT && run.outside.isWorking();
    }

    private EscapeError failure(String deed) {
        String sentence = deed + " while it is pinned, at "
                + Frames.userFrame(Thread.currentThread().getStackTrace(), run.points)
                + ": a bubble has one carrier, so nothing could wake it; do not wait in a class initialiser or below a"
                + " native frame";
        EscapeError error = new EscapeError(sentence);
        run.fail(FailureKind.ESCAPE, sentence, error);
        return error;
    }
}
