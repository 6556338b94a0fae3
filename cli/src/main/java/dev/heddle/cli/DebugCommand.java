package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle debug PID schedtrace=1000,steals=1`: changes the `HEDDLE_DEBUG` settings of a running JVM.
@Command(
        name = "debug",
        description = "Switches HEDDLE_DEBUG's settings in a running JVM, which prints to its own standard error.",
        customSynopsis = "heddle debug PID [schedtrace=MS,scheddetail=1,steals=1,createdby=1,sigquit=1,metrics=PORT]")
final class DebugCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "PID", description = "The process, as 'jps' or 'ps' shows it.")
    private long pid;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SETTINGS",
            description = "What to change; 0 switches off. Without it, what is switched on is shown.")
    private @Nullable String settings;

    @Override
    public Integer call() throws IOException {
        String now;
        try (JvmConnection watched = JvmConnection.attach(pid)) {
            now = settings == null ? watched.debug() : watched.changeDebug(settings);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("process " + pid + ": " + now);
        out.flush();
        return 0;
    }
}
