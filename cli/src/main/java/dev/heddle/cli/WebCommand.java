package dev.heddle.cli;

import dev.heddle.cli.web.Dashboard;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle web PID`: a live dashboard in the browser.
@Command(
        name = "web",
        description = {
            "Shows a scheduler at work in the browser: moving plots, goroutines, the doctor's findings.",
            "The page is served to this machine only, at an address with a secret token. It ends with the program, or by "
                    + "Ctrl-C. The program is asked nothing while no page is open."
        },
        customSynopsis = "heddle web PID [--port N]",
        footer = {
            "%nExamples:",
            "  heddle web 4711                    prints the address to open",
            "  heddle web 4711 --port 8080        at this port, for instance for an SSH tunnel:",
            "  ssh -L 8080:127.0.0.1:8080 HOST    on your own machine"
        })
final class WebCommand implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = WatchOptions.PID, description = WatchOptions.PID_DESCRIPTION)
    private long pid;

    @Option(names = "--port", paramLabel = "N", description = "The TCP port; any free one unless set.")
    private int port;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 0 || port > LAST_PORT) {
            throw new ParameterException(spec.commandLine(), "--port must be from 0 to 65535, not " + port);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Dashboard dashboard = new Dashboard(pid, port);
                ClosedAtExit _ = new ClosedAtExit(dashboard)) {
            out.println("heddle web: process " + dashboard.pid() + " is shown at");
            out.println("  " + dashboard.url());
            out.println("Open it in a browser on this machine. Ctrl-C ends it.");
            out.flush();
            dashboard.awaitEnd();
            out.println("process " + dashboard.pid() + " has ended.");
            out.flush();
        }
        return 0;
    }
}
