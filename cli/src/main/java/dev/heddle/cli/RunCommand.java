package dev.heddle.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle run`: starts a Java program with all its virtual threads on Heddle, and the library on its class path.
///
/// The program runs in a JVM of its own, with our standard streams; its exit code becomes ours.
@Command(
        name = "run",
        description = "Runs a Java program, with all its virtual threads on Heddle.",
        customSynopsis = "heddle run [JVM option]... PROGRAM [argument]...",
        footer = {
            "",
            "PROGRAM is a source file (Hello.java), a jar (app.jar) or a class (com.example.Main, with -cp).",
            "Options before it go to the JVM, as with the java command: heddle run -Xmx1g -Dkey=value Hello.java",
            "Settings of the scheduler are such options: -Dheddle.procs=4, -Dheddle.schedtrace=1000."
        })
final class RunCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(hidden = true)
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        JavaCommand java;
        try {
            java = JavaCommand.parse(arguments);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        Process program = new ProcessBuilder(java.toCommandLine(HeddleJar.locate()))
                .inheritIO()
                .start();
        // Ctrl-C reaches both processes, a plain kill only this one: the program gets its turn to shut down either way.
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
