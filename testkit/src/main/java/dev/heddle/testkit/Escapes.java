package dev.heddle.testkit;

/// What happens when a test leaves its bubble: starts a platform thread or a process, or uses a socket.
public enum Escapes {
    /// The test fails with a sentence that names the line and the remedy.
    FAIL,

    /// The bubble waits in real time while something outside may still work for the test. Such a test is not
    /// reproducible.
    WAIT
}
