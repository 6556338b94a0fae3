package dev.heddle.internal.observe;

import dev.heddle.Chan;
import dev.heddle.Go;

/// Waits for a message that no goroutine can send.
final class DeadlockedProgram {

    private DeadlockedProgram() {}

    public static void main(String[] args) throws Throwable {
        Go.main(() -> Chan.<Integer>make().receive());
    }
}
