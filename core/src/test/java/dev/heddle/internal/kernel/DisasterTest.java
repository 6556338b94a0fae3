package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.testing.ChildJvm;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Stacks that end and heaps that are full in the middle of the kernel, each in a JVM of its own.
class DisasterTest {

    /// A thread that unparks others at the very end of its stack. The stock scheduler dies of it: its
    /// carriers spin, and nothing runs any more (N6). Ours goes on. A thread whose unpark was cut off
    /// inside the JDK itself stays lost (J16), and is not counted here.
    @Test
    void unparksAtTheEndOfAStackDoNotStopTheScheduler() throws InterruptedException {
        assertThat(ChildJvm.of(DeepUnparks.class).succeed()).contains("still runs");
    }

    /// Main of the child JVM.
    static final class DeepUnparks {
        private final List<Thread> parked = new ArrayList<>();
        private int next;

        private DeepUnparks() {}

        public static void main(String[] args) throws InterruptedException {
            Scheduler scheduler = Scheduler.builder().procs(2).build();
            for (int attempt = 0; attempt < 10; attempt++) {
                new DeepUnparks().attempt(scheduler);
            }
            CountDownLatch after = new CountDownLatch(1_000);
            for (int i = 0; i < 1_000; i++) {
                scheduler.go(() -> {
                    Go.gosched();
                    Thread.sleep(1);
                    after.countDown();
                });
            }
            if (!after.await(60, TimeUnit.SECONDS)) {
                System.out.println(HangReport.of("the scheduler does not run any more", scheduler));
                System.exit(1);
            }
            System.out.println(
                    "still runs; saved from ended stacks: " + scheduler.stats().rescued());
            System.exit(0); // there may be threads that the JDK lost
        }

        private void attempt(Scheduler scheduler) throws InterruptedException {
            CountDownLatch ready = new CountDownLatch(50);
            for (int i = 0; i < 50; i++) {
                Thread thread = scheduler.threadFactory().newThread(() -> {
                    ready.countDown();
                    for (int turn = 0; turn < 100; turn++) {
                        LockSupport.park(this);
                    }
                });
                parked.add(thread);
                thread.start();
            }
            ready.await();
            CountDownLatch done = new CountDownLatch(1);
            scheduler.go(() -> {
                try {
                    descend();
                } catch (StackOverflowError _) {
                    // as intended
                } finally {
                    done.countDown();
                }
            });
            if (!done.await(60, TimeUnit.SECONDS)) {
                System.out.println(HangReport.of("the recursion does not end", scheduler));
                System.exit(1);
            }
        }

        private void descend() {
            LockSupport.unpark(parked.get(next++ % parked.size()));
            if (next != 0) { // always, but Error Prone cannot know
                descend();
            }
        }
    }

    /// The heap fills up again and again while threads park for a time: `schedule()`, called by the JDK
    /// while a thread is between two states, has no memory for its timer. Such a thread would never run
    /// again; it is made runnable instead (N18).
    @Test
    void threadsSurviveAFullHeap() throws InterruptedException {
        assertThat(ChildJvm.of(FullHeap.class)
                        .option("-Xmx24m", "-XX:+UseSerialGC", "-XX:-UseTLAB")
                        .succeed())
                .contains("all ended")
                .containsPattern("filled [1-9]"); // how many had to be repaired is luck: see RepairTest
    }

    /// Main of the child JVM.
    static final class FullHeap {
        private static final int THREADS = 20;
        private static final int STEPS = 1_000;

        private FullHeap() {}

        public static void main(String[] args) throws InterruptedException {
            Scheduler scheduler = Scheduler.builder().procs(2).build();
            CountDownLatch done = new CountDownLatch(THREADS);
            AtomicInteger turns = new AtomicInteger();
            for (int i = 0; i < THREADS; i++) {
                scheduler.threadFactory().newThread(() -> live(turns, done)).start();
            }
            while (turns.get() < THREADS * STEPS / 4) { // everything has been used once, and needs no memory for that
                LockSupport.parkNanos(1_000_000);
            }
            hold(null); // its first use would need memory as well
            int fills = 0;
            for (long end = System.nanoTime() + 3_000_000_000L; System.nanoTime() < end && done.getCount() > 0; ) {
                try {
                    fillHeap();
                    fills++;
                } catch (OutOfMemoryError _) {
                    // this thread's first use of something needed memory too
                }
                LockSupport.parkNanos(2_000_000);
            }
            if (!done.await(60, TimeUnit.SECONDS)) {
                System.out.println(HangReport.of(done.getCount() + " threads never ran again", scheduler));
                System.exit(1);
            }
            scheduler.close();
            System.out.println("all ended after " + turns + " turns; heap filled " + fills + " times, repaired "
                    + scheduler.stats().repaired());
        }

        private static void live(AtomicInteger turns, CountDownLatch done) {
            for (int step = 0; step < STEPS; ) {
                try {
                    LockSupport.parkNanos(500_000);
                    Thread.yield();
                    turns.incrementAndGet();
                    step++;
                } catch (OutOfMemoryError _) {
                    // tried again: the heap is full for moments only
                }
            }
            done.countDown();
        }

        /// Fills the heap to the last word, and drops it all at its end.
        private static void fillHeap() {
            Object[] chain = null;
            int size = 1 << 16;
            while (size > 0) {
                try {
                    Object[] link = new Object[size];
                    link[0] = chain;
                    chain = link;
                } catch (OutOfMemoryError _) {
                    size /= 2;
                }
            }
            hold(chain);
        }

        private static void hold(Object[] chain) {
            long until = System.nanoTime() + 3_000_000;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            Reference.reachabilityFence(chain);
        }
    }
}
