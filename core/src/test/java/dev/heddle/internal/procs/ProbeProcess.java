package dev.heddle.internal.procs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A running [ProcsProbe] in a JVM of its own.
final class ProbeProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    private ProbeProcess(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /// @param prefix words before `java`, such as `taskset -c 0`
    /// @param pretendedCpus a list of CPUs, or `-` for the real ones
    static ProbeProcess start(List<String> prefix, String pretendedCpus) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ProcsProbe.class.getName(),
                pretendedCpus));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().remove("GOMAXPROCS");
        return new ProbeProcess(builder.start());
    }

    long pid() {
        return process.pid();
    }

    String ask(String question) throws IOException {
        process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the probe ended at the question " + question);
        }
        return answer;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.getOutputStream().close(); // its loop ends
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new IllegalStateException("the probe did not end with its input");
        }
    }
}
