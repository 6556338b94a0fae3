package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.kernel.Schedulers;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A thousand dumps and snapshots of a scheduler that starts, parks, yields, locks and ends goroutines as fast as it
/// can: none hangs, fails, or misses or invents anything, and once all is quiet the counts are exact.
///
/// A snapshot is not atomic: its parts are read one after the other, and the remainder is adjusted to fit. So this test
/// compares only what it knows by itself: which goroutines wait for ever, and how many goroutines there can be at most.
class ObserveStressTest {

    private static final int DUMPS = 1_000;
    private static final int PAIRS = 2;
    private static final int FOREVER = 20;

    private static final int PROCS = 2;
    private static final int SLEEPERS = 4;

    /// Each pair has two, each spawner itself and two children; and on each processor one that has just ended may
    /// not be counted as such yet.
    private static final int MOST = FOREVER + 2 * PAIRS + 3 * PAIRS + SLEEPERS + PROCS;

    /// More than there ever are: every dump is complete.
    private static final int SHOWN = 60;

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    private final dev.heddle.management.Schedulers bean = new dev.heddle.management.Schedulers();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger working = new AtomicInteger();

    @Test
    void aThousandDumpsDuringStressAddUp() {
        Scheduler scheduler =
                schedulers.add(Scheduler.builder().name("stressed").procs(PROCS).build());
        Chan<Integer> forever = Chan.make();
        for (int i = 0; i < FOREVER; i++) {
            scheduler.go(forever::receive);
        }
        Awaitility.await().untilAsserted(() -> assertThat(receivers()).hasSize(FOREVER));
        Set<Long> waitForEver = receivers();
        for (int i = 0; i < PAIRS; i++) {
            pingPong(scheduler);
            spawn(scheduler);
        }
        sleepers(scheduler);
        long created = 0;
        long switches = 0;

        for (int i = 0; i < DUMPS; i++) {
            SchedulerSnapshot snapshot = bean.snapshot("stressed");
            check(snapshot);
            assertThat(snapshot.created()).isGreaterThanOrEqualTo(created);
            assertThat(snapshot.stats().switches()).isGreaterThanOrEqualTo(switches);
            created = snapshot.created();
            switches = snapshot.stats().switches();
            List<GoroutineStats> goroutines = bean.goroutines("stressed", SHOWN, 20);
            assertThat(goroutines).extracting(GoroutineStats::id).doesNotHaveDuplicates();
            assertThat(goroutines).hasSizeBetween(FOREVER, MOST);
            assertThat(goroutines.stream().filter(it -> waitForEver.contains(it.id())))
                    .hasSize(FOREVER)
                    .allMatch(it -> it.state() == GoroutineState.WAITING && "chan receive".equals(it.waitReason()));
            assertThat(new GoroutineDump(snapshot, goroutines).text(i % 2 == 0)).startsWith("scheduler stressed: ");
        }

        stop.set(true);
        Awaitility.await().untilAsserted(() -> assertThat(working).hasValue(0));
        Awaitility.await().untilAsserted(() -> {
            SchedulerSnapshot quiet = bean.snapshot("stressed");
            assertThat(quiet.stats().live()).isEqualTo(FOREVER);
            assertThat(quiet.waiting()).isEqualTo(FOREVER);
            assertThat(bean.goroutines("stressed", Integer.MAX_VALUE, 20))
                    .hasSize(FOREVER)
                    .allMatch(it -> "chan receive".equals(it.waitReason()));
        });
        assertThat(bean.snapshot("stressed").latency().count()).isPositive();
        forever.close();
    }

    private static void check(SchedulerSnapshot snapshot) {
        long live = snapshot.stats().live();
        assertThat(live).isBetween((long) FOREVER, (long) MOST);
        assertThat(snapshot.created()).isGreaterThanOrEqualTo(live);
        assertThat(snapshot.processors()).hasSize(PROCS);
        assertThat(snapshot.stats().safetyNet()).isZero();
    }

    private Set<Long> receivers() {
        return bean.goroutines("stressed", SHOWN, 20).stream()
                .filter(it -> "chan receive".equals(it.waitReason()))
                .map(GoroutineStats::id)
                .collect(Collectors.toSet());
    }

    private void worker(Scheduler scheduler, Go.Body body) {
        working.incrementAndGet();
        scheduler.go(() -> {
            try {
                body.run();
            } finally {
                working.decrementAndGet();
            }
        });
    }

    private void pingPong(Scheduler scheduler) {
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        worker(scheduler, () -> {
            while (!stop.get()) {
                there.send(1);
                back.receive();
            }
            there.close();
        });
        worker(scheduler, () -> {
            while (there.receive() != null) {
                back.send(2);
            }
        });
    }

    private void spawn(Scheduler scheduler) {
        worker(scheduler, () -> {
            while (!stop.get()) {
                Chan<Integer> done = Chan.make();
                Go.go(() -> done.send(1));
                Thread yielding = Thread.ofVirtual().start(Go::gosched);
                done.receive();
                yielding.join(); // or they would pile up: the global queue comes second where local work never ends
                // (F39)
            }
        });
    }

    private void sleepers(Scheduler scheduler) {
        Object monitor = new Object();
        for (int i = 0; i < SLEEPERS; i++) {
            worker(scheduler, () -> {
                while (!stop.get()) {
                    synchronized (monitor) {
                        Thread.sleep(1);
                    }
                }
            });
        }
    }
}
