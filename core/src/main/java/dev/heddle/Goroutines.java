package dev.heddle;

/// How the API starts goroutines of its own.
final class Goroutines {
    private Goroutines() {}

    /// Starts `body`; from a timer's callback too, so this does not block.  Any thread.
    static void start(Runnable body) {
        Thread.startVirtualThread(body);
    }
}
