package dev.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Scheduler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
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
}
