package dev.heddle.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Has every peer run every workload, in turns: a round is one run by each, so that whatever else the machine
/// does, it does it to all of them. Who begins changes from round to round.
final class Runner implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// At least, in each round that is not counted.
    private static final long WARM_UP_NANOS = 1_000_000_000;

    private final List<Peer> peers;
    private final List<PeerProcess> processes;
    private final PeerProcess client;
    private final Plan plan;
    private final Progress progress;

    /// @param warmUps rounds that are not counted
    /// @param rounds  rounds that are
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

    /// A JIT compiler needs some tenths of a second of a program, however short its runs are.
    private void warmUp(int turn, String request) throws InterruptedException {
        long end = System.nanoTime() + WARM_UP_NANOS;
        while (System.nanoTime() < end && ask(turn, request, /* isFresh= */ false) instanceof Answer.Figures) {
            // again
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

    /// Does the caller's part of a run: the client of a server is always the same.
    private String help(String request, String question) throws InterruptedException {
        String port = question.substring("listening ".length());
        return switch (client.run(request, PATIENCE, _ -> port)) {
            case Answer.Figures figures -> clientsLine(figures);
            case Answer.Unsupported _ -> "the client does not know it";
            case Answer.Failed failed -> "the client says: " + failed.why();
        };
    }

    /// What the client found, for the server to report as its own; not what the client's run cost.
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
