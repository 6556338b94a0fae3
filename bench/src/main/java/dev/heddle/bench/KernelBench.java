package dev.heddle.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.heddle.jdk.Access;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// The kernel beside the JDK's own scheduler: spawn and join, ping-pong, skynet.
///
/// Each peer has a JVM of its own, all of them alive during the whole run, and they take turns: a round is one run of
/// one program by each. So whatever else the machine does, it does it to all of them; look at the ratios, not at the
/// times. Usage: `KernelBench [rounds [procs]]`, on a JVM with the flags that Heddle asks for or without.
public final class KernelBench {

    private static final int WARM_UP_ROUNDS = 2;

    private KernelBench() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 3 && args[0].equals("peer")) {
            serve(Peer.valueOf(args[1]), Integer.parseInt(args[2]));
            return;
        }
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        int procs = args.length > 1
                ? Integer.parseInt(args[1])
                : Runtime.getRuntime().availableProcessors();
        System.out.println(compare(rounds, procs));
    }

    // ---- a peer: one line in, the name of a program; one line out, a measurement

    private static void serve(Peer peer, int procs) throws IOException, InterruptedException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Peer.Starter starter = peer.starter(procs);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Program program = Program.valueOf(line);
            System.gc(); // nobody pays for what an earlier program left
            long cpu = system.getProcessCpuTime();
            long wall = System.nanoTime();
            program.run(starter);
            System.out.println(new Measurement(System.nanoTime() - wall, system.getProcessCpuTime() - cpu));
        }
        System.exit(0); // its scheduler is not closed
    }

    // ---- the one who asks

    private static String compare(int rounds, int procs) throws IOException, InterruptedException {
        Map<Peer, Client> clients = new EnumMap<>(Peer.class);
        try {
            for (Peer peer : Peer.values()) {
                clients.put(peer, new Client(peer, procs));
            }
            StringBuilder table = new StringBuilder();
            for (Program program : Program.values()) {
                table.append(rows(program, measure(program, clients, rounds)));
            }
            return "procs " + procs + ", " + rounds + " rounds; median (least .. most) of wall time per operation, CPU"
                    + " time per operation, ratios to " + Peer.STOCK_THREADS.label + "\n" + table;
        } finally {
            clients.values().forEach(Client::close);
        }
    }

    private static Map<Peer, List<Measurement>> measure(Program program, Map<Peer, Client> clients, int rounds)
            throws IOException {
        Map<Peer, List<Measurement>> measured = new EnumMap<>(Peer.class);
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            for (Map.Entry<Peer, Client> entry : clients.entrySet()) {
                Measurement measurement = entry.getValue().run(program);
                if (round >= 0) {
                    measured.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
                            .add(measurement);
                }
            }
        }
        return measured;
    }

    private static String rows(Program program, Map<Peer, List<Measurement>> measured) {
        StringBuilder rows = new StringBuilder();
        List<Measurement> stockRuns = Objects.requireNonNull(measured.get(Peer.STOCK_THREADS));
        Spread stock = Spread.of(stockRuns, Measurement::wallNanos, program);
        Spread stockCpu = Spread.of(stockRuns, Measurement::cpuNanos, program);
        measured.forEach((peer, runs) -> {
            Spread wall = Spread.of(runs, Measurement::wallNanos, program);
            Spread cpu = Spread.of(runs, Measurement::cpuNanos, program);
            rows.append("%-26s %-24s %9.1f ns (%.1f .. %.1f)  x%.2f   CPU %9.1f ns  x%.2f%n"
                    .formatted(
                            program.label,
                            peer.label,
                            wall.median,
                            wall.least,
                            wall.most,
                            wall.median / stock.median,
                            cpu.median,
                            cpu.median / stockCpu.median));
        });
        return rows.toString();
    }

    /// Of several runs, per operation.
    private record Spread(double least, double median, double most) {
        static Spread of(List<Measurement> runs, ToLongFunction<Measurement> of, Program program) {
            double[] sorted = runs.stream()
                    .mapToDouble(it -> (double) of.applyAsLong(it) / program.operations)
                    .sorted()
                    .toArray();
            return new Spread(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
        }
    }

    /// The JVM of a peer, from the outside.
    private static final class Client {
        private final Process process;
        private final BufferedReader answers;
        private final BufferedWriter questions;

        Client(Peer peer, int procs) throws IOException {
            List<String> command = Stream.of(
                            Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString()),
                            Arrays.stream(Access.flags().split(" ", -1)),
                            Stream.of("-Xmx2g", "-Djdk.virtualThreadScheduler.parallelism=" + procs),
                            Stream.of("-cp", System.getProperty("java.class.path"), KernelBench.class.getName()),
                            Stream.of("peer", peer.name(), Integer.toString(procs)))
                    .flatMap(it -> it)
                    .toList();
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            answers = process.inputReader(StandardCharsets.UTF_8);
            questions = process.outputWriter(StandardCharsets.UTF_8);
        }

        Measurement run(Program program) throws IOException {
            questions.write(program.name());
            questions.newLine();
            questions.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("the JVM of a peer ended during " + program.label);
            }
            return Measurement.parse(answer);
        }

        void close() {
            process.destroy();
        }
    }
}
