package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pushers, cancellers and two threads that run the heap: every timer is fired or cancelled, once, and none is
/// overlooked.
@Tag("stress")
class TimerHeapStressTest {
    private static final int THREADS = 2;

    @Test
    void everyTimerIsFiredOrCancelledExactlyOnceAndNeverOverlooked() throws Exception {
        long end = System.nanoTime() + Integer.getInteger("heddle.stress.seconds", 3) * 500_000_000L;
        while (System.nanoTime() < end) {
            round(20_000);
        }
    }

    private static void round(int perThread) throws Exception {
        var heap = new TimerHeap();
        var overlooked = new ConcurrentLinkedQueue<String>();
        var fired = new AtomicInteger();
        var cancelled = new AtomicInteger();
        var start = new CountDownLatch(1);
        var pushersDone = new AtomicBoolean();
        var pushers = new ArrayList<Thread>();
        for (int t = 0; t < THREADS; t++) {
            int seed = t;
            pushers.add(Thread.ofPlatform().start(() -> {
                var random = new SplittableRandom(seed);
                await(start);
                for (int i = 0; i < perThread; i++) {
                    var timer = new TimerEntry(random.nextInt(1, 1000), fired::incrementAndGet);
                    heap.push(timer);
                    long next = heap.nextWhen();
                    if (next > timer.when() && timer.isPending() && isUndue(timer, heap)) {
                        overlooked.add("pushed " + timer.when() + ", next is " + next);
                    }
                    if ((i & 1) == 0 && timer.cancel()) {
                        cancelled.incrementAndGet();
                    }
                }
            }));
        }
        var runners = new ArrayList<Thread>();
        for (int t = 0; t < THREADS; t++) {
            runners.add(Thread.ofPlatform().start(() -> {
                var out = new TimerEntry[64];
                await(start);
                boolean isLast;
                do {
                    isLast = pushersDone.get();
                    // the time stays below 500 while pushers run, so timers above 500 must stay visible
                    for (int n; (n = heap.takeDue(isLast ? 1000 : 499, out)) != 0; ) {
                        for (int i = 0; i < n; i++) {
                            out[i].fire();
                        }
                    }
                    Thread.yield();
                } while (!isLast || heap.nextWhen() != Long.MAX_VALUE);
            }));
        }
        start.countDown();
        for (var pusher : pushers) {
            pusher.join();
        }
        pushersDone.set(true);
        for (var runner : runners) {
            runner.join();
        }
        assertThat(overlooked).isEmpty();
        assertThat(fired.get() + cancelled.get()).isEqualTo(THREADS * perThread);
        assertThat(heap.size()).isZero();
        assertThat(heap.hasWork(Long.MAX_VALUE - 1)).isFalse();
    }

    /// Timers from 500 on are not handed out while pushers run: for them there is no excuse.
    private static boolean isUndue(TimerEntry timer, TimerHeap heap) {
        return timer.when() >= 500 && heap.nextWhen() > timer.when();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
