package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The doctor finds nothing in programs that are busy and healthy, from their first second on. The short form of
/// `tools/doctor-score/run --set healthy`.
final class HealthyTest {

    private static final String SECONDS = "4";
    private static final String CAUSE = "\"cause\":";

    @Test
    void aBusyServerHasNoFindingFromItsFirstSecondOn() throws IOException, InterruptedException {
        try (LiveJvm server = start("server")) {
            assertThat(askDoctor(server)).doesNotContain(CAUSE);
            assertThat(askDoctor(server)).doesNotContain(CAUSE);
        }
    }

    @Test
    void aBatchThatComputesOnAllProcessorsHasNoFinding() throws IOException, InterruptedException {
        try (LiveJvm batch = start("batch")) {
            assertThat(askDoctor(batch)).doesNotContain(CAUSE);
        }
    }

    @Test
    void workThatIsForkedAndJoinedHasNoFinding() throws IOException, InterruptedException {
        try (LiveJvm forks = start("fork-join")) {
            assertThat(askDoctor(forks)).doesNotContain(CAUSE);
        }
    }

    /// Shows that the tests above could fail. The doctor may want to see the program for longer first.
    @Test
    void aServerThatWorksOnOneRequestAtATimeHasOne() throws IOException, InterruptedException {
        try (LiveJvm faulty = start("one-at-a-time")) {
            Awaitility.await()
                    .pollInSameThread()
                    .atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(askDoctor(faulty)).contains(CAUSE));
        }
    }

    private static LiveJvm start(String program) throws IOException, InterruptedException {
        LiveJvm jvm = ChildJvm.of(Healthy.class, program).start();
        assertThat(jvm.readLine()).isEqualTo("ready");
        return jvm;
    }

    /// The answer as JSON, which names each cause that was found.
    private static String askDoctor(LiveJvm jvm) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine heddle = Heddle.commandLine();
        heddle.setOut(new PrintWriter(out, true));
        heddle.setErr(new PrintWriter(err, true));
        heddle.execute("doctor", Long.toString(jvm.pid()), "--seconds", SECONDS, "--json");
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("\"findings\":");
        return out.toString();
    }
}
