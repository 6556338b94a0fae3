package dev.heddle.internal.kernel;

/// What the system monitor has seen of a machine that runs user code without a processor. Written here and by
/// [DetachedMachines]. System monitor only.
final class MachineSample {
    /// The turn: the machine's word and its mount count. If either changes, it is another turn.
    private long word;

    private long mounts = -1;

    /// CPU time of the thread when the turn was first sampled (-1 before that), and the time of the last sample.
    long cpuAtBegin = -1;

    long sampledAt;

    /// Whether the turn computes without a processor, and since when it has had none.
    boolean isHog;

    long hogSince;

    /// The [Demoter] was asked to lower the priority of the thread.
    boolean isDemotionAsked;

    /// True if this is still the turn of the last sample. Otherwise this object is reset for the new turn.
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

    /// Ends the turn: the machine is no longer in user code without a processor.
    void end() {
        mounts = -1;
        isHog = false;
    }
}
