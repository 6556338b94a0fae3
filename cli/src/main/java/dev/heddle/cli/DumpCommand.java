package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.GoroutineDump;
import dev.heddle.internal.wire.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `heddle dump PID`: all goroutines of a running JVM, in Go's format.
@Command(
        name = "dump",
        description = {
            "Prints all goroutines and what they wait for.",
            "Virtual threads count as goroutines. The JVM is not stopped."
        },
        customSynopsis = {
            "heddle dump PID [--group] [--json] [--all-frames] [--limit N]",
            "                   [--scheduler NAME]"
        },
        footer = {
            "%nExamples:",
            "  heddle dump 4711              every goroutine with its stack, in Go's format",
            "  heddle dump 4711 --group      one stack for all that are in the same place",
            "  heddle dump 4711 --json | jq '.schedulers[0].goroutines[].waitReason'"
        })
final class DumpCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private WatchOptions options = new WatchOptions();

    @Option(
            names = "--group",
            description = "Shows those in the same place together, as pprof's goroutine profile does.")
    private boolean group;

    @Option(names = "--json", description = "Prints JSON, with counters, processors and machines.")
    private boolean json;

    @Option(names = "--all-frames", description = "Shows the frames of the scheduler itself, too.")
    private boolean allFrames;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Shows at most so many goroutines of a scheduler; ${DEFAULT-VALUE} unless set.")
    private int limit = 100_000;

    @Override
    public Integer call() throws IOException {
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit must be at least 1, not " + limit);
        }
        List<GoroutineDump> dumps;
        long pid;
        try (JvmConnection watched = options.attach()) {
            pid = watched.pid();
            dumps = options.dumps(watched, limit);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(document(pid, dumps)));
        } else {
            dumps.forEach(it -> out.println(group ? it.groupedText() : it.text(allFrames)));
        }
        out.flush();
        return 0;
    }

    private Map<String, Object> document(long pid, List<GoroutineDump> dumps) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("pid", pid);
        document.put(
                "schedulers", group ? dumps.stream().map(DumpCommand::profile).toList() : dumps);
        return document;
    }

    private static Map<String, Object> profile(GoroutineDump dump) {
        Map<String, Object> profile = new LinkedHashMap<>();
        profile.put("name", dump.scheduler().name());
        profile.put("total", dump.goroutines().size());
        profile.put("groups", dump.groups());
        return profile;
    }
}
