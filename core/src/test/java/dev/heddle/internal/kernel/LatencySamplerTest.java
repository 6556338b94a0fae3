package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.stats.LatencyStats;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LatencySamplerTest {

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    private final LatencySampler sampler = new LatencySampler();

    private static Runnable entry() {
        return new Runnable() {
            @Override
            public void run() {}
        };
    }

    @Test
    void oneEntryIsFollowedUntilItRuns() {
        Runnable followed = entry();
        Runnable other = entry();
        sampler.injects(followed);
        sampler.injects(other);

        sampler.runs(other);
        assertThat(sampler.histogram.stats().count()).isZero();
        sampler.runs(followed);
        assertThat(sampler.histogram.stats().count()).isEqualTo(1);
        sampler.runs(followed); // queued twice
        assertThat(sampler.histogram.stats().count()).isEqualTo(1);
    }

    @Test
    void every256thIsFollowedOnceThePlaceIsFree() {
        for (int i = 0; i < 10 * 256; i++) {
            Runnable entry = entry();
            sampler.injects(entry);
            sampler.runs(entry);
        }
        assertThat(sampler.histogram.stats().count()).isEqualTo(10);
    }

    /// Whatever way an entry takes to a processor, the place becomes free again.
    @Test
    void noEntryIsFollowedForEver() {
        Scheduler scheduler = schedulers.procs(2);
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        scheduler.go(() -> {
            for (int i = 0; i < 20_000; i++) {
                there.send(i);
                back.receive();
                if (i % 100 == 0) {
                    scheduler.go(() -> {}); // a fresh one, perhaps in the same shell
                    Thread.yield(); // through the global queue
                }
            }
            there.close();
        });
        scheduler.go(() -> {
            while (there.receive() != null) {
                back.send(1);
            }
        });

        Awaitility.await().until(() -> scheduler.stats().live() == 0);

        Kernel kernel = Inspector.kernels().stream()
                .filter(it -> it.name().equals(scheduler.name()))
                .findFirst()
                .orElseThrow();
        LatencyStats latencies = Inspector.latencies(kernel);
        assertThat(latencies.count()).isGreaterThan(50); // of some 40,000 switches every 256th: about 150
        assertThat(latencies.sum()).isPositive();
    }

    /// Each way into a queue offers its entries, and each way out of it ends the wait: the first entry of a
    /// period is followed.
    @Test
    void everyWayThroughAQueueIsMeasured() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            Thread waiter = rig.start(LockSupport::park); // the first that is injected
            awaitCount(kernel, 1);
            rig.await(rig.goMany(1, () -> {
                beginPeriod(kernel);
                Go.go(() -> {}); // runs in the shell of this goroutine
            }));
            awaitCount(kernel, 2);
            rig.await(rig.goMany(1, () -> {
                beginPeriod(kernel);
                LockSupport.unpark(waiter); // does not run in a shell
            }));
            rig.join(waiter);
            awaitCount(kernel, 3);
            rig.await(rig.goMany(1, () -> {
                beginPeriod(kernel);
                Thread.yield();
            }));
            awaitCount(kernel, 4);
        }
    }

    /// The next entry that is queued on this processor will be followed.
    private static void beginPeriod(Kernel kernel) {
        Machine machine = Objects.requireNonNull(kernel.entries.machineHere());
        Objects.requireNonNull(machine.p).queued = 0;
    }

    private static void awaitCount(Kernel kernel, int count) {
        Awaitility.await("measured")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Inspector.latencies(kernel).count() == count);
    }
}
