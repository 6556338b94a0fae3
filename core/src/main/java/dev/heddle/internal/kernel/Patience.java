package dev.heddle.internal.kernel;

/// How much CPU time a turn may use, while others wait, before its processor is taken.
///
/// It is one time slice, as long as that helps the waiting threads. Taking a processor helps if a short turn follows: a
/// ticker or a small request that would have waited for the hog. It does not help if the next turn is as long: then
/// more threads compute at the same time, and each ends later. A server whose code is still cold is in that state. So
/// the monitor judges what each hand-off led to. After four times as many useless hand-offs in a row as there are
/// processors, patience doubles, up to four slices. The first useful hand-off resets it.
///
/// In a crowd, that is while more hogs than processors compute without one, most waiting threads are probably hogs
/// too, with a few short turns between them. As long as hand-offs help there, a quarter of a slice is enough.
/// System monitor only.
final class Patience {

    private static final int MOST_SLICES = 4;
    private static final int CROWD_PART = 4;

    /// A ticker waits at one processor only; after a hand-off of any other processor, the next turn is a hog.
    /// So two or three useless hand-offs in a row do not prove yet that no short turn waits.
    private static final int USELESS_PER_PROC = 4;

    private final long sliceNanos;
    private long nanos;
    private int uselessInARow;

    Patience(long sliceNanos) {
        this.sliceNanos = sliceNanos;
        this.nanos = sliceNanos;
    }

    /// The CPU time that a turn may use now.
    long nanos(boolean isCrowd) {
        return isCrowd && nanos == sliceNanos ? sliceNanos / CROWD_PART : nanos;
    }

    /// Judges whether the last hand-off of this processor from a hog helped. Called while the processor has no
    /// owner, and when its turn is found to be a hog.
    void judgeHandOff(ProcessorSample sample, boolean isIdle, int procs) {
        long turns = sample.turnsSinceHandOff();
        if (turns < 0) {
            return;
        }
        if (isIdle || turns > 1) {
            sample.forgetHandOff();
            helped();
        } else if (turns == 1) { // this hog is the first turn since
            sample.forgetHandOff();
            didNotHelp(procs);
        }
    }

    /// A short turn followed on a hand-off, or the processor became idle.
    void helped() {
        uselessInARow = 0;
        nanos = sliceNanos;
    }

    /// The first turn after a hand-off was a hog itself.
    void didNotHelp(int procs) {
        uselessInARow++;
        if (uselessInARow >= USELESS_PER_PROC * procs) {
            uselessInARow = 0;
            nanos = Math.min(MOST_SLICES * sliceNanos, 2 * nanos);
        }
    }
}
