package dev.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Access;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class HeddleMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name) {
        return registry.get(name).tag("scheduler", "bound").gauge().value();
    }

    @Test
    void theFiguresOfASchedulerAreInTheRegistryAndFollowIt() {
        Chan<Integer> never = Chan.make();
        try (Scheduler scheduler = Scheduler.builder().name("bound").procs(3).build()) {
            new HeddleMetrics().bindTo(registry);
            for (int i = 0; i < 5; i++) {
                scheduler.go(never::receive);
            }

            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(gauge("go.sched.goroutines.waiting.goroutines")).isEqualTo(5);
                assertThat(gauge("go.sched.goroutines.goroutines")).isEqualTo(5);
            });
            assertThat(gauge("go.sched.gomaxprocs.threads")).isEqualTo(3);
            assertThat(registry.get("go.sched.goroutines.created.goroutines")
                            .tag("scheduler", "bound")
                            .functionCounter()
                            .count())
                    .isEqualTo(5);
            assertThat(registry.get("heddle.hand.offs").tag("reason", "hog").functionCounters())
                    .hasSize(1);
            assertThat(registry.get("heddle.run.queue.length").gauges()).hasSize(3);
            assertThat(registry.get("go.sched.latencies")
                            .tag("quantile", "0.99")
                            .timeGauge()
                            .value(TimeUnit.NANOSECONDS))
                    .isPositive();
            never.close();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(gauge("go.sched.gomaxprocs.threads")).isNaN());
    }

    /// A program as Spring starts one: it makes the binder and binds it, whether or not there is a scheduler.
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            new HeddleMetrics().bindTo(registry);
            System.out.println(registry.getMeters().size() + " meters");
        }
    }

    @Test
    void aJvmWithoutTheAgentLineGoesOnWithOneWarning() throws Exception {
        String[] lines = run();

        assertThat(lines)
                .filteredOn(it -> it.startsWith("WARNING: "))
                .singleElement()
                .asString()
                .startsWith("WARNING: no metrics of Heddle are bound: ")
                .contains("-javaagent:heddle.jar");
        assertThat(lines).contains("0 meters");
    }

    @Test
    void aJvmWithoutASchedulerGoesOnWithOneWarning() throws Exception {
        String[] lines = run(Access.flags().split(" "));

        assertThat(lines)
                .filteredOn(it -> it.startsWith("WARNING: "))
                .singleElement()
                .asString()
                .contains("there is no scheduler yet");
        assertThat(lines).contains("0 meters");
    }

    /// The lines that the program prints in a JVM with these flags.
    private static String[] run(String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.split("\\R");
    }
}
