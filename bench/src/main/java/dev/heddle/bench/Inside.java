package dev.heddle.bench;

import dev.heddle.internal.jdk.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Measurements of Heddle alone, each in its own JVM with the flags that it needs.
final class Inside {

    private Inside() {}

    @Command(
            name = "steal",
            description = "Latency and steals per second for 1 to 16 processors and three steal policies.")
    static final class Steal implements Callable<Integer> {
        @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds; 5 if not said.")
        private int rounds = 5;

        @Option(names = "--goroutines", paramLabel = "N", description = "Started in a round; 200,000 if not said.")
        private int goroutines = 200_000;

        @Override
        public Integer call() throws IOException, InterruptedException {
            return run(
                    List.of(),
                    "dev.heddle.bench.kernel.StealBench",
                    List.of(Integer.toString(rounds), Integer.toString(goroutines)));
        }
    }

    @Command(name = "locality", description = "What a stolen goroutine pays for leaving a warm cache.")
    static final class Locality implements Callable<Integer> {
        @Option(names = "--rounds", paramLabel = "N", description = "Rounds; 10 if not said.")
        private int rounds = 10;

        @Override
        public Integer call() throws IOException, InterruptedException {
            return run(
                    List.of("-Dheddle.pin=auto"),
                    "dev.heddle.bench.kernel.LocalityBench",
                    List.of(Integer.toString(rounds)));
        }
    }

    @Command(
            name = "watch",
            description = "What it costs to be watched by the doctor, or to have the metrics fetched, in CPU time.")
    static final class Watch implements Callable<Integer> {
        @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds; 12 if not said.")
        private int rounds = 12;

        @Option(names = "--seconds", paramLabel = "N", description = "Seconds of each turn; 3 if not said.")
        private int seconds = 3;

        @Override
        public Integer call() throws IOException, InterruptedException {
            int port = JvmPeers.freePort();
            return run(
                    List.of("-Dheddle.metrics=" + port),
                    "dev.heddle.bench.kernel.WatchBench",
                    List.of(
                            Integer.toString(rounds),
                            Integer.toString(seconds),
                            "http://localhost:" + port + "/metrics"));
        }
    }

    @Command(name = "testkit", description = "How many schedules of a small test the testkit runs in a second.")
    static final class Testkit implements Callable<Integer> {
        @Option(names = "--rounds", paramLabel = "N", description = "Rounds after the first; 5 if not said.")
        private int rounds = 5;

        @Option(names = "--schedules", paramLabel = "N", description = "Schedules of a round; 20,000 if not said.")
        private int schedules = 20_000;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            if (rounds < 1 || schedules < 1) {
                throw new ParameterException(spec.commandLine(), "rounds and schedules begin at 1");
            }
            Path testkit = Installation.testkit();
            if (Files.isDirectory(testkit)) {
                throw new IllegalStateException("heddle-testkit.jar is not built: run 'mvn package' first");
            }
            return run(
                    List.of("-javaagent:" + testkit),
                    "dev.heddle.bench.testkit.TestkitBench",
                    List.of(Integer.toString(rounds), Integer.toString(schedules)));
        }
    }

    @Command(name = "trace", description = "What it costs to record an execution trace, in CPU time.")
    static final class Traced implements Callable<Integer> {
        @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds; 7 if not said.")
        private int rounds = 7;

        @Option(names = "--thousands", paramLabel = "N", description = "Operations of each turn; 1000 if not said.")
        private int thousands = 1000;

        @Override
        public Integer call() throws IOException, InterruptedException {
            return run(
                    List.of(),
                    "dev.heddle.bench.kernel.TraceBench",
                    List.of(Integer.toString(rounds), Integer.toString(thousands)));
        }
    }

    @Command(
            name = "jmh",
            description = "The queues alone, by JMH; arguments are JMH's own: 'heddle bench jmh Owner -f 3'.")
    static final class Jmh implements Callable<Integer> {
        @Parameters(hidden = true)
        private List<String> arguments = List.of();

        @Override
        public Integer call() throws IOException, InterruptedException {
            return run(List.of(), "org.openjdk.jmh.Main", arguments);
        }
    }

    private static int run(List<String> options, String main, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Peer.java()));
        command.addAll(List.of(Access.flags().split(" ", -1)));
        command.addAll(JvmPeers.DEFAULT_OPTIONS);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dstdout.encoding=UTF-8"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
