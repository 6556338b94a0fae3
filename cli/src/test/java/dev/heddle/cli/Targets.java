package dev.heddle.cli;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// JVMs for the commands that attach to a running process. Each is returned when its program has printed `ready`.
final class Targets {

    private Targets() {}

    static LiveJvm withHeddle() throws IOException, InterruptedException {
        return start(ChildJvm.of(Waiters.class));
    }

    static LiveJvm withoutHeddle() throws IOException, InterruptedException {
        return start(ChildJvm.withoutHeddle(Sleeper.class));
    }

    /// By another JDK; it runs from source, since that JDK is older than our classes.
    static LiveJvm ofJdk(Path java, Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("Old.java");
        Files.writeString(source, """
                public class Old {
                    public static void main(String[] args) throws Exception {
                        System.out.println("ready");
                        System.in.read();
                    }
                }
                """);
        return start(ChildJvm.ofCommand(List.of(java.toString(), source.toString())));
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
