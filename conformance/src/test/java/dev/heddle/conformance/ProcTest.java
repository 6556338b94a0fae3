package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

class ProcTest {
    private static final String FILE = "runtime/proc_test.go";

    @GoTest(
            file = FILE,
            value = "TestStopTheWorldDeadlock",
            adapted = "the world is stopped by changing GOMAXPROCS; Java's collector is not the scheduler's business")
    void testStopTheWorldDeadlock() throws Exception {
        int before = Go.gomaxprocs(0);
        var stop = new AtomicBoolean();
        var ended = new WaitGroup();
        var respawn = new Go.Body[1];
        var spawner = new WaitGroup();
        spawner.add(1);
        respawn[0] = () -> {
            if (stop.get()) {
                spawner.done();
            } else {
                Go.go(respawn[0]);
            }
        };
        Go.go(respawn[0]);
        for (int p = 0; p < 2; p++) {
            int base = 1 + p;
            ended.go(() -> {
                for (int i = 0; i < 100; i++) {
                    Go.gomaxprocs(base + i % 3);
                }
            });
        }
        ended.await();
        stop.set(true);
        spawner.await();
        Go.gomaxprocs(before);
    }

    @GoTest(file = FILE, value = "TestYieldProgress")
    void testYieldProgress() throws Exception {
        Chan<Boolean> done = Chan.make();
        Chan<Boolean> cut = Chan.make();
        Go.go(() -> {
            while (cut.tryReceive() == null) {
                Go.gosched();
            }
            done.send(true);
        });
        Thread.sleep(Duration.ofMillis(2));
        cut.send(true);
        done.receive();
    }

    @GoTest(
            file = FILE,
            value = {"TestGoroutineParallelism", "TestGoroutineParallelism2"},
            adapted = "as many goroutines as processors, but at most as many as the machine has CPUs")
    void testGoroutineParallelism() throws Exception {
        int n = Math.min(Go.gomaxprocs(0), Go.numCPU());
        for (int round = 0; round < 5; round++) {
            Thread.sleep(Duration.ofMillis(1)); // lets all machines park: the wake-ups are the point
            var counter = new AtomicInteger();
            var ended = new WaitGroup();
            for (int p = 0; p < n; p++) {
                int me = p;
                ended.go(() -> {
                    for (int i = 0; i < 3; i++) {
                        int expected = n * i + me;
                        while (counter.get() != expected) { // in lock step: needs all of them to run at once
                            Thread.onSpinWait();
                        }
                        counter.set(expected + 1);
                    }
                });
            }
            ended.await();
        }
    }

    @GoTest(
            file = FILE,
            value = "TestPreemption",
            adapted = "loops without calls are not interrupted: the processor of the one that computes is handed off")
    void testPreemption() throws Exception {
        Chan<Boolean> done = Chan.make();
        var x = new AtomicInteger();
        for (int p = 0; p < 2; p++) {
            int me = p;
            Go.go(() -> {
                for (int i = 0; i < 5; i++) {
                    while (x.get() % 2 != me) {
                        Thread.onSpinWait();
                    }
                    x.incrementAndGet();
                }
                done.send(true);
            });
        }
        done.receive();
        done.receive();
    }

    @GoTest(
            file = FILE,
            value = "TestPingPongHog",
            adapted = "two equal pairs on one processor, compared in turns instead of time: each gets its share")
    void testPingPongHog() throws Exception {
        var turns = new AtomicLong[] {new AtomicLong(), new AtomicLong()};
        try (var scheduler = Scheduler.builder().procs(1).build()) {
            var stop = new AtomicBoolean();
            var ended = new CountDownLatch(2);
            for (int pair = 0; pair < 2; pair++) {
                AtomicLong mine = turns[pair];
                scheduler.go(() -> {
                    Chan<Integer> there = Chan.make();
                    Chan<Integer> back = Chan.make();
                    Go.go(() -> {
                        for (int value : there) {
                            back.send(value);
                        }
                    });
                    while (!stop.get()) {
                        there.send(1);
                        back.receive();
                        mine.incrementAndGet();
                    }
                    there.close();
                    ended.countDown();
                });
            }
            while (Math.max(turns[0].get(), turns[1].get()) < 100_000) {
                Thread.sleep(Duration.ofMillis(1));
            }
            stop.set(true);
            ended.await();
        }
        double ratio = (double) turns[0].get() / turns[1].get();
        assertThat(ratio).as("%s", Arrays.toString(turns)).isBetween(1 / 20.0, 20.0);
    }

    @GoTest(file = FILE, value = "TestNumGoroutine")
    void testNumGoroutine() throws Exception {
        try (var scheduler = Scheduler.builder().procs(1).build()) {
            var count = new long[2];
            var seen = new CountDownLatch(1);
            scheduler.go(() -> {
                count[0] = Go.numGoroutine();
                Chan<Integer> block = Chan.make();
                var started = new WaitGroup();
                started.add(5);
                for (int i = 0; i < 5; i++) {
                    Go.go(() -> {
                        started.done();
                        block.receive();
                    });
                }
                started.await();
                count[1] = Go.numGoroutine();
                block.close();
                seen.countDown();
            });
            seen.await();
            assertThat(count[0]).isOne();
            assertThat(count[1]).isEqualTo(6);
        }
    }

    @GoTest(file = FILE, value = "TestBigGOMAXPROCS")
    void testBigGOMAXPROCS() throws Exception {
        try (var scheduler = Scheduler.builder().procs(1024).build()) {
            var ran = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                scheduler.go(ran::countDown);
            }
            ran.await();
        }
    }

    @GoTest(
            file = "runtime/sema_test.go",
            value = {"TestSemaHandoff", "TestSemaHandoff1", "TestSemaHandoff2"},
            adapted = "the hand-off is a channel's: a receiver that waits runs before the sender goes on after gosched")
    void testSemaHandoff() throws Exception {
        int handedOver = 0;
        int trials = 2000;
        for (int i = 0; i < trials; i++) {
            Chan<Boolean> chan = Chan.make();
            var taken = new AtomicBoolean();
            Chan<Boolean> ended = Chan.make(1);
            Go.go(() -> {
                chan.receive();
                taken.set(true);
                ended.send(true);
            });
            chan.send(true);
            Go.gosched();
            handedOver += taken.get() ? 1 : 0;
            ended.receive();
        }
        assertThat(handedOver).isGreaterThan(trials * 2 / 3);
    }
}
