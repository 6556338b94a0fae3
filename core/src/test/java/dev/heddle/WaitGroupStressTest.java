package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stress")
class WaitGroupStressTest {
    private static final long NANOS =
            Duration.ofSeconds(Long.getLong("heddle.stress.seconds", 3)).toNanos();

    /// Rounds follow each other as closely as the rules allow: the first waiter to leave starts the next
    /// one, while the releaser of the last may still be at work, and other waiters give up or are
    /// interrupted meanwhile.
    @Test
    void noRoundReleasesTheWaitersOfTheNext() throws Exception {
        var group = new WaitGroup();
        var running = new AtomicInteger();
        var early = new AtomicInteger();
        var threads = new Phaser(1);
        long end = System.nanoTime() + NANOS / 2;
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            int work = 1 + round % 3;
            running.addAndGet(work);
            group.add(work);
            for (int i = 0; i < work; i++) {
                threads.register();
                Thread.startVirtualThread(() -> {
                    running.decrementAndGet();
                    group.done();
                    threads.arriveAndDeregister();
                });
            }
            if (round % 5 == 0) {
                threads.register();
                Thread impatient = Thread.startVirtualThread(() -> {
                    try {
                        group.await(Duration.ofNanos(ThreadLocalRandom.current().nextInt(20_000)));
                    } catch (InterruptedException _) {
                        // one of the two ways out
                    }
                    threads.arriveAndDeregister();
                });
                impatient.interrupt();
            }
            group.await();
            if (running.get() != 0) {
                early.incrementAndGet();
            }
        }
        threads.arriveAndAwaitAdvance();
        assertThat(early).hasValue(0);
        assertThat(group.await(Duration.ZERO)).isTrue();
    }

    @Test
    void aMillionDonesFromManyThreadsReleaseEveryWaiterOnce() throws Exception {
        var group = new WaitGroup();
        int doers = 100;
        int each = 10_000;
        group.add(doers * each);
        var released = new AtomicLong();
        var waiters = new Phaser(1);
        for (int i = 0; i < 50; i++) {
            waiters.register();
            Thread.startVirtualThread(() -> {
                try {
                    group.await();
                    released.incrementAndGet();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                waiters.arriveAndDeregister();
            });
        }
        for (int i = 0; i < doers; i++) {
            Thread.startVirtualThread(() -> {
                for (int n = 0; n < each; n++) {
                    group.done();
                }
            });
        }
        group.await();
        waiters.arriveAndAwaitAdvance();
        assertThat(released).hasValue(50);
    }
}
