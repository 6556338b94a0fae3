package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.stats.SchedulerStats;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.Blocker;
import org.awaitility.Awaitility;

/// A scheduler that is put under strain. Closing it passes only if it is sound afterwards: the smoke test passes,
/// everything that started has ended, and the safety net was never needed.
final class Rig implements AutoCloseable {

    /// Only a hang takes longer, whatever else the computer does meanwhile. Mutants hang often: they get less.
    private static final int PATIENCE_SECONDS = Integer.getInteger("heddle.test.patience", 90);

    private final Scheduler scheduler;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private boolean stacksMayEnd;
    private boolean workMayBeForgotten;
    private volatile boolean straining = true;
    private volatile boolean hangs;

    private Rig(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    static Rig procs(int procs) {
        return of(Scheduler.builder().procs(procs).build());
    }

    static Rig of(Scheduler scheduler) {
        return new Rig(scheduler);
    }

    /// The test ends stacks inside the kernel on purpose: work may then be found by the safety net.
    Rig stacksMayEnd() {
        stacksMayEnd = true;
        return this;
    }

    /// The test loses a wake-up or a token on purpose: the system monitor must notice.
    Rig workMayBeForgotten() {
        workMayBeForgotten = true;
        return this;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    SchedulerStats stats() {
        return scheduler.stats();
    }

    Kernel kernel() {
        Thread thread = scheduler.threadFactory().newThread(() -> {});
        return ((KernelPool) Objects.requireNonNull(Jdk.poolOf(thread))).kernel();
    }

    void go(Go.Body body) {
        scheduler.go(body);
    }

    /// Starts a virtual thread.
    Thread start(Runnable task) {
        Thread thread = scheduler.threadFactory().newThread(task);
        thread.start();
        return thread;
    }

    /// Starts `count` goroutines and returns a latch that opens when all have ended normally.
    CountDownLatch goMany(int count, Go.Body body) {
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            scheduler.go(() -> {
                body.run();
                done.countDown();
            });
        }
        return done;
    }

    /// Starts `count` virtual threads and returns a latch that opens when all have ended. What they throw fails the
    /// test.
    CountDownLatch startMany(int count, Runnable task) {
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            start(() -> {
                try {
                    task.run();
                } catch (Throwable failure) {
                    failures.add(failure);
                    throw failure;
                } finally {
                    done.countDown();
                }
            });
        }
        return done;
    }

    /// Starts virtual threads that compute, with no scheduling point, until [#relax]. Returns when all run.
    CountDownLatch startHogs(int count) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(count);
        CountDownLatch done = startMany(count, () -> {
            begun.countDown();
            hog();
        });
        await(begun);
        return done;
    }

    /// Starts a virtual thread that declares a blocking call and blocks its carrier until `release` has a
    /// permit. Returns when it blocks.
    Thread startDeclaredBlock(Semaphore release) throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        Thread blocker = start(() -> {
            boolean attempted = Blocker.begin();
            Jdk.pin();
            blocked.countDown();
            release.acquireUninterruptibly();
            Jdk.unpin();
            Blocker.end(attempted);
        });
        await(blocked);
        return blocker;
    }

    /// Computes until [#relax].
    void hog() {
        while (straining) {
            Thread.onSpinWait();
        }
    }

    /// Ends the hogs.
    void relax() {
        straining = false;
    }

    void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw hang(latch.getCount() + " did not come");
        }
    }

    void join(Thread thread) throws InterruptedException {
        if (!thread.join(Duration.ofSeconds(PATIENCE_SECONDS))) {
            throw hang(thread + " did not end");
        }
    }

    /// The scheduler still does everything: goroutines and threads run, yield, sleep, park and are unparked.
    void smoke() throws InterruptedException {
        int each = 200;
        AtomicInteger woken = new AtomicInteger();
        await(goMany(each, Go::gosched));
        await(startMany(each, () -> {
            Thread child = start(() -> {
                LockSupport.park();
                woken.incrementAndGet();
            });
            Thread.yield();
            LockSupport.parkNanos(1_000);
            LockSupport.unpark(child);
        }));
        Awaitility.await("woken").atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> woken.get() == each);
    }

    AssertionError hang(String problem) {
        hangs = true;
        return new AssertionError(HangReport.of(problem, scheduler));
    }

    @Override
    public void close() throws InterruptedException {
        relax();
        if (hangs) {
            return; // the test fails already, and closing would wait for whatever made it fail
        }
        smoke();
        Thread closer = Thread.ofPlatform().daemon().start(scheduler::close);
        if (!closer.join(Duration.ofSeconds(PATIENCE_SECONDS))) {
            throw hang("the scheduler does not end");
        }
        assertThat(failures).as("what its threads threw").isEmpty();
        SchedulerStats stats = stats();
        assertThat(stats.live()).as("goroutines and threads left").isZero();
        assertThat(stats.idleThreads()).as("machines in the idle list").isBetween(0, stats.threads());
        if (!stacksMayEnd) {
            if (!workMayBeForgotten) {
                assertThat(stats.safetyNet())
                        .as("work that only the safety net found")
                        .isZero();
                assertThat(stats.reclaimedTokens()).as("lost spinning tokens").isZero();
            }
            assertThat(stats.rescued()).as("entries saved from an ended stack").isZero();
        }
    }
}
