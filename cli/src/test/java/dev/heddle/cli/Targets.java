package dev.heddle.cli;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

    /// Whether processes that a test starts ignore SIGINT, as they do if the build runs in the background of a script.
    static boolean isInterruptIgnored() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(it -> it.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.split("\\s+")[1], 16) & 2) != 0;
    }
}
