package dev.heddle.internal.kernel;

/// The ownership word of a machine: the only authority on which machine owns a processor.
///
/// Drawn as bits: `| seq:40 | pid:16 | state:8 |`.
///
/// ```
/// NONE    -> KERNEL   the M, when it has taken a P off a list under the scheduler lock (the store may follow the
///                     unlock), or from a blocked owner (see the takers below)
/// NONE    -> NAP      the granter of a P to a parked M, under the scheduler lock
/// KERNEL  -> USER     the M, leaving the kernel (release store, new seq)
/// KERNEL  -> NAP      the M, a spinner that sleeps briefly
/// KERNEL  -> NONE     the M, giving its P up
/// USER    -> KERNEL   the M, entering the kernel (CAS)
/// USER    -> SYSCALL  the M, a declared blocking operation begins (CAS)
/// SYSCALL -> USER     the M, it ended and the P is still there (CAS)
/// SYSCALL -> KERNEL   the M, entering the kernel from inside the operation (CAS)
/// NAP     -> KERNEL   the M, awake (CAS)
/// USER, SYSCALL, NAP -> LOST   a taker: system monitor, stop-the-world (CAS from the exact value it judged)
/// SYSCALL -> LOST              a taker: the previous owner, back from its own blocking operation (the same CAS)
/// LOST    -> KERNEL            the M, when it has taken a P as from NONE
/// LOST    -> NONE              the M, about to park without a P, under the scheduler lock
/// ```
///
/// Every store into USER, SYSCALL or NAP uses a new seq, so that a taker's CAS concerns the very interval that it
/// judged. Without the seq, a thread whose interval began a microsecond ago could lose its P. Without the pid, two
/// machines could own one P. In KERNEL no thread can take the P; owner-written fields of a P are written in KERNEL
/// only.
final class Word {
    static final int NONE = 0;
    static final int KERNEL = 1;
    static final int USER = 2;
    static final int SYSCALL = 3;
    static final int NAP = 4;
    static final int LOST = 5;

    static final long STATE_MASK = 0xFF;
    private static final int SEQ_SHIFT = 24;
    static final long ONE_SEQ = 1L << SEQ_SHIFT;

    private Word() {}

    static int state(long word) {
        return (int) (word & STATE_MASK);
    }

    static int pid(long word) {
        return (int) (word >>> 8) & 0xFFFF;
    }

    /// The same interval and P in another state.
    static long withState(long word, int state) {
        return (word & ~STATE_MASK) | state;
    }

    /// A new interval, for the same P.
    static long next(long word, int state) {
        return withState(word + ONE_SEQ, state);
    }

    /// A new interval, for another P.
    static long next(long word, int pid, int state) {
        return (((word >>> SEQ_SHIFT) + 1) << SEQ_SHIFT) | ((long) pid << 8) | state;
    }

    static boolean isTakeable(long word) {
        int state = state(word);
        return state == USER || state == SYSCALL || state == NAP;
    }

    /// Whether the machine owns the processor that its word names.
    static boolean isOwner(long word) {
        return isTakeable(word) || state(word) == KERNEL;
    }

    static String toString(long word) {
        String name = switch (state(word)) {
            case NONE -> "NONE";
            case KERNEL -> "KERNEL";
            case USER -> "USER";
            case SYSCALL -> "SYSCALL";
            case NAP -> "NAP";
            case LOST -> "LOST";
            default -> "?" + state(word);
        };
        return name + "(p=" + pid(word) + ", seq=" + (word >>> SEQ_SHIFT) + ")";
    }
}
