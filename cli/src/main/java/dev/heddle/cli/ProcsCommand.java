package dev.heddle.cli;

import dev.heddle.procs.ProcsReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `heddle procs`: how many processors a program started here would get, and why.
@Command(
        name = "procs",
        description = {
            "Says how many processors a program started here would get, and why:",
            "GOMAXPROCS, CPU affinity, the cgroup's CPU quota, throttling, NUMA nodes."
        },
        mixinStandardHelpOptions = true)
public final class ProcsCommand implements Callable<Integer> {
    private final Supplier<List<String>> report;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli puts the real one here

    public ProcsCommand() {
        this(ProcsReport::ofThisProcess);
    }

    ProcsCommand(Supplier<List<String>> report) {
        this.report = report;
    }

    @Override
    public Integer call() {
        List<String> lines;
        try {
            lines = report.get();
        } catch (IllegalArgumentException refused) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("heddle: " + refused.getMessage());
            err.flush();
            return ExitCode.USAGE;
        }
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
        return ExitCode.OK;
    }
}
