package dev.heddle.client;

import java.io.IOException;
import java.io.InterruptedIOException;

/// A pause between two looks at a process, which cannot tell us that it has changed.
final class Pause {

    private Pause() {}

    static void millis(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
