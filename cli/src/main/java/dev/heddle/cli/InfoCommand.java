package dev.heddle.cli;

import dev.heddle.client.InfoView;
import dev.heddle.client.JvmConnection;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle info PID`: the figures of the schedulers of a running JVM, once. `heddle top` shows rates as well.
@Command(
        name = "info",
        description = "Shows the figures of the schedulers of a running JVM, as they are now and since the start.",
        customSynopsis = "heddle info PID")
final class InfoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = WatchOptions.PID, description = WatchOptions.PID_DESCRIPTION)
    private long pid;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (JvmConnection watched = JvmConnection.attach(pid)) {
            for (SchedulerSnapshot scheduler : watched.snapshots()) {
                out.println(
                        "process " + pid + ", " + String.join(System.lineSeparator(), new InfoView(scheduler).lines()));
            }
        }
        out.flush();
        return 0;
    }
}
