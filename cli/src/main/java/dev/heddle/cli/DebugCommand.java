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
        description = {
            "Shows or changes the debug settings of a running JVM.",
            "They are those of HEDDLE_DEBUG. The JVM prints to its own standard error."
        },
        customSynopsis = "heddle debug PID [SETTING=N[,SETTING=N]...]",
        footer = {
            "%nSettings; 0 switches each of them off:",
            "  schedtrace=MILLISECONDS   prints Go's trace line at this interval",
            "  scheddetail=1             adds every processor, machine and goroutine to it",
            "  steals=1                  adds the steals of each processor to it",
            "  createdby=1               records where goroutines are started, for dumps",
            "  sigquit=1                 prints the goroutines after a thread dump of the JVM",
            "  metrics=PORT              serves http://localhost:PORT/metrics to Prometheus",
            "%nExamples:",
            "  heddle debug 4711                          shows what is switched on",
            "  heddle debug 4711 schedtrace=1000,steals=1",
            "  heddle debug 4711 schedtrace=0"
        })
final class DebugCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = WatchOptions.PID, description = WatchOptions.PID_DESCRIPTION)
    private long pid;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SETTINGS",
            description = "What to change. Without it, the current settings are shown.")
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
