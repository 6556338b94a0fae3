package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Makes the schedulers of a test. After each test every one of them must end by itself within a time limit, with
/// nothing alive, and without ever having needed the safety net or the rescue array: those are for disasters, and a
/// test that causes one on purpose makes its scheduler itself.
public final class Schedulers implements AfterEachCallback {

    private static final int SECONDS_TO_END = 60;

    private final List<Scheduler> made = new ArrayList<>();

    public Scheduler procs(int procs) {
        return add(Scheduler.builder().procs(procs).build());
    }

    public Scheduler add(Scheduler scheduler) {
        made.add(scheduler);
        return scheduler;
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        boolean failed = context.getExecutionException().isPresent();
        for (Scheduler scheduler : made) {
            if (failed) {
                // Closing would wait for whatever made the test fail, and hide that.
                System.err.println(
                        context.getDisplayName() + ": " + scheduler.stats().schedTrace());
            } else {
                end(scheduler);
            }
        }
        made.clear();
    }

    private static void end(Scheduler scheduler) throws InterruptedException {
        Thread closer = Thread.ofPlatform().daemon().name("closer").start(scheduler::close);
        if (!closer.join(Duration.ofSeconds(SECONDS_TO_END))) {
            throw new AssertionError(HangReport.of("the scheduler does not end", scheduler));
        }
        Awaitility.await("its threads end")
                .atMost(Duration.ofSeconds(SECONDS_TO_END))
                .untilAsserted(() -> assertThat(threadsOf(scheduler)).isEmpty());
        assertThat(scheduler.stats().live()).as("goroutines left").isZero();
        Health.check(scheduler.stats());
    }

    /// The live platform threads of the scheduler: carriers and helpers.
    static List<Thread> threadsOf(Scheduler scheduler) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(it -> it.getName().startsWith(scheduler.name() + "-"))
                .toList();
    }

    /// Waits for the latch; if it stays shut, fails with everything that is known about the scheduler.
    static void await(CountDownLatch latch, Scheduler scheduler) throws InterruptedException {
        if (!latch.await(SECONDS_TO_END, TimeUnit.SECONDS)) {
            throw new AssertionError(HangReport.of(latch.getCount() + " are missing", scheduler));
        }
    }
}
