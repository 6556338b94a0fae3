package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.GoroutineDump;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options of all commands that observe another JVM.
final class WatchOptions {

    static final String PID = "PID";
    static final String PID_DESCRIPTION = "The process, as 'heddle ps' shows it.";

    private static final int ALL_FRAMES = 1024;

    @Parameters(paramLabel = PID, description = PID_DESCRIPTION)
    private long pid;

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            description = "The scheduler, if the process has several; by default the first, for a dump all.")
    private @Nullable String scheduler;

    long pid() {
        return pid;
    }

    /// @throws IOException with one sentence, if the JVM cannot be observed
    JvmConnection attach() throws IOException {
        return JvmConnection.attach(pid);
    }

    /// The named scheduler, or the first one.
    String scheduler(JvmConnection watched) throws IOException {
        return watched.nameOf(scheduler);
    }

    /// Dumps of the named scheduler or of all, each with at most `limit` goroutines.
    List<GoroutineDump> dumps(JvmConnection watched, int limit) throws IOException {
        List<GoroutineDump> dumps = new ArrayList<>();
        for (String name : scheduler == null ? watched.names() : List.of(watched.nameOf(scheduler))) {
            dumps.add(new GoroutineDump(watched.snapshot(name), watched.goroutines(name, limit, ALL_FRAMES)));
        }
        return dumps;
    }
}
