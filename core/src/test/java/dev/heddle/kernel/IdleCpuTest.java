package dev.heddle.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Idle means idle: a scheduler without work uses no CPU, counted from the CPU time of the whole process. The JVMs wait
/// side by side, since none of them does anything.
class IdleCpuTest {

    private static final Duration WATCHED = Duration.ofSeconds(10);

    /// 0.2 % of a core.
    private static final Duration ALLOWED = WATCHED.dividedBy(500);

    enum Idleness {
        /// Made, and nothing ever started.
        NEVER_USED,
        /// After much work.
        USED,
        /// After much work, with a thread parked and a timer that is due in an hour.
        WAITING
    }

    /// Main of the child JVM: prints the nanoseconds of CPU time that it used while it was watched.
    static final class Idle {
        private Idle() {}

        public static void main(String[] args) throws InterruptedException {
            Idleness idleness = Idleness.valueOf(args[0]);
            Scheduler scheduler = Scheduler.builder().procs(4).build();
            if (idleness != Idleness.NEVER_USED) {
                work(scheduler);
            }
            if (idleness == Idleness.WAITING) {
                scheduler.go(() -> LockSupport.park(scheduler));
                scheduler.go(() -> Thread.sleep(Duration.ofHours(1)));
            }
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            system.getProcessCpuTime();
            long least = Long.MAX_VALUE;
            // The JVM has work of its own left when the program has none: compiling what became hot. So it may take
            // a second look, and a third.
            for (int look = 0; look < 3 && least > ALLOWED.toNanos(); look++) {
                Thread.sleep(Duration.ofSeconds(1));
                long before = system.getProcessCpuTime();
                Thread.sleep(WATCHED);
                least = Math.min(least, system.getProcessCpuTime() - before);
            }
            Health.check(scheduler.stats());
            System.out.println(least);
            System.exit(0); // what waits for an hour does not matter
        }

        private static void work(Scheduler scheduler) throws InterruptedException {
            int count = 20_000;
            CountDownLatch done = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                scheduler.go(() -> {
                    Go.gosched();
                    LockSupport.parkNanos(100_000);
                    done.countDown();
                });
            }
            done.await();
        }
    }

    @Test
    void anIdleSchedulerUsesNoCpu() throws Exception {
        Map<Idleness, Future<String>> children = new EnumMap<>(Idleness.class);
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            for (Idleness idleness : Idleness.values()) {
                children.put(
                        idleness,
                        executor.submit(() -> ChildJvm.of(Idle.class, idleness.name())
                                .option("-XX:+UseSerialGC")
                                .succeed()));
            }
        }
        List<String> tooBusy = new ArrayList<>();
        for (Map.Entry<Idleness, Future<String>> child : children.entrySet()) {
            Duration used =
                    Duration.ofNanos(Long.parseLong(child.getValue().get().strip()));
            if (used.compareTo(ALLOWED) > 0) {
                tooBusy.add(child.getKey() + ": " + used);
            }
        }
        assertThat(tooBusy)
                .as("CPU time in " + WATCHED + ", allowed " + ALLOWED)
                .isEmpty();
    }
}
