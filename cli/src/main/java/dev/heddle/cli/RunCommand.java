package dev.heddle.cli;

import dev.heddle.doctor.Report;
import dev.heddle.internal.settings.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle run`: starts a Java program with all its virtual threads on Heddle, and the library on its class path.
///
/// The program runs in its own JVM, with our standard streams. Its exit code becomes ours.
@Command(
        name = "run",
        description = "Runs a Java program, with all its virtual threads on Heddle.",
        customSynopsis = "heddle run [--doctor] [--trace F [--stacks S]] [JVM option]... PROGRAM [argument]...",
        footer = {
            "",
            "PROGRAM is a source file (Hello.java), a jar (app.jar), a class (com.example.Main, with -cp)",
            "or a module (-m com.example/com.example.Main, with -p).",
            "Options before it go to the JVM, as with the java command: heddle run -Xmx1g -Dkey=value Hello.java",
            "Settings of the scheduler are such options: -Dheddle.procs=4, -Dheddle.schedtrace=1000.",
            "With --doctor, 'heddle doctor' watches from start to end, and says on standard error what it saw,",
            "also if the program is ended by Ctrl-C.",
            "With --trace F, every scheduling decision is recorded to the file F. With --stacks every:N,",
            "one of N goroutines that begin to wait is recorded with its stack, on average."
        })
final class RunCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--doctor", hidden = true)
    private boolean doctor;

    @Option(names = "--trace", hidden = true)
    private @Nullable Path trace;

    @Option(names = "--stacks", hidden = true)
    private @Nullable String stacks;

    @Parameters(hidden = true)
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(arguments);
        if (stacks != null) {
            if (trace == null || !Settings.isStacks(stacks)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--stacks %s is refused: it must be every:N, such as every:10, after --trace F"
                                .formatted(stacks));
            }
            all.addFirst("-D" + Settings.STACKS + "=" + stacks);
        }
        if (trace != null) {
            all.addFirst("-D" + Settings.TRACE + "=" + trace.toAbsolutePath());
        }
        if (!doctor) {
            return run(parse(all), () -> {});
        }
        try (RecordedRun recorded = RecordedRun.create()) {
            all.addFirst(recorded.jvmOption());
            return run(parse(all), () -> report(recorded));
        }
    }

    private void report(RecordedRun recorded) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Report.text("heddle doctor", recorded.diagnoses()).forEach(err::println);
        err.flush();
    }

    private JavaCommand parse(List<String> line) {
        try {
            return JavaCommand.parse(line);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static int run(JavaCommand java, ForegroundProcess.Afterwards afterwards)
            throws IOException, InterruptedException {
        return ForegroundProcess.run(java.toCommandLine(HeddleJar.locate()), afterwards);
    }
}
