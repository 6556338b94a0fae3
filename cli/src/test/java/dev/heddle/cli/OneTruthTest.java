package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.agent.AgentJar;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Blocked carriers are counted and named the same way everywhere: by `top`, `dump`, `info`, the metrics, the
/// MXBean and the doctor.
final class OneTruthTest {

    private static final int IN_SYSTEM_CALLS = 24;
    private static final int PINNED = 3;

    private static final Pattern BLOCKED = Pattern.compile("(\\d+) blocked \\((\\d+) pinned\\)");
    private static final Pattern DOCTORS =
            Pattern.compile("(\\d+) at most, were blocked by what they run, (\\d+) of them pinned");

    @TempDir
    private Path folder;

    /// @param blocked carriers that are blocked in any way
    /// @param pinned  those of them whose thread is pinned
    private record Count(int blocked, int pinned) {

        static Count in(Pattern pattern, String text) {
            Matcher matcher = pattern.matcher(text);
            assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
            return new Count(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        }
    }

    @Test
    void allSixAnswersAgreeOnBlockedCarriers() throws Exception {
        Path fifo = folder.resolve("fifo");
        assumeTrue(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0, "there is no mkfifo here");
        int port = freePort();
        Count expected = new Count(IN_SYSTEM_CALLS + PINNED, PINNED);
        try (LiveJvm program = ChildJvm.withoutHeddle(
                        BlockedCarriers.class,
                        fifo.toString(),
                        Integer.toString(IN_SYSTEM_CALLS),
                        Integer.toString(PINNED))
                .option("-javaagent:" + AgentJar.of(folder) + "=metrics=" + port)
                .start()) {
            assertThat(program.readLine()).isEqualTo("ready");
            String pid = Long.toString(program.pid());

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(ofBean(program)).isEqualTo(expected));
            assertThat(Count.in(BLOCKED, heddle("info", pid))).as("info").isEqualTo(expected);
            assertThat(Count.in(BLOCKED, heddle("top", pid, "--once", "-d", "0.1")))
                    .as("top")
                    .isEqualTo(expected);
            assertThat(ofDump(heddle("dump", pid))).as("dump").isEqualTo(expected);
            assertThat(ofMetrics(port)).as("metrics").isEqualTo(expected);
            await().atMost(Duration.ofSeconds(60)) // not while the program is cold
                    .untilAsserted(() -> assertThat(Count.in(DOCTORS, heddle("doctor", pid, "--seconds", "2")))
                            .as("doctor")
                            .isEqualTo(expected));
        }
    }

    @Test
    void whatTheDoctorFindsIsAnEventInTheRecordingOfTheProgram() throws Exception {
        Path fifo = folder.resolve("fifo");
        Path recording = folder.resolve("program.jfr");
        assumeTrue(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0, "there is no mkfifo here");
        try (LiveJvm program = ChildJvm.withoutHeddle(
                        BlockedCarriers.class, fifo.toString(), Integer.toString(IN_SYSTEM_CALLS), "0")
                .option("-javaagent:" + AgentJar.of(folder), "-XX:StartFlightRecording", "-Xlog:disable")
                .start()) {
            assertThat(program.readLine()).isEqualTo("ready");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(ofBean(program)).isEqualTo(new Count(IN_SYSTEM_CALLS, 0)));

            // Not while the program is cold, and that lasts longer on a busy computer.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(heddle("doctor", Long.toString(program.pid()), "--seconds", "2"))
                            .contains("blocking-calls"));
            ChildJvm.ofCommand(List.of(
                            ChildJvm.tool("jcmd").toString(),
                            Long.toString(program.pid()),
                            "JFR.dump",
                            "filename=" + recording))
                    .succeed();
        }

        assertThat(RecordingFile.readAllEvents(recording))
                .filteredOn(it -> it.getEventType().getName().equals("heddle.DoctorFinding"))
                .singleElement()
                .satisfies(it -> assertThat(it.getString("cause")).isEqualTo("blocking-calls"))
                .satisfies(it -> assertThat(it.getString("evidence")).contains("24 at most, were blocked"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Count ofBean(LiveJvm program) throws IOException, InterruptedException {
        return Count.in(Pattern.compile("(\\d+) (\\d+)"), program.ask("count"));
    }

    private static Count ofDump(String text) {
        assertThat(text)
                .contains(
                        "scheduler heddle: 27 goroutines, 0 running, 0 runnable, 24 in syscalls, 3 pinned, 0 waiting");
        int pinned = occurrences(text, " [pinned]:");
        return new Count(occurrences(text, " [syscall]:") + pinned, pinned);
    }

    private static int occurrences(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    private static Count ofMetrics(int port) throws IOException, InterruptedException {
        String text;
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                    .build();
            text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
        int pinned = gauge(text, "pinned");
        assertThat(text).contains("go_sched_goroutines_not_in_go_goroutines{scheduler=\"heddle\"} 27\n");
        return new Count(gauge(text, "syscall") + pinned, pinned);
    }

    private static int gauge(String text, String reason) {
        String start = "heddle_threads_blocked{scheduler=\"heddle\",reason=\"" + reason + "\"} ";
        return text.lines()
                .filter(it -> it.startsWith(start))
                .mapToInt(it -> Integer.parseInt(it.substring(start.length())))
                .sum();
    }

    private static String heddle(String... arguments) {
        StringWriter out = new StringWriter();
        CommandLine heddle = Heddle.commandLine().setOut(new PrintWriter(out, true));
        assertThat(heddle.execute(arguments)).as(String.join(" ", arguments)).isZero();
        return out.toString();
    }
}
