package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.heap.Unreachable;
import dev.heddle.internal.observe.GoroutineDump;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `heddle leaks PID`: the goroutines that nothing can wake.
@Command(
        name = "leaks",
        description = {
            "Prints the goroutines that no thread can ever wake.",
            "They wait for something that nothing else in the JVM refers to. It takes a heap dump, during which the JVM "
                    + "is paused, and deletes it again."
        },
        customSynopsis = "heddle leaks PID [--scheduler NAME]",
        footer = {"%nExamples:", "  heddle leaks 4711             the goroutines that no thread can ever wake"})
final class LeaksCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private WatchOptions options = new WatchOptions();

    @Override
    public Integer call() throws IOException {
        Set<Long> unreachable;
        List<GoroutineDump> dumps;
        long pid;
        try (JvmConnection watched = options.attach()) {
            pid = watched.pid();
            unreachable = unreachable(watched);
            dumps = options.dumps(watched, Integer.MAX_VALUE);
        }
        List<GoroutineDump> leaks = dumps.stream()
                .map(it -> new GoroutineDump(
                        it.scheduler(),
                        it.goroutines().stream()
                                .filter(goroutine -> unreachable.contains(goroutine.id()))
                                .toList()))
                .toList();
        report(pid, leaks, count(dumps));
        return 0;
    }

    private Set<Long> unreachable(JvmConnection watched) throws IOException {
        Path heap = watched.dumpHeap();
        if (!Files.isReadable(heap)) {
            throw new IOException("process " + watched.pid() + " wrote its heap to " + heap
                    + ", which cannot be read from here: run heddle as the same user.");
        }
        return Unreachable.threadsIn(heap);
    }

    private static int count(List<GoroutineDump> dumps) {
        return dumps.stream().mapToInt(it -> it.goroutines().size()).sum();
    }

    private void report(long pid, List<GoroutineDump> leaks, int all) {
        PrintWriter out = spec.commandLine().getOut();
        int count = count(leaks);
        out.println("process %d: %d of %d goroutines wait for something that nothing else reaches%s"
                .formatted(pid, count, all, count == 0 ? "." : ": no thread can ever wake them."));
        leaks.stream().flatMap(it -> it.groups().stream()).forEach(it -> out.print(it.text()));
        out.flush();
    }
}
