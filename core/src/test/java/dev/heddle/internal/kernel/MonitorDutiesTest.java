package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.event.CoarseClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// One test for each duty of the system monitor (F49 to F54): it fails when the monitor neglects that duty, whatever
/// else still works. Duties towards sockets, hogs and undeclared blocking have tests of their own.
class MonitorDutiesTest {

    /// Less than the monitor's deep sleep of a minute: a wake-up that is left out must not be mistaken for a slow
    /// one.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    // ---- F49: how often it looks

    /// A thread computes and nothing waits, so that there is nothing to do. The count has an upper limit only: on
    /// a busy machine the monitor looks less often.
    @Test
    @EnabledOnOs(OS.LINUX)
    void theMonitorBacksOffWhileThereIsNothingToDo() throws Exception {
        try (Rig rig = Rig.of(Scheduler.builder().name("duty").procs(2).build())) {
            CountDownLatch ended = rig.startHogs(1);
            Path status = awaitTask("duty-sysmon").resolve("status");
            await().atMost(PATIENCE).until(() -> sleeps(status) > 60); // the quick ones are over
            long before = sleeps(status);
            long since = System.nanoTime();
            await().pollInterval(Duration.ofMillis(50))
                    .atMost(PATIENCE)
                    .until(() -> System.nanoTime() - since > 500_000_000);
            long looks = sleeps(status) - before;
            long tenMillis = (System.nanoTime() - since) / 10_000_000;
            assertThat(looks).as("looks in %d times 10 ms", tenMillis).isLessThan(2 * tenMillis + 100);
            rig.relax();
            rig.await(ended);
        }
    }

    /// A thread gets its name when the operating system first runs it.
    private static Path awaitTask(String name) {
        return await("a thread with the name " + name)
                .atMost(PATIENCE)
                .until(() -> taskNamed(name), Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<Path> taskNamed(String name) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.filter(it -> name.equals(lineOf(it.resolve("comm")))).findFirst();
        }
    }

    private static String lineOf(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException _) {
            return ""; // the thread has ended
        }
    }

    private static long sleeps(Path status) throws IOException {
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(it -> it.startsWith("voluntary_ctxt_switches:"))
                    .mapToLong(it -> Long.parseLong(it.replaceAll("\\D", "")))
                    .sum();
        }
    }

    // ---- F50: deep sleep, and what ends it

    @Test
    void workFromOutsideWakesTheMonitor() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            SystemMonitor monitor = rig.kernel().monitor;
            await("deep sleep").atMost(PATIENCE).until(monitor::isDeep);
            CountDownLatch ended = rig.startHogs(1);
            await("the monitor watches").atMost(PATIENCE).until(() -> !monitor.isDeep());
            rig.relax();
            rig.await(ended);
        }
    }

    /// A machine that slept for a timer takes a processor by itself: no other machine starts it.
    @Test
    void aTimerThatEndsIdlenessWakesTheMonitor() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            SystemMonitor monitor = rig.kernel().monitor;
            AtomicBoolean deepSeen = new AtomicBoolean();
            CountDownLatch hogging = new CountDownLatch(1);
            CountDownLatch ended = rig.goMany(1, () -> {
                while (!deepSeen.get()) {
                    Thread.sleep(250); // longer than the monitor waits before its deep sleep
                }
                hogging.countDown();
                rig.hog();
            });
            await("deep sleep").atMost(PATIENCE).pollDelay(Duration.ZERO).until(monitor::isDeep);
            deepSeen.set(true);
            rig.await(hogging);
            await("the monitor watches").atMost(PATIENCE).until(() -> !monitor.isDeep());
            rig.relax();
            rig.await(ended);
        }
    }

    @Test
    void closingASchedulerWhoseMonitorSleepsEndsIt() throws InterruptedException {
        Scheduler scheduler = Scheduler.builder().procs(2).build();
        Kernel kernel = Rig.of(scheduler).kernel();
        await("deep sleep").atMost(PATIENCE).until(kernel.monitor::isDeep);
        kernel.close();
        assertThat(kernel.awaitEnd(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        await("its threads end")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Schedulers.threadsOf(scheduler)).isEmpty());
    }

    /// The monitor samples hogs once in a millisecond. Sampled as often as machines that may be blocked they
    /// would share the CPUs with a thread that uses a good part of one, and that then runs late when a
    /// processor is to be taken.
    @Test
    void theMonitorDoesNotCompeteWithHogs() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            rig.await(rig.goMany(1, () -> {}));
            await("ready for hogs")
                    .atMost(PATIENCE)
                    .until(() -> kernel.monitor.demoter().ability() != Demoter.Ability.LOADING);
            long begin = System.nanoTime();
            long before = kernel.monitor.samples();
            rig.startHogs(24);
            await("they have lost their processors")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().hogHandOffs() >= 20);
            long millis = (System.nanoTime() - begin) / 1_000_000;
            assertThat(kernel.monitor.samples() - before).isLessThan(200 + 2 * millis); // 200: until the first hog
        }
    }

    // ---- F52: time slices

    /// One processor, and a goroutine that passes scheduling points without end: only the monitor's request makes
    /// it yield there.
    @Test
    void aTimeSliceEndsAtASchedulingPoint() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicBoolean other = new AtomicBoolean();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch ended = rig.goMany(1, () -> {
                begun.countDown();
                while (!other.get()) {
                    Kernel.checkpoint();
                }
            });
            rig.await(begun);
            rig.go(() -> other.set(true));
            rig.await(ended);
            assertThat(rig.stats().preemptions()).isPositive();
        }
    }

    /// The start of a goroutine is such a point, too. The test asks as the monitor does: the goroutine that is
    /// started runs before its parent goes on.
    @Test
    void aTimeSliceEndsAtTheStartOfAGoroutine() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicBoolean childRan = new AtomicBoolean();
            AtomicBoolean ranFirst = new AtomicBoolean();
            rig.await(rig.goMany(1, () -> {
                Processor processor = processorHere(rig);
                processor.endSlice(processor.schedTick);
                Go.go(() -> childRan.set(true));
                ranFirst.set(childRan.get());
            }));
            assertThat(ranFirst.get()).isTrue();
        }
    }

    /// The operating system may suspend the monitor between its verdict and the request. The thread that runs by
    /// then has just begun its slice.
    @Test
    void aRequestToYieldHoldsForOneSliceOnly() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            List<Boolean> yields = new ArrayList<>();
            rig.await(rig.goMany(1, () -> {
                Processor processor = processorHere(rig);
                Preemption preemption =
                        Objects.requireNonNull(rig.kernel().entries.machineHere()).preemption;
                processor.endSlice(processor.schedTick - 1);
                yields.add(preemption.shouldYield());
                processor.endSlice(processor.schedTick);
                yields.add(preemption.shouldYield());
                Go.gosched();
                yields.add(preemption.shouldYield());
            }));
            assertThat(yields).containsExactly(false, true, false);
        }
    }

    private static Processor processorHere(Rig rig) {
        return Objects.requireNonNull(
                Objects.requireNonNull(rig.kernel().entries.machineHere()).p);
    }

    // ---- F54: declared blocking

    /// Nothing waits for the processor. It is taken all the same, or the monitor could never sleep.
    @Test
    void theProcessorOfALongDeclaredBlockBecomesIdle() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Semaphore release = new Semaphore(0);
            Thread blocker = rig.startDeclaredBlock(release);
            await("all processors idle")
                    .atMost(PATIENCE)
                    .until(() -> rig.stats().idleProcs() == 2);
            assertThat(rig.stats().blockedHandOffs()).isPositive();
            await("deep sleep").atMost(PATIENCE).until(rig.kernel().monitor::isDeep);
            release.release();
            rig.join(blocker);
        }
    }

    // ---- failures

    /// A bug in Heddle cuts each cycle of the monitor short. Every time is counted, and the first one reported.
    /// Once the cause is gone, whole cycles follow, which end in a deep sleep.
    @Test
    void aBugDoesNotEndTheMonitor() throws Exception {
        try (Rig rig = Rig.procs(1);
                ErrorOutput printed = new ErrorOutput()) {
            Kernel kernel = rig.kernel();
            CountDownLatch ended = rig.startHogs(1); // keeps the monitor awake
            long before = rig.stats().repaired();
            try (BrokenLimits _ = new BrokenLimits(kernel)) {
                await("it fails, again and again")
                        .atMost(PATIENCE)
                        .until(() -> rig.stats().repaired() > before + 2);
            }
            await("the report")
                    .atMost(PATIENCE)
                    .until(() -> printed.count("the system monitor failed and goes on") == 1);
            rig.relax();
            rig.await(ended);
            await("deep sleep").atMost(PATIENCE).until(kernel.monitor::isDeep);
        }
    }

    // ---- late timers

    /// No machine sleeps for the timer, and the one that owns its processor does not come to it.
    @Test
    void aMachineIsStartedForALateTimer() throws InterruptedException {
        Kernel kernel = DrivenMachine.kernel(2);
        DrivenMachine busy = new DrivenMachine(kernel);
        kernel.start();
        CountDownLatch fired = new CountDownLatch(1);
        busy.processor.timers.push(new KernelTimer(kernel, kernel.now(), fired::countDown)); // and wakes no machine
        assertThat(fired.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        DrivenMachine.end(kernel);
    }

    // ---- the clock; the safety net is in SafetyNetTest

    /// Preemption points that had no effect ask this clock when to try again.
    @Test
    void theCoarseClockGoesOnWhileAnythingRuns() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            CountDownLatch ended = rig.startHogs(1);
            long before = CoarseClock.nanos();
            await().atMost(PATIENCE).until(() -> CoarseClock.nanos() > before);
            rig.relax();
            rig.await(ended);
        }
    }
}
