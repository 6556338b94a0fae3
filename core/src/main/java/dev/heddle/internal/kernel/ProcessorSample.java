package dev.heddle.internal.kernel;

import org.jspecify.annotations.Nullable;

/// What the system monitor has seen of one processor, and since when. System monitor only.
final class ProcessorSample {
    /// The time slice: schedTick, when it was first seen, and the CPU time of the machine that owned the
    /// processor when the slice was first sampled.
    long tick = -1;

    long tickSince;
    /// When the slice was found to be over and the thread asked to yield, and the CPU time that the turn had
    /// used then.
    long sliceEndedAt;

    long cpuAtSliceEnd;

    private @Nullable Machine sliceOwner;
    private long cpuAtTick;

    /// The turn: the switch count, when it was first seen, and the scheduling points passed by then.
    long switches = -1;

    long switchesSince;
    long pointsAtSwitch;

    /// CPU time of the machine's thread when the turn was first sampled, and CPU time used since then.
    private long cpuAtSwitch;

    long cpuUsed;
    private boolean hasCpu;

    /// The CPU time that the turn had used when it was found to be a hog whose code may have preemption points;
    /// negative if it was not.
    long cpuWhenAsked = -1;

    /// One interval of the machine outside the kernel: its word, and when it was first seen.
    long word;

    long wordSince;

    /// Whether the thread sleeps during that interval.
    final SleepEvidence sleep = new SleepEvidence();

    /// The switch count when the processor was last taken from a hog; negative once that hand-off has been judged.
    private long handOffSwitches = -1;

    /// For the safety net: when work was first seen to wait here (negative if none waits), and the switch count
    /// at that time.
    long waitingSince = -1;

    long switchesWhenWaiting;

    /// The processor was taken from a hog and handed off.
    void seeHandOff() {
        handOffSwitches = switches;
    }

    /// The number of turns since the last hand-off from a hog; -1 if there was none, or it has been judged.
    long turnsSinceHandOff() {
        return handOffSwitches < 0 ? -1 : switches - handOffSwitches;
    }

    /// The last hand-off from a hog has been judged.
    void forgetHandOff() {
        handOffSwitches = -1;
    }

    void seeWord(long seen, long now) {
        if (seen != word) {
            word = seen;
            wordSince = now;
            sleep.reset();
        }
    }

    void seeSwitches(long seen, long points, long now) {
        if (seen != switches) {
            switches = seen;
            switchesSince = now;
            pointsAtSwitch = points;
            hasCpu = false;
            cpuUsed = 0;
            cpuWhenAsked = -1;
        }
    }

    /// Records the CPU time of the machine's thread. If it is unknown (negative), an estimate from the elapsed
    /// time is used. False if this was the first sample of the turn.
    boolean seeCpu(long cpuNanos, long now) {
        if (!hasCpu) {
            hasCpu = true;
            cpuAtSwitch = cpuNanos;
            return false;
        }
        boolean isKnown = cpuNanos >= 0 && cpuAtSwitch >= 0;
        cpuUsed =
                isKnown ? cpuNanos - cpuAtSwitch : (now - switchesSince) * 3 / 8; // a guess: the thread may be starved
        return true;
    }

    void seeTick(long seen, long now) {
        if (seen != tick) {
            tick = seen;
            tickSince = now;
            sliceOwner = null;
        }
    }

    /// The CPU time that the slice has used, as far as it was sampled; -1 if that is not known.
    long sliceCpu(Machine owner, long cpuNanos) {
        if (owner != sliceOwner) { // the first sample, or the processor has changed hands
            sliceOwner = owner;
            cpuAtTick = cpuNanos;
        }
        return cpuNanos < 0 || cpuAtTick < 0 ? -1 : cpuNanos - cpuAtTick;
    }
}
