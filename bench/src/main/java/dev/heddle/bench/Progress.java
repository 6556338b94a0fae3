package dev.heddle.bench;

import java.io.PrintWriter;
import java.util.List;

/// Reports the progress on the standard error stream: on a terminal in one line that is overwritten, otherwise in one
/// line for each finished workload.
final class Progress {

    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintWriter out;
    private final boolean isTerminal;

    Progress(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    void show(Workload workload, Peer peer, int round, int rounds) {
        if (isTerminal) {
            String when = round < 0 ? "warm-up" : "round %d of %d".formatted(round + 1, rounds);
            out.print(CLEAR_LINE + "%s %s: %s, %s".formatted(workload.id, workload.title, when, peer.name()));
            out.flush();
        }
    }

    void done(Workload workload, Results results, List<String> peers) {
        out.print(isTerminal ? CLEAR_LINE : "");
        StringBuilder line = new StringBuilder(workload.id + " " + workload.title + ":");
        for (Measure measure : workload.measures) {
            peers.forEach(peer -> results.spread(workload, measure, peer)
                    .ifPresent(it -> line.append(" %s %s".formatted(peer, Scaled.written(measure, it.median())))));
        }
        out.println(line);
        out.flush();
    }
}
