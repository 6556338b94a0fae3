package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Idle means idle: no thread of a scheduler without work wakes up. What counts is how often the operating system ran
/// each of them, which depends neither on the machine's speed nor on what else the JVM does.
@EnabledOnOs(OS.LINUX)
class IdleCpuTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration WATCHED = Duration.ofSeconds(3);

    /// A machine may end because it idled for long, and whatever runs all the time wakes a hundred times as often.
    private static final long MOST_WAKES = 3;

    enum Idleness {
        /// Made, and nothing ever started.
        NEVER_USED,
        /// After much work.
        USED,
        /// After much work, with a thread parked and a timer that is due in an hour.
        WAITING
    }

    @ParameterizedTest
    @EnumSource
    void noThreadOfAnIdleSchedulerWakesUp(Idleness idleness) throws Exception {
        String name = "idle" + idleness.ordinal();
        try (Rig rig = Rig.of(Scheduler.builder().name(name).procs(4).build())) {
            if (idleness != Idleness.NEVER_USED) {
                rig.await(rig.goMany(20_000, () -> {
                    Go.gosched();
                    LockSupport.parkNanos(100_000);
                }));
            }
            Thread parked = rig.scheduler().threadFactory().newThread(LockSupport::park);
            Thread sleeper = rig.scheduler().threadFactory().newThread(() -> LockSupport.parkNanos(3_600_000_000_000L));
            if (idleness == Idleness.WAITING) {
                parked.start();
                sleeper.start();
            }
            await("deep sleep of the monitor").atMost(PATIENCE).until(rig.kernel().monitor::isDeep);
            Map<String, Long> before = switchesOf(name);
            assertThat(before).containsKeys(name + "-sysmon", name + "-starter");
            await().pollDelay(WATCHED).atMost(PATIENCE).until(() -> true);
            Map<String, Long> after = switchesOf(name);
            after.forEach((thread, switches) -> assertThat(switches - before.getOrDefault(thread, 0L))
                    .as("times that %s ran in %s", thread, WATCHED)
                    .isLessThanOrEqualTo(MOST_WAKES));
            LockSupport.unpark(parked);
            LockSupport.unpark(sleeper);
        }
    }

    /// How often each thread of the scheduler was run, voluntary and involuntary switches together.
    private static Map<String, Long> switchesOf(String scheduler) throws IOException {
        Map<String, Long> switches = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : (Iterable<Path>) tasks::iterator) {
                try {
                    String thread = Files.readString(task.resolve("comm")).strip();
                    if (thread.startsWith(scheduler + "-")) {
                        switches.put(thread, sumOf(Files.readString(task.resolve("status"))));
                    }
                } catch (IOException _) {
                    // the thread has ended meanwhile
                }
            }
        }
        return switches;
    }

    private static long sumOf(String status) {
        return status.lines()
                .filter(it -> it.contains("voluntary_ctxt_switches:"))
                .mapToLong(it -> Long.parseLong(it.replaceAll("\\D", "")))
                .sum();
    }
}
