package dev.heddle.bench;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle bench`: runs the workloads on Heddle and on other schedulers, and compares their times.
///
/// Exit codes: 0 if all peers ran all workloads that they support with correct results, 1 if not, 2 for wrong usage.
@Command(
        name = "heddle bench",
        synopsisSubcommandLabel = "[steal | locality | watch | trace | testkit | jmh]",
        sortOptions = false,
        description = "Runs Heddle beside other schedulers, in turns, and shows how many times its time they need.")
public final class Bench implements Callable<Integer> {

    private static final List<String> PEERS =
            List.of(Peer.HEDDLE, Peer.DROP_IN, Peer.JDK, GoPeer.NAME, JvmPeers.KOTLIN, JvmPeers.JOX);

    /// Heddle under observation, to measure what observation costs. Runs only if requested.
    private static final List<String> OBSERVED = List.of(JvmPeers.DOCTOR, JvmPeers.METRICS);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "Workloads, by letter or name; all if none is named.")
    private List<String> names = List.of();

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "PEER",
            description = "Whom to run beside Heddle: jdk, go, kotlin, jox; all if not said."
                    + " Also doctor and metrics: Heddle while it is watched.")
    private List<String> peers = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds; 5 if not said, 2 with --quick.")
    private @Nullable Integer rounds;

    @Option(names = "--warmup", paramLabel = "N", description = "Rounds before that; 2 if not said, 1 with --quick.")
    private @Nullable Integer warmUps;

    @Option(names = "--procs", paramLabel = "N", description = "GOMAXPROCS of every peer; one per CPU if not said.")
    private int procs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--quick", description = "Small sizes, few rounds: a look, not a measurement.")
    private boolean isQuick;

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "An option for all JVMs instead of the usual ones (heap and collector); may be repeated.")
    private List<String> jvmOptions = JvmPeers.DEFAULT_OPTIONS;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a report with plots.")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures of all runs.")
    private @Nullable Path json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    private boolean isHelp;

    private Bench() {}

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(Bench::stopPeers, "heddle-bench-stop"));
        System.exit(commandLine()
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8)) // in any locale: µ, ∞
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .execute(args));
    }

    /// Stops all peers when this process ends, so that none continues to compute.
    private static void stopPeers() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    static CommandLine commandLine() {
        CommandLine jmh = new CommandLine(new Inside.Jmh()) // all its arguments belong to JMH
                .setUnmatchedOptionsArePositionalParams(true)
                .setStopAtPositional(true);
        return new CommandLine(new Bench())
                .addSubcommand(new Inside.Steal())
                .addSubcommand(new Inside.Locality())
                .addSubcommand(new Inside.Watch())
                .addSubcommand(new Inside.Testkit())
                .addSubcommand(new Inside.Traced())
                .addSubcommand(jmh)
                .setParameterExceptionHandler((e, _) -> say(e.getCommandLine(), sentence(e), 2))
                .setExecutionExceptionHandler(
                        (e, command, _) -> say(command, e.getMessage() == null ? e.toString() : e.getMessage(), 1));
    }

    private static String sentence(ParameterException e) {
        String message = String.valueOf(e.getMessage()).strip().replaceFirst("\\.$", "");
        return message + "; 'heddle bench --help' shows what there is.";
    }

    private static int say(CommandLine command, String sentence, int exitCode) {
        PrintWriter err = command.getErr();
        err.println("heddle: " + sentence);
        err.flush();
        return exitCode;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        List<Workload> workloads = workloads();
        Runner.Plan plan = plan();
        PrintWriter err = spec.commandLine().getErr();
        Installation installation = Installation.locate();
        JvmPeers jvm = new JvmPeers(installation, procs, jvmOptions);
        GoPeer go = new GoPeer(installation, procs, System.getenv());
        KotlinLibrary kotlin = new KotlinLibrary(installation, System.getenv());
        List<Peer> available = available(jvm, go, kotlin, err);
        Circumstances circumstances = Circumstances.now(procs, plan, jvmOptions, available);
        circumstances.lines().forEach(err::println);
        Results results;
        try (Runner runner = new Runner(available, jvm.client(), plan, new Progress(err, isTerminal()))) {
            results = runner.run(workloads);
        }
        report(circumstances, results);
        results.failures().forEach(it -> err.println("heddle: " + it));
        return results.failures().isEmpty() ? 0 : 1;
    }

    @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null again if there is no terminal
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private void report(Circumstances circumstances, Results results) throws IOException {
        List<String> columns = circumstances.peers().stream().map(Peer::name).toList();
        List<Comparison> comparisons = Stream.of(
                        Comparison.ofNative(results, columns), Comparison.ofDropIn(results, columns))
                .filter(it -> !it.isEmpty())
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        comparisons.forEach(it -> out.println("\n" + TextTable.of(it).stripTrailing()));
        results.cores().ifPresent(it -> out.println("\n" + it + "."));
        out.flush();
        if (json != null) {
            Files.writeString(json, JsonReport.of(circumstances, results));
        }
        if (html != null) {
            Files.writeString(html, HtmlReport.of(circumstances, results, comparisons));
        }
    }

    private List<Workload> workloads() {
        for (String name : names) {
            if (Arrays.stream(Workload.values()).noneMatch(it -> it.isCalled(name))) {
                throw new ParameterException(spec.commandLine(), "there is no workload '" + name + "'");
            }
        }
        return Arrays.stream(Workload.values())
                .filter(it -> names.isEmpty() || names.stream().anyMatch(it::isCalled))
                .toList();
    }

    private Runner.Plan plan() {
        int counted = rounds != null ? rounds : isQuick ? 2 : 5;
        int before = warmUps != null ? warmUps : isQuick ? 1 : 2;
        if (counted < 1 || before < 0 || procs < 1) {
            throw new ParameterException(spec.commandLine(), "rounds and processors begin at 1");
        }
        return new Runner.Plan(before, counted, isQuick);
    }

    /// The available peers among those requested. Unavailable ones are reported and skipped.
    private List<Peer> available(JvmPeers jvm, GoPeer go, KotlinLibrary kotlin, PrintWriter err)
            throws InterruptedException, IOException {
        List<Peer> found = new ArrayList<>();
        for (String name : Stream.concat(PEERS.stream(), OBSERVED.stream()).toList()) {
            if (!isWanted(name)) {
                continue;
            }
            try {
                found.add(
                        switch (name) {
                            case Peer.HEDDLE -> jvm.heddle();
                            case Peer.DROP_IN -> jvm.dropIn();
                            case Peer.JDK -> jvm.jdk();
                            case GoPeer.NAME -> go.build();
                            case JvmPeers.KOTLIN -> jvm.kotlin(kotlin);
                            case JvmPeers.JOX -> jvm.jox();
                            case JvmPeers.DOCTOR -> jvm.watched();
                            case JvmPeers.METRICS -> jvm.scraped();
                            default -> throw new IllegalStateException(name);
                        });
            } catch (MissingPeerException e) {
                err.println("heddle: without " + name + ": " + e.getMessage());
            }
        }
        return found;
    }

    private boolean isWanted(String name) {
        for (String peer : peers) {
            if (!PEERS.contains(peer) && !OBSERVED.contains(peer)) {
                throw new ParameterException(spec.commandLine(), "there is no peer '" + peer + "'");
            }
        }
        return (peers.isEmpty() && PEERS.contains(name))
                || peers.contains(name)
                || name.equals(Peer.HEDDLE)
                || (name.equals(Peer.DROP_IN) && peers.contains(Peer.JDK));
    }
}
