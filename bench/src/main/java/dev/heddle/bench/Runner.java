package dev.heddle.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Runs every workload on every peer, in rounds. A round has one run of each peer, so that other load on the host
/// affects all peers alike. Each round begins with another peer.
final class Runner implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// The minimum warm-up time of a peer in each round that is not counted.
    private static final long WARM_UP_NANOS = 1_000_000_000;

    private final List<Peer> peers;
    private final List<PeerProcess> processes;
    private final PeerProcess client;
    private final Plan plan;
    private final Progress progress;

    /// @param warmUps the number of rounds that are not counted
    /// @param rounds  the number of rounds that are counted
    record Plan(int warmUps, int rounds, boolean isQuick) {}

    Runner(List<Peer> peers, Peer client, Plan plan, Progress progress) {
        this.peers = List.copyOf(peers);
        this.processes = peers.stream().map(Peer::start).toList();
        this.client = client.start();
        this.plan = plan;
        this.progress = progress;
    }

    Results run(List<Workload> workloads) throws InterruptedException {
        Results results = new Results(plan.isQuick);
        for (Workload workload : workloads) {
            run(workload, results);
        }
        return results;
    }

    private void run(Workload workload, Results results) throws InterruptedException {
        Workload.Scale scale = workload.scale(plan.isQuick);
        String request = "run " + workload.program + " " + scale.size() + " " + scale.width();
        List<Integer> turns = new ArrayList<>();
        for (int i = 0; i < peers.size(); i++) {
            turns.add(i);
        }
        boolean isFresh = workload.life == Workload.Life.ONE_RUN;
        for (int round = isFresh ? 0 : -plan.warmUps; round < plan.rounds && !turns.isEmpty(); round++) {
            for (int turn : List.copyOf(turns)) {
                Peer peer = peers.get(turn);
                progress.show(workload, peer, round, plan.rounds);
                if (round < 0 && !plan.isQuick) {
                    warmUp(turn, request);
                }
                LineTransfer.measure().ifPresent(results::addLineTransfer);
                switch (ask(turn, request, isFresh)) {
                    case Answer.Figures figures -> {
                        if (round >= 0) {
                            results.add(workload, peer.name(), figures.values());
                        }
                    }
                    case Answer.Unsupported _ -> turns.remove(Integer.valueOf(turn));
                    case Answer.Failed failed -> {
                        results.addFailure("%s, %s: %s".formatted(workload.title, peer.name(), failed.why()));
                        turns.remove(Integer.valueOf(turn));
                    }
                }
            }
            if (!turns.isEmpty()) {
                turns.addLast(turns.removeFirst());
            }
        }
        progress.done(workload, results, peers.stream().map(Peer::name).toList());
    }

    /// Repeats the run, because a JIT compiler needs some tenths of a second, however short a run is.
    private void warmUp(int turn, String request) throws InterruptedException {
        long end = System.nanoTime() + WARM_UP_NANOS;
        while (System.nanoTime() < end && ask(turn, request, /* isFresh= */ false) instanceof Answer.Figures) {
            // the condition runs the workload
        }
    }

    private Answer ask(int turn, String request, boolean isFresh) throws InterruptedException {
        if (!isFresh) {
            return processes.get(turn).run(request, PATIENCE, question -> help(request, question));
        }
        try (PeerProcess process = peers.get(turn).start()) {
            return process.run(request, PATIENCE, question -> help(request, question));
        }
    }

    /// Does the caller's part of a run: runs the client, which is the same for the servers of all peers.
    private String help(String request, String question) throws InterruptedException {
        String port = question.substring("listening ".length());
        return switch (client.run(request, PATIENCE, _ -> port)) {
            case Answer.Figures figures -> clientsLine(figures);
            case Answer.Unsupported _ -> "the client does not know it";
            case Answer.Failed failed -> "the client says: " + failed.why();
        };
    }

    /// The client's figures, for the server to report as its own, without the time and CPU time of the client.
    private static String clientsLine(Answer.Figures figures) {
        return figures.values().entrySet().stream()
                .filter(it ->
                        !it.getKey().equals(Measure.TIME.key()) && !it.getKey().equals(Measure.CPU.key()))
                .map(it -> it.getKey() + "=" + (Double.isInfinite(it.getValue()) ? "never" : it.getValue()))
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        client.close();
        processes.forEach(PeerProcess::close);
    }
}
