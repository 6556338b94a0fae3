package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Scheduler;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The pool is a ForkJoinPool by type only: whatever the JDK, a tool or a user calls leads to the kernel, or is refused
/// in words. A method that were not overridden would start a second, ordinary pool underneath (J3).
class CarrierPoolTest {

    private final Scheduler scheduler =
            Scheduler.builder().procs(2).name("pool-test").build();
    private final CarrierPool pool = Jdk.poolOf(scheduler.threadFactory().newThread(() -> {}));

    @AfterEach
    void noThreadOfForkJoinPoolWasMade() {
        pool.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(it -> it.getName().contains("DelayScheduler"))
                .noneMatch(it -> it instanceof ForkJoinWorkerThread worker
                        && worker.getPool() == pool
                        && !(worker instanceof Carrier));
    }

    @Test
    void everyMethodThatCanBeOverriddenIs() {
        List<String> missing = new ArrayList<>();
        for (Method method : ForkJoinPool.class.getDeclaredMethods()) {
            int modifiers = method.getModifiers();
            boolean visible = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
            if (visible
                    && !Modifier.isStatic(modifiers)
                    && !method.isSynthetic()
                    && !startsNothing(method)
                    && !isOverridden(method)) {
                missing.add(method.toString());
            }
        }
        assertThat(missing).isEmpty();
    }

    /// `newTaskFor` makes a task and starts nothing; the methods that would call it are overridden themselves.
    private static boolean startsNothing(Method method) {
        return method.getName().equals("newTaskFor");
    }

    private static boolean isOverridden(Method method) {
        return Arrays.stream(CarrierPool.class.getDeclaredMethods())
                .anyMatch(it -> it.getName().equals(method.getName())
                        && Arrays.equals(it.getParameterTypes(), method.getParameterTypes()));
    }

    /// The comparison above finds something if there is something to find.
    @Test
    void theComparisonNoticesAMethodThatIsNotOverridden() throws NoSuchMethodException {
        assertThat(isOverridden(ForkJoinPool.class.getMethod("submit", Runnable.class)))
                .isTrue();
        assertThat(isOverridden(Object.class.getMethod("hashCode"))).isFalse();
    }

    @Test
    void tasksRunInVirtualThreadsOfTheScheduler() throws Exception {
        AtomicReference<Thread> ran = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        pool.execute((Runnable) () -> {
            ran.set(Thread.currentThread());
            done.countDown();
        });
        done.await();
        assertThat(Jdk.poolOf(ran.get())).isSameAs(pool);
        Callable<Thread> task = Thread::currentThread;
        assertThat(Jdk.poolOf(pool.submit(task).get())).isSameAs(pool);
        ran.set(null);
        assertThat(pool.submit(() -> ran.set(Thread.currentThread()), "result").get())
                .isEqualTo("result");
        assertThat(Jdk.poolOf(ran.get())).isSameAs(pool);
        assertThat(pool.submit(() -> ran.set(null)).get()).isNull();
        assertThat(ran).hasNullValue();
    }

    @Test
    void forkJoinTasksRunToo() throws Exception {
        RecursiveTask<Integer> task = new RecursiveTask<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected Integer compute() {
                return 42;
            }
        };
        assertThat(pool.invoke(task)).isEqualTo(42);
        ForkJoinTask<String> adapted = ForkJoinTask.adapt(() -> "adapted");
        assertThat(pool.submit(adapted).get()).isEqualTo("adapted");
        ForkJoinTask<String> lazy = ForkJoinTask.adapt(() -> "lazy");
        assertThat(pool.lazySubmit(lazy).get()).isEqualTo("lazy");
        ForkJoinTask<String> executed = ForkJoinTask.adapt(() -> "executed");
        pool.execute(executed);
        assertThat(executed.get()).isEqualTo("executed");
        ForkJoinTask<String> failing = ForkJoinTask.adapt((Callable<String>) () -> {
            throw new IOException("on purpose");
        });
        assertThatThrownBy(() -> pool.submit(failing).get())
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("on purpose");
    }

    @Test
    void groupsOfTasksKeepTheirPromises() throws Exception {
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3);
        assertThat(values(pool.invokeAll(tasks))).containsExactly(1, 2, 3);
        assertThat(values(pool.invokeAllUninterruptibly(tasks))).containsExactly(1, 2, 3);
        assertThat(values(pool.invokeAll(tasks, 1, TimeUnit.MINUTES))).containsExactly(1, 2, 3);
        assertThat(pool.<Integer>invokeAny(tasks)).isBetween(1, 3);
        assertThat(pool.<Integer>invokeAny(tasks, 1, TimeUnit.MINUTES)).isBetween(1, 3);
        List<Callable<Integer>> endless = List.of(() -> {
            Thread.sleep(3_600_000);
            return 0;
        });
        assertThatThrownBy(() -> pool.invokeAny(endless, 10, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        assertThat(pool.invokeAll(endless, 10, TimeUnit.MILLISECONDS)).allMatch(Future::isCancelled);
    }

    private static List<Integer> values(List<Future<Integer>> futures) throws Exception {
        List<Integer> values = new ArrayList<>();
        for (Future<Integer> future : futures) {
            values.add(future.get());
        }
        return values;
    }

    @Test
    void aDelayedCommandRunsOnceUnlessItIsCancelled() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Future<?> cancelled = pool.schedule(never::countDown, 1, TimeUnit.HOURS);
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(cancelled.isDone()).isTrue();
        Future<?> overdue = pool.schedule(ran::countDown, -5, TimeUnit.SECONDS);
        assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(overdue.isDone()).isTrue();
        assertThat(never.getCount()).isEqualTo(1);
    }

    @Test
    void whatMakesNoSenseForAThreadSchedulerIsRefusedInWords() {
        Callable<String> task = () -> "never";
        assertThatThrownBy(() -> pool.schedule(task, 1, TimeUnit.SECONDS))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("start one that sleeps instead");
        assertThatThrownBy(() -> pool.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> pool.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> pool.submitWithTimeout(task, 1, TimeUnit.SECONDS, null))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void theGettersTellOfTheKernel() throws Exception {
        assertThat(pool.getParallelism()).isEqualTo(2);
        assertThat(pool.setParallelism(3)).isEqualTo(2);
        assertThat(scheduler.procs()).isEqualTo(3);
        assertThat(pool.getAsyncMode()).isTrue();
        assertThat(pool.submit(() -> {}).get()).isNull();
        assertThat(pool.getPoolSize()).isPositive();
        assertThat(pool.awaitQuiescence(1, TimeUnit.MINUTES)).isTrue();
        assertThat(pool.getQueuedTaskCount()).isZero();
        assertThat(pool.hasQueuedSubmissions()).isFalse();
        assertThat(pool.toString()).contains("pool-test").contains("parallelism = 3");
    }

    /// Closing refuses what has not started, waits for what has, and lets it run as if nothing had
    /// happened: it parks, is woken by others, sleeps (J5).
    @Test
    void closeWaitsForThreadsThatLiveAndRefusesOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch parked = new CountDownLatch(1);
        AtomicReference<Throwable> refused = new AtomicReference<>();
        AtomicReference<String> ended = new AtomicReference<>();
        Thread thread = scheduler.threadFactory().newThread(() -> {
            try {
                parked.countDown();
                release.await();
                Thread.yield();
                Thread.sleep(5);
                scheduler.threadFactory().newThread(() -> {}).start();
            } catch (RejectedExecutionException | InterruptedException e) {
                refused.set(e);
            }
            ended.set("by itself");
        });
        thread.start();
        parked.await();
        pool.shutdown();
        assertThat(pool.isShutdown()).isTrue();
        assertThat(pool.isTerminating()).isTrue();
        assertThat(pool.isTerminated()).isFalse();
        assertThat(pool.awaitTermination(20, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(pool.shutdownNow()).isEmpty();
        assertThatThrownBy(() -> pool.execute((Runnable) () -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> pool.submit(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> scheduler.go(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("scheduler pool-test is closed");
        release.countDown();
        pool.close();
        assertThat(ended).hasValue("by itself");
        assertThat(refused.get()).isInstanceOf(RejectedExecutionException.class);
        thread.join();
        assertThat(pool.isTerminated()).isTrue();
        assertThat(pool.isTerminating()).isFalse();
    }

    /// The executor of a scheduler: one virtual thread per task, closing it waits for its own tasks only.
    @Test
    void theExecutorRunsEachTaskInAThreadOfItsOwn() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        scheduler.go(release::await);
        Thread first;
        try (var executor = scheduler.executor()) {
            first = executor.submit(Thread::currentThread).get();
            assertThat(executor.submit(Thread::currentThread).get()).isNotSameAs(first);
        }
        assertThat(Jdk.poolOf(first)).isSameAs(pool);
        release.countDown();
    }
}
