package dev.heddle.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SchedulersTest {

    private final Schedulers bean = new Schedulers();

    private List<GoroutineStats> waitingIn(Scheduler scheduler, int count) {
        Awaitility.await()
                .until(() -> goroutines(scheduler).stream()
                                .filter(it -> it.state() == GoroutineState.WAITING)
                                .count()
                        == count);
        return goroutines(scheduler);
    }

    private List<GoroutineStats> goroutines(Scheduler scheduler) {
        return bean.goroutines(scheduler.name(), Integer.MAX_VALUE, 100);
    }

    // Each test lists, after its scheduler, a resource that ends the goroutines: `close` of the scheduler waits for
    // them, so without it a failed assertion would not be reported but hang the test.

    @Test
    void everyKindOfWaitHasGosName() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        Chan<Integer> never = Chan.make();
        CountDownLatch latch = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder()
                        .name("waits")
                        .procs(2)
                        .uncaughtExceptionHandler((thread, interrupt) -> {})
                        .build();
                AutoCloseable _ = () -> interruptAll(scheduler)) {
            scheduler.go(never::receive);
            scheduler
                    .threadFactory()
                    .newThread(() -> LockSupport.park("just so"))
                    .start();
            scheduler.go(() -> {
                latch.await();
                never.close();
            });
            scheduler.go(() -> {
                Go.lockOSThread();
                synchronized (monitor) {
                    never.receive();
                }
            });
            waitingIn(scheduler, 4);
            scheduler.go(() -> {
                synchronized (monitor) {
                    latch.await();
                }
            });
            scheduler.go(() -> Thread.sleep(100_000_000));
            lock.lock();
            scheduler.go(lock::lockInterruptibly);

            List<GoroutineStats> all = waitingIn(scheduler, 7);

            assertThat(all)
                    .extracting(GoroutineStats::waitReason)
                    .containsExactlyInAnyOrder(
                            "chan receive",
                            "chan receive",
                            "semacquire",
                            "semacquire",
                            "sync.Mutex.Lock",
                            "sync.Mutex.Lock",
                            "sleep");
            Map<Boolean, List<GoroutineStats>> byLock =
                    all.stream().collect(Collectors.partitioningBy(GoroutineStats::locked));
            assertThat(byLock.get(true)).hasSize(1);
            GoroutineStats holder = byLock.get(true).getFirst();
            assertThat(holder.monitors()).hasSize(1);
            assertThat(holder.waitNanos()).isNotNegative();
            assertThat(all).anyMatch(it -> holder.monitors().getFirst().equals(it.blocker()));
            assertThat(all).anyMatch(it -> it.owner() == Thread.currentThread().threadId());
            assertThat(all)
                    .filteredOn(it -> "sleep".equals(it.waitReason()))
                    .singleElement()
                    .satisfies(it -> assertThat(it.stack().getLast()).contains("SchedulersTest.lambda$"))
                    .satisfies(it -> assertThat(it.body()).isEqualTo(SchedulersTest.class.getName()));

            SchedulerSnapshot snapshot = bean.snapshot("waits");
            assertThat(snapshot.waiting()).isEqualTo(7);
            assertThat(snapshot.stats().live()).isEqualTo(7);
            assertThat(snapshot.created()).isEqualTo(7);
            assertThat(snapshot.machines())
                    .filteredOn(it -> it.locked() == holder.id())
                    .hasSize(1);

            latch.countDown();
            lock.unlock();
        }
        assertThat(bean.getNames()).doesNotContain("waits");
    }

    private static void interruptAll(Scheduler scheduler) {
        dev.heddle.internal.kernel.Inspector.kernels().stream()
                .filter(it -> it.name().equals(scheduler.name()))
                .flatMap(it -> dev.heddle.internal.kernel.Inspector.threads(it).stream())
                .forEach(Thread::interrupt);
    }

    @Test
    void statesOfRunningAndQueuedGoroutinesAddUp() throws Exception {
        CountDownLatch hogs = new CountDownLatch(1);
        CountDownLatch stop = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("busy").procs(1).build();
                AutoCloseable _ = stop::countDown) {
            scheduler.go(() -> {
                for (int i = 0; i < 10; i++) {
                    Go.go(stop::await); // queued behind the hog, which is this goroutine itself
                }
                hogs.countDown();
                while (stop.getCount() > 0) {
                    Thread.onSpinWait();
                }
            });
            hogs.await();

            SchedulerSnapshot snapshot = bean.snapshot("busy");

            assertThat(snapshot.running() + snapshot.notInGo() + snapshot.runnable() + snapshot.waiting())
                    .isEqualTo(11);
            assertThat(snapshot.processors())
                    .singleElement()
                    .satisfies(it -> assertThat(it.started()).isEqualTo(10));
            // For moments it may sleep in the JVM, for example at the compiler's lock while its loop is compiled.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> goroutines(scheduler).stream()
                            .anyMatch(it -> it.state() == GoroutineState.RUNNING && it.machine() > 0));
        }
    }

    /// The second one runs after the first has lost the only processor, and the first computes on.
    @Test
    void aHogWithoutAProcessorCountsAsRunning() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("hogs").procs(1).build();
                AutoCloseable _ = stop::countDown) {
            for (int i = 0; i < 2; i++) {
                scheduler.go(() -> {
                    while (stop.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                });
            }

            SchedulerSnapshot snapshot = Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> bean.snapshot("hogs"), it -> it.running() == 2);

            assertThat(snapshot.states()).contains("2 running").contains("0 waiting");
        }
    }

    @Test
    void creatorsAreNotedOnRequestOnly() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("created").procs(1).build();
                AutoCloseable _ = stop::countDown) {
            scheduler.go(stop::await);
            dev.heddle.internal.kernel.CreationSite.note(true);
            scheduler.go(stop::await);
            dev.heddle.internal.kernel.CreationSite.note(false);

            List<GoroutineStats> both = waitingIn(scheduler, 2);

            assertThat(both)
                    .filteredOn(it -> it.createdBy() != null)
                    .singleElement()
                    .satisfies(it -> assertThat(it.createdBy())
                            .contains("SchedulersTest.creatorsAreNotedOnRequestOnly(SchedulersTest.java:"))
                    .satisfies(it -> assertThat(it.creator())
                            .isEqualTo(Thread.currentThread().threadId()));
        }
    }

    /// As a client that attaches gets them: all answers pass through open types.
    @Test
    void answersByJmx() throws Exception {
        Schedulers.register();
        Schedulers.register(); // once more does no harm
        SchedulersMXBean remote = JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(),
                new ObjectName(Schedulers.OBJECT_NAME),
                SchedulersMXBean.class);
        CountDownLatch stop = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().name("twins").procs(1).build();
                Scheduler twin = Scheduler.builder().name("twins").procs(2).build();
                AutoCloseable _ = stop::countDown) {
            scheduler.go(stop::await);
            assertThat(remote.getNames()).contains("twins", "twins#2");
            waitingIn(scheduler, 1);

            assertThat(remote.goroutines("twins", 10, 100))
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("waitNanos", "seenNanos") // they grow
                    .isEqualTo(bean.goroutines("twins", 10, 100));
            assertThat(remote.goroutines("twins", 0, 100)).isEmpty();
            assertThat(remote.snapshot("twins#2").stats().procs()).isEqualTo(twin.procs());
            assertThat(remote.getSnapshots().stream()
                            .collect(Collectors.toMap(SchedulerSnapshot::name, Function.identity()))
                            .get("twins")
                            .waiting())
                    .isEqualTo(1);
            assertThatThrownBy(() -> remote.snapshot("nobody"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there is no scheduler 'nobody'; there are ");
        }
    }
}
