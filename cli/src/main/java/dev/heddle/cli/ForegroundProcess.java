package dev.heddle.cli;

import java.io.IOException;
import java.util.List;

/// A program that uses our standard streams and determines our exit code.
final class ForegroundProcess {

    private ForegroundProcess() {}

    /// Runs the program until it ends, and returns its exit code.
    static int run(List<String> command) throws IOException, InterruptedException {
        Process program = new ProcessBuilder(command).inheritIO().start();
        // Ctrl-C reaches both processes, a plain kill only this one. The hook lets the program shut down in both cases.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(program), "heddle-stop"));
        return program.waitFor();
    }

    private static void stop(Process program) {
        program.destroy();
        boolean interrupted = false;
        while (program.isAlive()) {
            try {
                program.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
