package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.procs.SystemFiles;
import dev.heddle.internal.queue.StealRule;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Programs that hurt a scheduler: most of them freeze or leak in another one, or in an early one of ours.
class HostileProgramsTest {

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    /// `func f() { go f() }` inherits its time slice for ever. In Go, with one processor, no other goroutine
    /// runs again.
    @Test
    void aChainOfGoroutinesThatEachStartTheNextDoesNotStarveOthers() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong links = new AtomicLong();
        CountDownLatch ends = new CountDownLatch(1);
        scheduler.go(new Go.Body() {
            @Override
            public void run() {
                links.incrementAndGet();
                if (stop.get()) {
                    ends.countDown();
                } else {
                    Go.go(this);
                }
            }
        });
        CountDownLatch turns = new CountDownLatch(3);
        scheduler.go(
                () -> { // waits in the global queue
                    for (int i = 0; i < 5; i++) {
                        Go.gosched();
                    }
                    turns.countDown();
                });
        scheduler.go(
                () -> { // needs the processor's timers to be looked at
                    for (int i = 0; i < 5; i++) {
                        Thread.sleep(1);
                    }
                    turns.countDown();
                });
        scheduler.go(
                () -> { // waits in the local queue
                    CountDownLatch child = new CountDownLatch(2);
                    Go.go(child::countDown);
                    Go.go(child::countDown);
                    child.await();
                    turns.countDown();
                });
        Schedulers.await(turns, scheduler);
        stop.set(true);
        Schedulers.await(ends, scheduler);
        assertThat(links.get()).isPositive();
    }

    /// Each stack trace of a runnable thread queues its resume task once more (N5): threads still run exactly as
    /// often as they should, and are counted once.
    @Test
    void aStormOfStackTracesMakesNothingRunTwice() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(2);
        int threads = 30;
        int steps = 300;
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger[] turns = new AtomicInteger[threads];
        Thread[] victims = new Thread[threads];
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            AtomicInteger count = turns[i] = new AtomicInteger();
            int number = i;
            victims[i] = scheduler.threadFactory().newThread(() -> {
                for (int step = 0; step < steps; step++) {
                    count.incrementAndGet();
                    switch ((step + number) % 3) {
                        case 0 -> Thread.yield();
                        case 1 -> LockSupport.parkNanos(1_000);
                        default -> {
                            LockSupport.unpark(victims[(number + 1) % threads]);
                            Thread.yield();
                        }
                    }
                }
                done.countDown();
            });
        }
        List<Thread> storm = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            storm.add(Thread.ofPlatform().daemon().start(() -> {
                while (!stop.get()) {
                    for (Thread victim : victims) {
                        victim.getStackTrace();
                    }
                }
            }));
        }
        for (Thread victim : victims) {
            victim.start();
        }
        Schedulers.await(done, scheduler);
        stop.set(true);
        for (Thread thread : storm) {
            thread.join();
        }
        assertThat(turns).allMatch(it -> it.get() == steps);
        await().untilAsserted(() -> assertThat(scheduler.stats().live()).isZero());
    }

    /// Stopping the world waits for no user code, so the number of processors can change while hogs compute.
    @Test
    void theNumberOfProcessorsChangesUnderHogs() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        int hogs = 3;
        int walkers = 50;
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch hogsDone = new CountDownLatch(hogs);
        CountDownLatch walkersDone = new CountDownLatch(walkers);
        for (int i = 0; i < hogs; i++) {
            scheduler.go(() -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
                hogsDone.countDown();
            });
        }
        for (int i = 0; i < walkers; i++) {
            scheduler.go(() -> {
                for (int step = 0; step < 20; step++) {
                    Go.gosched();
                    LockSupport.parkNanos(1_000);
                }
                walkersDone.countDown();
            });
        }
        for (int i = 0; i < 100; i++) {
            int procs = i % 2 == 0 ? 8 : 1;
            scheduler.setProcs(procs);
            assertThat(scheduler.procs()).isEqualTo(procs);
            assertThat(scheduler.stats().localQueues()).hasSize(procs);
            assertThat(scheduler.stats().schedTicks()).hasSize(procs);
        }
        Schedulers.await(walkersDone, scheduler);
        stop.set(true);
        Schedulers.await(hogsDone, scheduler);
    }

    /// Queues, shells and machines let go of what has ended, and of what its stack held: even if nothing
    /// runs after it that would overwrite a slot (N4).
    @Test
    void anIdleSchedulerHoldsNothingThatHasEnded() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(2);
        List<WeakReference<?>> references = startAndForget(scheduler, 1_000);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            System.gc();
            assertThat(references.stream().filter(it -> it.get() != null)).isEmpty();
        });
    }

    private static List<WeakReference<?>> startAndForget(Scheduler scheduler, int count) throws InterruptedException {
        List<WeakReference<?>> references = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(2 * count);
        for (int i = 0; i < count; i++) {
            byte[] body = new byte[1_000];
            byte[] task = new byte[1_000];
            boolean parks = i % 3 == 0;
            Thread thread = scheduler.threadFactory().newThread(() -> {
                work(task, parks);
                done.countDown();
            });
            scheduler.go(() -> {
                work(body, parks);
                done.countDown();
            });
            thread.start();
            references.add(new WeakReference<>(body));
            references.add(new WeakReference<>(task));
            references.add(new WeakReference<>(thread));
        }
        Schedulers.await(done, scheduler);
        await().untilAsserted(() -> assertThat(scheduler.stats().live()).isZero());
        return references;
    }

    private static void work(byte[] data, boolean parks) {
        byte[] held = data;
        if (parks) {
            LockSupport.parkNanos(10_000);
        } else {
            Thread.yield();
        }
        held[0]++;
    }

    /// A timeout that was cancelled long before it is due does not keep its thread alive.
    @Test
    void aCancelledTimerHoldsNothing() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        List<WeakReference<Thread>> references = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Thread thread = scheduler.threadFactory().newThread(() -> LockSupport.parkNanos(3_600_000_000_000L));
            thread.start();
            await().pollInterval(Duration.ofMillis(1)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            LockSupport.unpark(thread);
            thread.join();
            references.add(new WeakReference<>(thread));
        }
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            System.gc();
            assertThat(references.stream().filter(it -> it.get() != null)).isEmpty();
        });
    }

    /// Any code can find the carriers and interrupt them: an idle carrier goes on sleeping. A thread that has ended
    /// keeps its interrupt status, and the demoter may end at any time: only live threads are judged.
    @Test
    void interruptingEveryCarrierDoesNotMakeItSpin() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(4);
        CountDownLatch all = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            scheduler.go(() -> {
                all.countDown();
                while (all.getCount() > 0) {
                    Thread.onSpinWait();
                }
            });
        }
        Schedulers.await(all, scheduler);
        scheduler.go(() -> LockSupport.parkNanos(500_000_000)); // one machine sleeps until a timer
        List<Thread> threads = Schedulers.threadsOf(scheduler);
        assertThat(threads).filteredOn(Machine.class::isInstance).isNotEmpty();
        await().until(() -> scheduler.stats().idleProcs() == 4);
        threads.forEach(Thread::interrupt);
        // A park returns at once for as long as the status is set: so it must be cleared, and then they sleep again.
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(threads)
                        .filteredOn(Thread::isAlive)
                        .allMatch(it -> !it.isInterrupted()
                                && (it.getState() == Thread.State.WAITING
                                        || it.getState() == Thread.State.TIMED_WAITING)));
        CountDownLatch done = new CountDownLatch(1);
        scheduler.go(done::countDown);
        Schedulers.await(done, scheduler);
    }

    /// Surplus machines end after a while, and new ones are made when they are needed again.
    @Test
    void machinesThatAreNotNeededRetire() throws InterruptedException {
        ProcsWatcher eight = ProcsWatcher.ofThisProcess(SystemFiles.real(), ProcsSettings.ofThisProcess());
        eight.setExplicit(8, "test");
        long idleNanos = Duration.ofMillis(20).toNanos();
        Kernel kernel =
                Kernel.start(new KernelOptions("retiring", eight, null, 10_000, idleNanos, StealRule.GO, null, null));
        for (int round = 0; round < 3; round++) {
            CountDownLatch together = new CountDownLatch(8);
            for (int i = 0; i < 8; i++) {
                kernel.spawn(new TestGoroutine(() -> {
                    together.countDown();
                    while (together.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }));
            }
            assertThat(together.await(60, TimeUnit.SECONDS)).isTrue();
            await().untilAsserted(() -> assertThat(kernel.stats().threads()).isLessThanOrEqualTo(2));
        }
        kernel.close();
        assertThat(kernel.awaitEnd(60, TimeUnit.SECONDS)).isTrue();
        Health.check(kernel.stats());
    }
}
