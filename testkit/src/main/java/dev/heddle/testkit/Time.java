package dev.heddle.testkit;

/// When the virtual clock may move.
public enum Time {
    /// Only when all threads wait, as in Go's synctest. A timeout never fires while another thread is runnable.
    IDLE,

    /// At any step: "the next timer is due" is one more choice. Finds bugs in the handling of timeouts that
    /// fire while another thread is slow. Tests that measure time fail under it.
    ANY
}
