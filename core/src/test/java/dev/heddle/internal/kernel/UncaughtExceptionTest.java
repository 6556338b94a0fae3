package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// An exception that a goroutine throws goes to one handler, and affects no other goroutine.
class UncaughtExceptionTest {

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    private final List<Throwable> caught = new CopyOnWriteArrayList<>();

    private void handle(Thread thread, Throwable failure) {
        assertThat(thread).isSameAs(Thread.currentThread());
        caught.add(failure);
    }

    private Scheduler withHandler() {
        return schedulers.add(Scheduler.builder()
                .procs(1)
                .uncaughtExceptionHandler(this::handle)
                .build());
    }

    /// Runs the bodies one after the other, and one more that proves that the scheduler still runs.
    private static void runAll(Scheduler scheduler, Go.Body... bodies) throws InterruptedException {
        for (Go.Body body : bodies) {
            CountDownLatch done = new CountDownLatch(1);
            scheduler.go(() -> {
                try {
                    body.run();
                } finally {
                    done.countDown();
                }
            });
            Schedulers.await(done, scheduler);
        }
        CountDownLatch after = new CountDownLatch(1);
        scheduler.go(after::countDown);
        Schedulers.await(after, scheduler);
    }

    @Test
    void goesToTheHandlerOfTheScheduler() throws InterruptedException {
        Exception checked = new Exception("checked");
        Error error = new Error("error");
        runAll(
                withHandler(),
                () -> {
                    throw checked;
                },
                () -> {
                    throw error;
                });
        assertThat(caught).containsExactly(checked, error);
    }

    @Test
    void withoutAHandlerOfTheSchedulerItGoesToTheThreads() throws InterruptedException {
        RuntimeException failure = new RuntimeException("to the thread's handler");
        runAll(schedulers.procs(1), () -> {
            Thread.currentThread().setUncaughtExceptionHandler(this::handle);
            throw failure;
        });
        assertThat(caught).containsExactly(failure);
    }

    @Test
    void theHandlersOwnFailureIsIgnored() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Scheduler scheduler = schedulers.add(Scheduler.builder()
                .procs(1)
                .uncaughtExceptionHandler((_, _) -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("from the handler");
                })
                .build());
        runAll(
                scheduler,
                () -> {
                    throw new RuntimeException("first");
                },
                () -> {
                    throw new RuntimeException("second");
                });
        assertThat(calls).hasValue(2);
    }

    /// Whatever is thrown, the carrier goes on.
    @Test
    void neverEndsAMachine() throws InterruptedException {
        Scheduler scheduler = withHandler();
        AtomicInteger depth = new AtomicInteger();
        Set<Thread> carriers = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            runAll(
                    scheduler,
                    () -> {
                        carriers.add(Jdk.currentCarrierThread());
                        throw new OutOfMemoryError("made up");
                    },
                    () -> overflow(depth),
                    () -> {
                        Thread.sleep(1);
                        throw new LinkageError("made up");
                    });
        }
        assertThat(caught).hasSize(600);
        assertThat(caught.get(1)).isInstanceOf(StackOverflowError.class);
        assertThat(carriers).isNotEmpty().allMatch(Thread::isAlive);
    }

    private static void overflow(AtomicInteger depth) {
        if (depth.incrementAndGet() != 0) { // always, but Error Prone cannot know
            overflow(depth);
        }
    }

    @Test
    void threadsOfTheFactoryHaveTheirOwnHandler() throws InterruptedException {
        Scheduler scheduler = schedulers.procs(1);
        RuntimeException failure = new RuntimeException("of a virtual thread");
        Thread thread = scheduler.threadFactory().newThread(() -> {
            throw failure;
        });
        thread.setUncaughtExceptionHandler(this::handle);
        thread.start();
        thread.join();
        assertThat(caught).containsExactly(failure);
    }

    @Test
    void goexitRunsFinallyBlocksAndNothingElse() throws InterruptedException {
        List<String> steps = new CopyOnWriteArrayList<>();
        runAll(withHandler(), () -> {
            try {
                try {
                    Go.goexit();
                    steps.add("after goexit");
                } finally {
                    steps.add("inner");
                }
                steps.add("after inner");
            } finally {
                steps.add("outer");
            }
        });
        assertThat(steps).containsExactly("inner", "outer");
        assertThat(caught).isEmpty();
    }

    @Test
    void goOfNullIsRefusedInGosWords() {
        Scheduler scheduler = schedulers.procs(1);
        assertThatThrownBy(() -> scheduler.go(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("go of nil func value");
    }
}
