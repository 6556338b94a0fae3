package dev.heddle.cli;

import java.io.IOException;
import java.util.List;

/// A program that uses our standard streams and determines our exit code.
final class ForegroundProcess {

    /// What is left to do when the program has ended.
    interface Afterwards {
        void run() throws IOException;
    }

    private final Process program;
    private final Afterwards afterwards;
    private boolean isFinished; // guarded by this object's monitor

    private ForegroundProcess(Process program, Afterwards afterwards) {
        this.program = program;
        this.afterwards = afterwards;
    }

    /// Runs the program until it ends, and returns its exit code.
    static int run(List<String> command) throws IOException, InterruptedException {
        return run(command, () -> {});
    }

    /// Runs the program until it ends, then `afterwards`, and returns the exit code. If a signal ends this JVM,
    /// the program is ended too, and `afterwards` runs as well.
    static int run(List<String> command, Afterwards afterwards) throws IOException, InterruptedException {
        var running =
                new ForegroundProcess(new ProcessBuilder(command).inheritIO().start(), afterwards);
        // Ctrl-C reaches both processes, a plain kill only this one. The hook lets the program shut down in both cases.
        Runtime.getRuntime().addShutdownHook(new Thread(running::stop, "heddle-stop"));
        int exitCode = running.program.waitFor();
        running.finish();
        return exitCode;
    }

    private void stop() {
        program.destroy();
        boolean interrupted = false;
        while (program.isAlive()) {
            try {
                program.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            finish();
        } catch (IOException e) {
            System.err.println("heddle: " + e.getMessage());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Once. A second caller waits until the first one is done: the JVM ends when its shutdown hook returns.
    private synchronized void finish() throws IOException {
        if (!isFinished) {
            isFinished = true;
            afterwards.run();
        }
    }
}
