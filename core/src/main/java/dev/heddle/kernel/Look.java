package dev.heddle.kernel;

/// What the system monitor saw of one processor, and since when. System monitor only.
final class Look {
    /// The time slice: schedTick, and when it was first seen.
    long tick = -1;

    long tickSince;

    /// Whatever runs: switches, when first seen, and the CPU time of the machine's thread and the points then.
    long switches = -1;

    long switchesSince;
    long cpuAtSwitch;
    long pointsAtSwitch;

    /// When it was found to be a hog whose code may have preemption points; negative if not.
    long askedAt = -1;

    /// One stay of the machine outside the kernel: its word, and when it was first seen.
    long word;

    long wordSince;

    /// The evidence at consecutive looks at the same word that the thread sleeps, and how often it had been
    /// scheduled.
    int asleep;

    long timesScheduled;

    void seeWord(long seen, long now) {
        if (seen != word) {
            word = seen;
            wordSince = now;
            asleep = 0;
        }
    }

    /// True if the processor has switched since the last look.
    boolean seeSwitches(long seen, long points, long now) {
        if (seen == switches) {
            return false;
        }
        switches = seen;
        switchesSince = now;
        pointsAtSwitch = points;
        cpuAtSwitch = -1;
        askedAt = -1;
        return true;
    }

    boolean seeTick(long seen, long now) {
        if (seen == tick) {
            return false;
        }
        tick = seen;
        tickSince = now;
        return true;
    }
}
