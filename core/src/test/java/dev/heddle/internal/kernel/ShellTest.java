package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.event.Goexit;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.ThreadFlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Goroutines use a shell one after the other. A goroutine must not find what its predecessor left behind, and must
/// find what a new thread would have inherited from the spawner.
class ShellTest {

    private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
    private static final InheritableThreadLocal<String> INHERITABLE = new InheritableThreadLocal<>();

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    private final Scheduler scheduler = schedulers.procs(1);

    @FunctionalInterface
    private interface Look<R> {
        R look() throws Throwable;
    }

    /// Runs `mess`, and right after it, in the same shell, `look`; returns what that saw.
    private <R> R inTheSameShell(Go.Body mess, Look<R> look) throws InterruptedException {
        record Seen<R>(R value) {}

        for (int attempt = 0; attempt < 1_000; attempt++) {
            AtomicReference<Thread> messy = new AtomicReference<>();
            AtomicReference<Seen<R>> seen = new AtomicReference<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            CountDownLatch done = new CountDownLatch(2);
            scheduler.go(() -> {
                Go.go(
                        () -> { // runs second
                            try {
                                if (messy.get() == Thread.currentThread()) { // else a slice ended in between
                                    seen.set(new Seen<>(look.look()));
                                }
                            } catch (Throwable e) {
                                failure.set(e);
                            } finally {
                                done.countDown();
                            }
                        });
                Go.go(
                        () -> { // runs first
                            messy.set(Thread.currentThread());
                            try {
                                mess.run();
                            } catch (Goexit e) {
                                throw e;
                            } catch (Throwable e) {
                                failure.set(e);
                            } finally {
                                done.countDown();
                            }
                        });
            });
            Schedulers.await(done, scheduler);
            assertThat(failure.get()).isNull();
            if (seen.get() != null) {
                return seen.get().value();
            }
        }
        throw new AssertionError("no two goroutines ever shared a shell");
    }

    @Test
    void threadLocalsAreNotSeen() throws InterruptedException {
        assertThat(inTheSameShell(() -> LOCAL.set("left behind"), LOCAL::get)).isNull();
    }

    @Test
    void inheritableThreadLocalsAreNotSeen() throws InterruptedException {
        assertThat(inTheSameShell(() -> INHERITABLE.set("left behind"), INHERITABLE::get))
                .isNull();
    }

    @Test
    void theInterruptStatusIsNotSeen() throws InterruptedException {
        assertThat(inTheSameShell(() -> Thread.currentThread().interrupt(), Thread::interrupted))
                .isFalse();
    }

    @Test
    void theParkPermitIsNotSeen() throws InterruptedException {
        long atLeast = 30_000_000;
        long parked = inTheSameShell(() -> LockSupport.unpark(Thread.currentThread()), () -> {
            long since = System.nanoTime();
            LockSupport.parkNanos(atLeast);
            return System.nanoTime() - since;
        });
        assertThat(parked).isGreaterThanOrEqualTo(atLeast);
    }

    @Test
    void theNameIsNotSeen() throws InterruptedException {
        assertThat(inTheSameShell(
                        () -> Thread.currentThread().setName("left behind"),
                        () -> Thread.currentThread().getName()))
                .isEmpty();
    }

    @Test
    void theContextClassLoaderIsNotSeen() throws InterruptedException {
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        ClassLoader other = new URLClassLoader(new URL[0], own);
        assertThat(inTheSameShell(
                        () -> Thread.currentThread().setContextClassLoader(other),
                        () -> Thread.currentThread().getContextClassLoader()))
                .isSameAs(own);
    }

    @Test
    void theUncaughtExceptionHandlerIsNotSeen() throws InterruptedException {
        Thread.UncaughtExceptionHandler left = (_, _) -> {};
        assertThat(inTheSameShell(
                        () -> Thread.currentThread().setUncaughtExceptionHandler(left),
                        () -> Thread.currentThread().getUncaughtExceptionHandler()))
                .isNotSameAs(left);
    }

    @Test
    void openScopesAreClosed() throws InterruptedException {
        AtomicReference<ThreadFlock> left = new AtomicReference<>();
        boolean closed = inTheSameShell(() -> left.set(ThreadFlock.open("left open")), () -> {
            ThreadFlock.open("own").close(); // would have to be closed after the one left open
            return left.get().isClosed();
        });
        assertThat(closed).isTrue();
    }

    @Test
    void whatAGoroutineThrewIsNotSeen() throws InterruptedException {
        assertThat(inTheSameShell(Go::goexit, () -> "fine")).isEqualTo("fine");
    }

    @Test
    void theSpawnersInheritableThreadLocalsAreInherited() throws InterruptedException {
        INHERITABLE.set("of the platform thread");
        try {
            assertThat(inGoroutine(scheduler, INHERITABLE::get)).isEqualTo("of the platform thread");
            assertThat(inGoroutine(scheduler, () -> {
                        INHERITABLE.set("of the goroutine");
                        return inGoroutine(Scheduler.current(), INHERITABLE::get);
                    }))
                    .isEqualTo("of the goroutine");
        } finally {
            INHERITABLE.remove();
        }
        assertThat(inGoroutine(scheduler, INHERITABLE::get)).isNull();
    }

    /// As of the moment of the spawn, whatever the spawner does afterwards.
    @Test
    void inheritedValuesAreThoseOfTheSpawn() throws InterruptedException {
        assertThat(inGoroutine(scheduler, () -> {
                    AtomicReference<String> seen = new AtomicReference<>();
                    CountDownLatch done = new CountDownLatch(1);
                    INHERITABLE.set("before");
                    Go.go(() -> {
                        seen.set(INHERITABLE.get());
                        done.countDown();
                    });
                    INHERITABLE.set("after");
                    done.await();
                    return seen.get();
                }))
                .isEqualTo("before");
    }

    @Test
    void theSpawnersContextClassLoaderIsInherited() throws InterruptedException {
        Thread self = Thread.currentThread();
        ClassLoader own = self.getContextClassLoader();
        ClassLoader other = new URLClassLoader(new URL[0], own);
        self.setContextClassLoader(other);
        try {
            assertThat(inGoroutine(scheduler, () -> Thread.currentThread().getContextClassLoader()))
                    .isSameAs(other);
            assertThat(inGoroutine(scheduler, () -> {
                        Thread.currentThread().setContextClassLoader(own);
                        return inGoroutine(
                                Scheduler.current(),
                                () -> Thread.currentThread().getContextClassLoader());
                    }))
                    .isSameAs(own);
        } finally {
            self.setContextClassLoader(own);
        }
    }

    /// A thread of the scheduler's factory inherits as any thread does.
    @Test
    void plainThreadsInheritToo() throws InterruptedException {
        INHERITABLE.set("of the platform thread");
        try {
            AtomicReference<String> seen = new AtomicReference<>();
            Thread thread = scheduler.threadFactory().newThread(() -> seen.set(INHERITABLE.get()));
            thread.start();
            thread.join();
            assertThat(seen).hasValue("of the platform thread");
        } finally {
            INHERITABLE.remove();
        }
    }

    private static <R> R inGoroutine(Scheduler scheduler, Look<R> look) throws InterruptedException {
        AtomicReference<R> seen = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        scheduler.go(() -> {
            try {
                seen.set(look.look());
            } catch (Throwable e) {
                failure.set(e);
            } finally {
                done.countDown();
            }
        });
        Schedulers.await(done, scheduler);
        assertThat(failure.get()).isNull();
        return seen.get();
    }
}
