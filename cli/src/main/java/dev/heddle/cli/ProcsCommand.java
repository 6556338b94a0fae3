package dev.heddle.cli;

import dev.heddle.internal.procs.ProcsReport;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.settings.DidYouMean;
import dev.heddle.internal.settings.Settings;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `heddle procs`: how many processors a program started here would get, and why.
@Command(
        name = "procs",
        description = {
            "Says how many processors a program started here would get.",
            "It explains the number (GOMAXPROCS) by CPU affinity, the cgroup's CPU quota, throttling and NUMA nodes."
        },
        footer = {
            "%nSettings:",
            "  GOMAXPROCS=N                  that many (environment), ignored if bad",
            "  -Dheddle.procs=N              that many; wins over GOMAXPROCS",
            "  -Dheddle.pin=0-3 or auto      pin processors to these CPUs, or to all",
            "  -Dheddle.containermaxprocs=0  do not look at cgroup quotas",
            "  -Dheddle.updatemaxprocs=0     decide once, do not follow changes"
        })
final class ProcsCommand implements Runnable {
    private static final Set<String> KEYS =
            Set.of(Settings.PROCS, Settings.PIN, Settings.CONTAINER_MAX_PROCS, Settings.UPDATE_MAX_PROCS);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "-D", paramLabel = "SETTING", description = "Answers for this setting.")
    private final Map<String, String> settings = new TreeMap<>();

    @Override
    public void run() {
        for (String key : settings.keySet()) {
            if (!KEYS.contains(key)) {
                throw new ParameterException(
                        spec.commandLine(), "the option -D knows no '" + key + "' here" + DidYouMean.hint(key, KEYS));
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            ProcsReport.of(ProcsSettings.with(settings)).forEach(out::println);
        } catch (IllegalArgumentException refused) {
            throw new ParameterException(spec.commandLine(), String.valueOf(refused.getMessage()), refused);
        }
        out.flush();
    }
}
