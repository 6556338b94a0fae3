package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What HEDDLE_DEBUG and its system properties switch on, in JVMs of their own.
class DebugTest {

    private static final FutureTask<ChildJvm.Result> QUICK_START =
            new FutureTask<>(() -> ChildJvm.of(DebugPrograms.Starting.class, "with a goroutine")
                    .option("-Dheddle.longStart.millis=10000") // longer than any computer takes: else it has a reason
                    .environment("HEDDLE_DEBUG", "createdby=1")
                    .run());

    @BeforeAll
    static void startQuickly() {
        Thread.ofPlatform().daemon().start(QUICK_START);
    }

    private static LiveJvm waiting(String... options) throws IOException {
        return ChildJvm.of(DebugPrograms.Waiting.class)
                .option("-XX:+UseSerialGC")
                .option(options)
                .start();
    }

    @Test
    void aThreadDumpOfTheJvmIsFollowedByTheGoroutines() throws IOException, InterruptedException {
        try (LiveJvm jvm = waiting("-Dheddle.sigquit=1", "-Dheddle.createdby=1")) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            // The first signals may come before the flight recorder listens.
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .untilAsserted(() -> {
                        jvm.signal("QUIT");
                        assertThat(jvm.err())
                                .contains(
                                        "scheduler heddle: 2 goroutines, 0 running, 0 runnable, 0 in syscalls, 0 pinned, 2 waiting")
                                .containsPattern("goroutine \\d+ \\[chan receive\\]:")
                                .containsPattern(
                                        "created by dev.heddle.internal.kernel.DebugPrograms\\$Waiting.main in goroutine \\d+");
                    });
        }
    }

    @Test
    void aStartThatTakesTooLongIsDumped() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.of(DebugPrograms.Starting.class)
                .option("-Dheddle.longStart.millis=300")
                .environment("HEDDLE_DEBUG", "createdby=1")
                .run();
        assertThat(result.out()).isEqualTo("watched\n");
        assertThat(result.err())
                .startsWith("heddle: the start takes long: after 300 ms no goroutine or virtual thread has run,"
                        + " and 0 were started.\n")
                .containsPattern("\n\"main\" [A-Z_]+\n")
                .contains("dev.heddle.internal.kernel.DebugPrograms$Starting.main");
    }

    /// The program is started before the other tests, because it waits until 10 s are over.
    @Test
    void aStartThatDoesNotTakeTooLongIsNot() throws Exception {
        ChildJvm.Result result = QUICK_START.get();
        assertThat(result.out()).isEqualTo("watched\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void detailsAndStealsFollowTheLine() throws IOException, InterruptedException {
        try (LiveJvm jvm =
                waiting("-Dheddle.schedtrace=100", "-Dheddle.scheddetail=1", "-Dheddle.steals=1", "-Dheddle.procs=2")) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(jvm.err())
                            .containsPattern("SCHED \\d+ms: gomaxprocs=2 [^\\[]* sysmonwait=(true|false)\n"
                                    + "  P0: status=\\d schedtick=\\d+ [^\n]*\n  P1: status=[^\n]*\n")
                            .containsPattern("\n  M\\d+: p=\\S+ curg=\\S+ ")
                            .containsPattern("\n  G\\d+: status=4\\(chan receive\\) m=nil lockedm=nil\n")
                            .containsPattern("\nSTEALS \\d+ms: P0\\[steals=\\d+ "));
        }
    }

    @Test
    void metricsAreServedOnThePortAndTheServerKeepsNoJvmAlive() throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (LiveJvm jvm = waiting("-Dheddle.metrics=" + port);
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            HttpRequest get = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                    .build();
            HttpResponse<String> answer = client.send(get, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(it -> assertThat(it).startsWith("text/plain; version=0.0.4"));
            assertThat(answer.body()).contains("go_sched_goroutines_goroutines{scheduler=\"heddle\"} 2\n");
            jvm.send("end");
            assertThat(jvm.waitFor()).isZero();
        }
    }

    @Test
    void whatIsRefusedIsSaidAndIgnored() throws IOException, InterruptedException {
        try (LiveJvm jvm = waiting("-Dheddle.schedtrace=often", "-Dheddle.steals=no")) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            assertThat(jvm.err().lines())
                    .containsExactly(
                            "heddle: ignoring a setting of HEDDLE_DEBUG: schedtrace=often is refused: it must be a number"
                                    + " from 0 to 1000000000.",
                            "heddle: ignoring a setting of HEDDLE_DEBUG: steals=no is refused: it must be a number from 0"
                                    + " to 2147483647.");
        }
    }

    @Test
    void aPortInUseOfTheVariableIsSaidAndIgnored() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0)) {
            ChildJvm.Result result = ChildJvm.of(DebugPrograms.Waiting.class)
                    .environment("HEDDLE_DEBUG", "metrics=" + taken.getLocalPort())
                    .run();

            assertThat(result.exitCode()).isZero();
            assertThat(result.err().lines())
                    .containsExactly("heddle: ignoring a setting of HEDDLE_DEBUG: metrics=" + taken.getLocalPort()
                            + " is refused: the port cannot be opened: Address already in use; name another one.");
        }
    }

    @Test
    void aPortInUseOfAPropertyRefusesEveryScheduler() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0)) {
            ChildJvm.Result result = ChildJvm.of(DebugPrograms.Refused.class)
                    .option("-Dheddle.metrics=" + taken.getLocalPort())
                    .run();
            String sentence = "metrics=" + taken.getLocalPort()
                    + " is refused: the port cannot be opened: Address already in use; name another one.";

            assertThat(result.lines()).containsExactly(sentence, sentence, "no thread of a scheduler is left");
        }
    }
}
