package dev.heddle.testkit.tests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs a class of the tests in a JVM of its own, without the agent: it attaches itself.
///
/// @param status its exit status
/// @param output what it printed
record OtherJvm(int status, String output) {

    static OtherJvm run(Class<?> main, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        return run(main.getName(), flags, arguments);
    }

    /// @param main the name of a class, or a source file
    static OtherJvm run(String main, List<String> flags, String... arguments) throws IOException, InterruptedException {
        return run(main, System.getProperty("java.class.path"), flags, arguments);
    }

    static OtherJvm run(String main, String classPath, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+EnableDynamicAgentLoading");
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new OtherJvm(process.waitFor(), output);
    }
}
