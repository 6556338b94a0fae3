package dev.heddle.stats;

/// A racy snapshot of one machine. Go: the M line of `scheddetail`.
///
/// @param id         its number
/// @param thread     the carrier's [Thread#threadId]
/// @param osThread   the operating system's id of the carrier; 0 if it is not known
/// @param name       the carrier's name
/// @param processor  the processor it owns; -1 if none
/// @param goroutine  the thread that is mounted on it; 0 if none is
/// @param locked     the thread that is locked to it; 0 if none is
/// @param spinning   whether it searches for work
/// @param idle       whether it is parked in the idle list
/// @param blocked    whether the thread on it blocks the carrier: in a system call, in native code, or pinned
/// @param pinned     whether it is blocked because the thread waits and cannot leave the carrier: below a native
///                   frame or a class initialiser
/// @param hog        whether it lost its processor for computing too long, and is still computing
public record MachineStats(
        int id,
        long thread,
        int osThread,
        String name,
        int processor,
        long goroutine,
        long locked,
        boolean spinning,
        boolean idle,
        boolean blocked,
        boolean pinned,
        boolean hog) {}
