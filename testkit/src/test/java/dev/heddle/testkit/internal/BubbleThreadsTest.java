package dev.heddle.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.internal.choose.Chooser;
import org.junit.jupiter.api.Test;

/// The threads of a bubble whose carrier is the test's thread.
class BubbleThreadsTest {

    private final BubbleThreads threads =
            new BubbleThreads(1, Chooser.of(Options.defaults(), 0, 1, 100), new VirtualClock(), new FaultPlan(1));
    private final Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /// A monitor is released outside while the carrier reads what its waiter waits for. The thread is runnable
    /// then, and the carrier must not wait for its arrival.
    @Test
    void aThreadThatTheCarrierMakesRunnableHasArrived() {
        assertThat(threads.hasArrivals()).isFalse();
        threads.ready(Jdk.resumeTaskOf(thread));
        assertThat(threads.hasArrivals()).isTrue();
        threads.arrive();
        assertThat(threads.hasArrivals()).as("since then").isFalse();
    }

    @Test
    void aThreadThatIsWokenOutsideHasArrived() throws InterruptedException {
        Thread outside = Thread.ofPlatform().daemon().start(() -> threads.ready(Jdk.resumeTaskOf(thread)));
        outside.join();
        assertThat(threads.hasArrivals()).isTrue();
        threads.arrive();
        assertThat(threads.runnable.isEmpty()).isFalse();
        assertThat(threads.hasArrivals()).as("since then").isFalse();
    }
}
