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
        return ForegroundProcess.run(java.toCommandLine(HeddleJar.locate()));
    }
}
