package dev.heddle.cli;

import dev.heddle.internal.jdk.Access;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A JVM that a test looks at. It is ready when it has said so.
final class Target implements AutoCloseable {

    private final Process process;

    private Target(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeAll(List.of("GOMAXPROCS", "HEDDLE_DEBUG", "JAVA_TOOL_OPTIONS"));
        process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        if (!"ready".equals(out.readLine())) {
            process.destroyForcibly();
            throw new AssertionError("did not start: " + command);
        }
    }

    static Target withHeddle() throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(List.of(Access.flags().split(" ")));
        command.addAll(List.of("-cp", home() + File.pathSeparator + HeddleJar.locate(), Waiters.class.getName()));
        return new Target(command);
    }

    static Target withoutHeddle(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", home(), Sleeper.class.getName()));
        return new Target(command);
    }

    /// By another JDK; it runs from source, since that JDK is older than our classes.
    static Target ofJdk(Path java, Path folder) throws IOException {
        Path source = folder.resolve("Old.java");
        Files.writeString(source, """
                public class Old {
                    public static void main(String[] args) throws Exception {
                        System.out.println("ready");
                        System.in.read();
                    }
                }
                """);
        return new Target(List.of(java.toString(), source.toString()));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String home() {
        return Path.of(Target.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
