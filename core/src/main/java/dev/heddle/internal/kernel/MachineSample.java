package dev.heddle.internal.kernel;

/// What the system monitor has seen of a machine that runs user code without a processor. System monitor only.
final class MachineSample {
    /// The turn: the machine's word and its mounts. Another value of either is another turn.
    private long word;

    private long mounts = -1;

    /// CPU time of the thread when the turn was first sampled, -1 before that, and when it was sampled last.
    long cpuAtBegin = -1;

    long sampledAt;

    /// The turn computes without a processor, and since when it has had none.
    boolean isHog;

    long hogSince;

    /// The [Demoter] was asked to lower the priority of the thread.
    boolean isDemotionAsked;

    /// True if this is the turn of the last sample. Otherwise the sample now stands for the new turn.
    boolean isSameTurn(long seenWord, long seenMounts) {
        if (seenWord == word && seenMounts == mounts) {
            return true;
        }
        word = seenWord;
        mounts = seenMounts;
        cpuAtBegin = -1;
        isHog = false;
        isDemotionAsked = false;
        return false;
    }

    /// The machine is not in user code without a processor.
    void end() {
        mounts = -1;
        isHog = false;
    }
}
