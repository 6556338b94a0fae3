package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A JVM of its own for what can happen only once in a JVM.
///
/// @param exitCode of the process
/// @param out      standard output
/// @param err      standard error
public record ChildJvm(int exitCode, String out, String err) {

    private static final long MINUTES = 4;

    /// Runs `java` with these words. A child that does not end in time is an error, with what it printed.
    public static ChildJvm run(Path folder, List<String> words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "child", ".out");
        Path err = Files.createTempFile(folder, "child", ".err");
        Process process = start(words, out, err);
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError(words + " did not end in " + MINUTES + " minutes: " + Files.readString(out)
                    + Files.readString(err));
        }
        return new ChildJvm(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    static Process start(List<String> words, Path out, Path err) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(tool("java").toString());
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(List.of("GOMAXPROCS", "HEDDLE_DEBUG", "JAVA_TOOL_OPTIONS"));
        return builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    }

    /// A command of the JDK that runs this test.
    static Path tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name);
    }

    /// The class path with the tests of this build and nothing else.
    public static String testClasses() {
        return Path.of(ChildJvm.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }
}
