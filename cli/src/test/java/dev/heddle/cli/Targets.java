package dev.heddle.cli;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;

/// JVMs for the commands that attach to a running process. Each is returned when its program has printed `ready`.
final class Targets {

    private Targets() {}

    static LiveJvm withHeddle() throws IOException, InterruptedException {
        return start(ChildJvm.of(Waiters.class));
    }

    static LiveJvm withoutHeddle() throws IOException, InterruptedException {
        return start(ChildJvm.withoutHeddle(Sleeper.class));
    }

    private static LiveJvm start(ChildJvm child) throws IOException, InterruptedException {
        LiveJvm jvm = child.start();
        String line = jvm.readLine();
        if (!line.equals("ready")) {
            jvm.close();
            throw new AssertionError(child + " printed " + line);
        }
        return jvm;
    }
}
