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
import picocli.CommandLine.Spec;

/// `heddle dump PID`: all goroutines of a running JVM, in Go's format.
@Command(
        name = "dump",
        description = "Prints the goroutines and virtual threads of a running JVM, with what they wait for.",
        customSynopsis = "heddle dump PID [--group] [--json] [--all-frames] [--limit N] [--scheduler NAME]")
final class DumpCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private WatchOptions options = new WatchOptions();

    @Option(names = "--group", description = "Those in the same place together, as in pprof's goroutine profile.")
    private boolean group;

    @Option(names = "--json", description = "As JSON, with counters, processors and machines.")
    private boolean json;

    @Option(names = "--all-frames", description = "The frames of the scheduler itself, too.")
    private boolean allFrames;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "At most so many goroutines of a scheduler (by default ${DEFAULT-VALUE}).")
    private int limit = 100_000;

    @Override
    public Integer call() throws IOException {
        List<GoroutineDump> dumps;
        try (JvmConnection watched = options.attach()) {
            dumps = options.dumps(watched, limit);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(document(dumps)));
        } else {
            dumps.forEach(it -> out.println(group ? it.groupedText() : it.text(allFrames)));
        }
        out.flush();
        return 0;
    }

    private Map<String, Object> document(List<GoroutineDump> dumps) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("pid", options.pid());
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
