package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A thread that yields lets other threads run first. If there are none, it is not even unmounted.
class GoschedTest {

    private static final int TIMES = 1_000;
    private static final int ENOUGH_TURNS = 50_000;
    private static final int WARM_UP_TURNS = 10;
    private static final int SLICES = 100;

    private static void runAlone(Go.Body body) throws InterruptedException {
        try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
            CountDownLatch done = new CountDownLatch(1);
            scheduler.go(() -> {
                body.run();
                done.countDown();
            });
            assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void noOtherThreadIsRunnable() throws InterruptedException {
        long[] switches = new long[2];

        runAlone(() -> {
            switches[0] = Scheduler.current().stats().switches();
            for (int i = 0; i < TIMES; i++) {
                Go.gosched();
            }
            switches[1] = Scheduler.current().stats().switches();
        });

        assertThat(switches[1] - switches[0]).isLessThan(TIMES / 10); // sysmon may ask for a yield
    }

    @Test
    void allOtherThreadsRunFirst() throws InterruptedException {
        List<Integer> order = new ArrayList<>();

        runAlone(() -> {
            for (int i = 1; i <= 3; i++) {
                int number = i;
                Go.go(() -> order.add(number));
            }
            Go.gosched();
            order.add(0);
        });

        assertThat(order).containsExactlyInAnyOrder(1, 2, 3, 0).endsWith(0); // their order: GoldenOrderTest
    }

    /// A yield also lets run: a timer that is due, and an entry that a thread outside the scheduler submitted.
    @Test
    void anEntryFromOutsideRuns() throws InterruptedException {
        runAlone(() -> {
            AtomicBoolean ran = new AtomicBoolean();
            Scheduler here = Scheduler.current();
            Thread outside = Thread.ofPlatform().start(() -> here.go(() -> ran.set(true)));
            while (!ran.get()) {
                Go.gosched();
            }
            outside.join();
            AtomicBoolean slept = new AtomicBoolean();
            Go.go(() -> {
                Thread.sleep(1);
                slept.set(true);
            });
            while (!slept.get()) {
                Go.gosched();
            }
        });
    }

    /// What was yielded goes with its processor when the thread that runs there blocks.
    @Test
    void aYieldedThreadIsNotKeptByOneThatBlocks() throws InterruptedException {
        runAlone(() -> {
            CountDownLatch yielded = new CountDownLatch(1);
            Go.go(() -> {
                Jdk.pin();
                try {
                    yielded.await();
                } finally {
                    Jdk.unpin();
                }
            });
            Go.gosched();
            yielded.countDown();
        });
    }

    /// More than a processor's queues hold, on processors that come and go.
    @Test
    void nothingIsLostInACrowd() throws InterruptedException {
        int threads = 10_000;
        try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
            CountDownLatch done = new CountDownLatch(threads);
            for (int i = 0; i < threads; i++) {
                scheduler.go(() -> {
                    for (int k = 0; k < 20; k++) {
                        Thread.yield();
                    }
                    done.countDown();
                });
            }
            for (int procs = 3; done.getCount() > 0; procs = procs % 4 + 1) {
                scheduler.setProcs(procs);
                if (done.await(1, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
            assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /// Those who yield stay with their processor, but one that has a processor for itself has no more turns
    /// than the others. They run until the last of them has had its turns: how many the first has had by then
    /// does not depend on the machine's speed.
    @Test
    void turnsAreFairBetweenProcessors() throws InterruptedException {
        int threads = 20;
        AtomicLongArray turns = new AtomicLongArray(threads);
        Map<Thread, AtomicInteger> crowds = new ConcurrentHashMap<>();
        AtomicBoolean isLonelyTaken = new AtomicBoolean();
        try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
            CountDownLatch running = new CountDownLatch(threads);
            CountDownLatch counted = new CountDownLatch(threads);
            CountDownLatch done = new CountDownLatch(threads);
            for (int i = 0; i < threads; i++) {
                int number = i;
                scheduler.go(() -> {
                    running.countDown();
                    yieldUntilZero(running);
                    Thread carrier = Jdk.currentCarrierThread();
                    crowds.computeIfAbsent(carrier, _ -> new AtomicInteger()).incrementAndGet();
                    counted.countDown();
                    yieldUntilZero(counted);
                    boolean isInCrowd = crowds.get(carrier).get() >= threads / 2;
                    boolean stays = isInCrowd || isLonelyTaken.compareAndSet(false, true);
                    while (stays && done.getCount() > 0) {
                        if (turns.incrementAndGet(number) == ENOUGH_TURNS) {
                            done.countDown();
                        }
                        computeForAMicrosecond();
                        Go.gosched();
                    }
                    done.countDown();
                });
            }
            assertThat(done.await(5, TimeUnit.MINUTES))
                    .as(() -> "turns: " + turns)
                    .isTrue();
        }

        LongSummaryStatistics staying = IntStream.range(0, threads)
                .mapToLong(turns::get)
                .filter(it -> it > 0)
                .summaryStatistics();
        assertThat(staying.getMax()).as(() -> "turns: " + turns).isLessThan(2 * ENOUGH_TURNS);
    }

    /// Each link of a chain inherits the slice of the one that started it. When the slice is over, whoever
    /// yields has its turn before the next link: the chain, which keeps coming to the ends of slices inside
    /// `Go.go`, cannot pass the slice on.
    @Test
    void besideAChainAYieldingThreadHasATurnInEverySlice() throws InterruptedException {
        AtomicLong turns = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
            CountDownLatch done = new CountDownLatch(2);
            scheduler.go(() -> startNext(stop, done));
            long[] preemptions = new long[2];
            scheduler.go(() -> {
                do {
                    long now = scheduler.stats().preemptions();
                    if (turns.get() == WARM_UP_TURNS) {
                        preemptions[0] = now;
                    }
                    preemptions[1] = now;
                    turns.incrementAndGet();
                    Go.gosched();
                } while (turns.get() <= WARM_UP_TURNS || preemptions[1] - preemptions[0] < SLICES);
                stop.set(true);
                done.countDown();
            });
            assertThat(done.await(5, TimeUnit.MINUTES)).as("turns: %s", turns).isTrue();

            long ended = preemptions[1] - preemptions[0];
            assertThat(turns.get() - WARM_UP_TURNS)
                    .as("turns while %d slices ended", ended)
                    .isGreaterThan(ended * 3 / 4);
        }
    }

    private static void startNext(AtomicBoolean stop, CountDownLatch done) {
        if (stop.get()) {
            done.countDown();
        } else {
            Go.go(() -> startNext(stop, done));
        }
    }

    private static void yieldUntilZero(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Go.gosched();
        }
    }

    private static void computeForAMicrosecond() {
        long end = System.nanoTime() + 1_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
