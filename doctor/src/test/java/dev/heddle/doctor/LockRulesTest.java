package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.goroutine;
import static dev.heddle.doctor.Seen.machine;
import static dev.heddle.doctor.Seen.running;
import static dev.heddle.doctor.Seen.waiting;
import static dev.heddle.doctor.Seen.wantsLock;
import static org.assertj.core.api.Assertions.assertThat;

import app.Pools;
import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Pool;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules about locks, pools, semaphores and pinned carriers, on made-up observations; and what a cold JVM means.
final class LockRulesTest {

    private static final String LOCK = "java.util.concurrent.locks.ReentrantLock";
    private static final String SEMAPHORE = "java.util.concurrent.Semaphore";
    private static final String CONDITION = "java.util.concurrent.locks.Condition";
    private static final String LATCH = "java.util.concurrent.CountDownLatch";
    private static final String WORK = "app.Worker.run(Worker.java:7)";

    // ---- slow-lock

    @Test
    void aLockWhoseOwnerSleepsIsSlow() {
        Finding finding = only(seen(it -> {
            it.goroutines = dump -> dump % 3 == 0 ? sleeperAndTwoBehind() : List.of();
            it.blockers = dump -> dump % 3 == 0 ? List.of(blocker("Lock@a", LOCK, 1, 1)) : List.of();
        }));

        assertThat(finding.cause()).isEqualTo(Cause.SLOW_LOCK);
        assertThat(finding.stack()).containsExactly("app.Log.flush(Log.java:5)");
        assertThat(finding.remedy()).contains("app.Log.flush(Log.java:5)");
    }

    /// The waiters name it as the owner, but when its picture was taken it had released the lock.
    @Test
    void aThreadThatSleepsAfterUnlockHoldsNothing() {
        assertThat(causes(it -> {
                    it.goroutines = _ -> sleeperAndTwoBehind();
                    it.blockers = _ -> List.of(blocker("Lock@a", LOCK, 1, 0));
                }))
                .isEmpty();
    }

    private static List<GoroutineStats> sleeperAndTwoBehind() {
        return List.of(
                waiting(1, "sleep", "app.Log.flush(Log.java:5)"),
                wantsLock(2, "Lock@a", 1, List.of()),
                wantsLock(3, "Lock@a", 1, List.of()));
    }

    @Test
    void aLockWhoseOwnerRunsIsFine() {
        assertThat(causes(it -> {
                    it.goroutines = _ -> List.of(
                            running(1, WORK),
                            wantsLock(2, "Lock@a", 1, List.of()),
                            wantsLock(3, "Lock@a", 1, List.of()));
                    it.blockers = _ -> List.of(blocker("Lock@a", LOCK, 1, 1));
                }))
                .isEmpty();
    }

    @Test
    void idleWorkersOfWhichOneListensWithTheLockAreFine() {
        GoroutineStats listens =
                goroutine(1, GoroutineState.WAITING, "sync.Cond.Wait", false, -1, "Condition@b", 0, List.of(), WORK);
        assertThat(causes(it -> {
                    it.goroutines = _ -> List.of(
                            listens, wantsLock(2, "Lock@a", 1, List.of()), wantsLock(3, "Lock@a", 1, List.of()));
                    it.blockers = _ -> List.of(blocker("Lock@a", LOCK, 1, 1));
                }))
                .isEmpty();
    }

    // ---- convoy

    @Test
    void manyThatWaitLongForOneLockAreAConvoy() {
        Finding finding = only(convoy(_ -> 1));

        assertThat(finding.cause()).isEqualTo(Cause.CONVOY);
        assertThat(finding.evidence().getFirst()).contains("Lock@a").contains("app.Bank.transfer(Bank.java:9)");
        assertThat(finding.stack()).containsExactly(WORK);
    }

    /// In each dump all of them are in another wait: they pass quickly.
    @Test
    void aHotLockWithAsManyWaitersIsNone() {
        assertThat(Doctor.examine(convoy(dump -> dump))).isEmpty();
    }

    /// Twelve threads that wait for a lock whose owner computes.
    private static Observation convoy(IntFunction<Integer> wait) {
        return seen(it -> {
            it.goroutines = _ -> {
                List<GoroutineStats> all = new ArrayList<>(List.of(running(1, WORK)));
                LongStream.range(2, 14).forEach(id -> all.add(wantsLock(id, "Lock@a", 1, List.of())));
                return all;
            };
            it.blockers = dump -> List.of(new Blocker("Lock@a", LOCK, 1, 1, line(2, 14, wait.apply(dump))));
        });
    }

    // ---- deadlock

    @Test
    void aPlatformThreadAndAGoroutineMakeADeadlock() {
        Finding finding = only(seen(it -> {
            it.goroutines = _ -> List.of(wantsLock(1, "Lock@a", 0, List.of("Object@b")));
            it.platform = _ -> List.of(wantsLock(2, "Object@b", 0, List.of()));
            it.blockers = _ -> List.of(blocker("Lock@a", LOCK, 1, 2));
        }));

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
    }

    @Test
    void aReaderThatWantsToWriteWaitsForItself() {
        String type = "java.util.concurrent.locks.ReentrantReadWriteLock";
        Finding finding = only(seen(it -> {
            it.goroutines = _ -> List.of(wantsLock(1, "Lock@a", 1, List.of()));
            it.blockers = _ -> List.of(new Blocker("Lock@a", type, 1, 1, line(1, 2, 7)));
        }));

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.remedy()).contains("cannot be upgraded");
    }

    /// Two attempts with a timeout: the circle comes again, with other waits.
    @Test
    void aCircleOfOtherWaitsIsNoDeadlock() {
        assertThat(causes(it -> {
                    it.goroutines =
                            _ -> List.of(wantsLock(1, "Lock@a", 2, List.of()), wantsLock(2, "Lock@b", 1, List.of()));
                    it.blockers = dump -> List.of(
                            new Blocker("Lock@a", LOCK, 1, 2, line(1, 2, dump)),
                            new Blocker("Lock@b", LOCK, 1, 1, line(2, 3, dump)));
                }))
                .isEmpty();
    }

    @Test
    void theOneWhoWouldCountDownWaitsForTheLock() throws IOException {
        Finding finding = only(loader("load"));

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.evidence().get(1)).contains("would end this wait");
    }

    @Test
    void oneWhoCannotCountDownIsNoProof() throws IOException {
        assertThat(Doctor.examine(loader("other"))).isEmpty();
    }

    private static Observation loader(String method) throws IOException {
        Seen seen = new Seen().with(Pools.Loader.class);
        seen.goroutines = _ -> List.of(
                goroutine(
                        1,
                        GoroutineState.WAITING,
                        "semacquire",
                        false,
                        -1,
                        "Latch@b",
                        0,
                        List.of(),
                        "java.base/java.util.concurrent.CountDownLatch.await(CountDownLatch.java:230)",
                        "app.Pools$Loader.await(Pools.java:90)"),
                goroutine(
                        2,
                        GoroutineState.WAITING,
                        "sync.Mutex.Lock",
                        false,
                        -1,
                        "Lock@a",
                        1,
                        List.of(),
                        "app.Pools$Loader." + method + "(Pools.java:95)"));
        seen.blockers = _ -> List.of(
                new Blocker("Lock@a", LOCK, 1, 1, line(2, 3, 7)), new Blocker("Latch@b", LATCH, 1, 0, line(1, 2, 8)));
        return seen.observation();
    }

    @Test
    void aLatchWhoseCountersHaveEndedIsDead() throws IOException {
        Finding finding = only(latch("Batch"));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.evidence().get(1)).contains("Batch.work");
    }

    @Test
    void aLatchWhoseCounterRunsIsNotDead() throws IOException {
        assertThat(Doctor.examine(latch("Batch", running(2, "app.Pools$Batch.work(Pools.java:120)"))))
                .isEmpty();
    }

    @Test
    void aLatchThatAHandlerCountsDownIsNotDead() throws IOException {
        assertThat(Doctor.examine(latch("Server"))).isEmpty();
    }

    /// One thread waits for the latch of this class, beside others.
    private static Observation latch(String name, GoroutineStats... others) throws IOException {
        Seen seen = new Seen().with(name.equals("Batch") ? Pools.Batch.class : Pools.Server.class);
        List<GoroutineStats> all = new ArrayList<>(List.of(others));
        all.add(goroutine(
                1,
                GoroutineState.WAITING,
                "semacquire",
                false,
                -1,
                "Latch@b",
                0,
                List.of(),
                "java.base/java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly(A.java:1)",
                "java.base/java.util.concurrent.CountDownLatch.await(CountDownLatch.java:230)",
                "app.Pools$" + name + ".await(Pools.java:130)"));
        seen.goroutines = _ -> all;
        seen.blockers = _ -> List.of(new Blocker("Latch@b", LATCH, 1, 0, line(1, 2, 8)));
        return seen.observation();
    }

    // ---- pools and semaphores

    @Test
    void aSemaphoreWhoseHoldersWaitIsExhausted() throws IOException {
        Finding finding = only(permits("Permits", "call", 22, 24, _ -> 7));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(finding.evidence().get(2)).contains("app.Pools$Permits.call(Pools.java:24)");
        assertThat(finding.remedy())
                .contains("app.Pools$Permits.call(Pools.java:24)")
                .contains("permits");
    }

    /// The same threads are seen, in another wait each time.
    @Test
    void aSemaphoreThatThreadsPassQuicklyIsFine() throws IOException {
        assertThat(Doctor.examine(permits("Permits", "call", 22, 24, dump -> dump)))
                .isEmpty();
    }

    @Test
    void workersThatWaitForASignalAreIdle() throws IOException {
        assertThat(Doctor.examine(permits("Signals", "call", 36, 37, _ -> 7))).isEmpty();
    }

    @Test
    void permitsThatNobodyHoldsAreLost() throws IOException {
        Seen seen = new Seen().with(Pools.Permits.class);
        seen.goroutines = _ -> LongStream.range(1, 9)
                .mapToObj(id -> atSemaphore(id, "app.Pools$Permits.call(Pools.java:22)"))
                .toList();
        seen.blockers = _ -> List.of(new Blocker("Sync@a", SEMAPHORE, 0, 0, line(1, 9, 7)));
        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(finding.remedy()).contains("finally");
    }

    /// Eight threads wait at a semaphore, two are behind it and sleep.
    private static Observation permits(String name, String method, int takes, int holds, IntFunction<Integer> wait)
            throws IOException {
        String place = "app.Pools$" + name + "." + method + "(Pools.java:";
        Seen seen = new Seen().with(Pools.Permits.class, Pools.Signals.class);
        seen.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>(
                    List.of(waiting(100, "sleep", place + holds + ")"), waiting(101, "sleep", place + holds + ")")));
            LongStream.range(1, 9).forEach(id -> all.add(atSemaphore(id, place + takes + ")")));
            return all;
        };
        seen.blockers = dump -> List.of(new Blocker("Sync@a", SEMAPHORE, 0, 0, line(1, 9, wait.apply(dump))));
        return seen.observation();
    }

    private static GoroutineStats atSemaphore(long id, String place) {
        return goroutine(id, GoroutineState.WAITING, "semacquire", false, -1, "Sync@a", 0, List.of(), place);
    }

    @Test
    void aQueueOfConnectionsIsAPool() throws IOException {
        Finding finding = only(queue(
                "Connections",
                "java.base/java.util.concurrent.ArrayBlockingQueue.take(ArrayBlockingQueue.java:1)",
                "app.Pools$Connections.borrow(Pools.java:54)"));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(finding.evidence().getFirst()).contains("Connections.borrow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Stage", "Retry"})
    void workersAtAQueueAreNoPool(String name) throws IOException {
        assertThat(Doctor.examine(queue(
                        name, "java.base/java.util.concurrent.ArrayBlockingQueue.take(ArrayBlockingQueue.java:1)")))
                .isEmpty();
    }

    /// Eight threads wait in `query`, line 45, and two sleep in it, in the line after.
    private static Observation queue(String name, String... above) throws IOException {
        String place = "app.Pools$" + name + ".query(Pools.java:";
        Seen seen = new Seen().with(Pools.Connections.class, Pools.Stage.class, Pools.Retry.class);
        seen.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>(
                    List.of(waiting(100, "sleep", place + "46)"), waiting(101, "sleep", place + "46)")));
            List<String> stack = new ArrayList<>(List.of(above));
            stack.add(place + "45)");
            LongStream.range(1, 9)
                    .forEach(id -> all.add(goroutine(
                            id,
                            GoroutineState.WAITING,
                            "sync.Cond.Wait",
                            false,
                            -1,
                            "Condition@a",
                            0,
                            List.of(),
                            stack.toArray(String[]::new))));
            return all;
        };
        seen.blockers = _ -> List.of(new Blocker("Condition@a", CONDITION, 0, 0, line(1, 9, 7)));
        return seen.observation();
    }

    @Test
    void aChannelOfTokensIsASemaphore() throws IOException {
        Seen seen = new Seen().with(Pools.Tokens.class);
        seen.goroutines = _ -> {
            List<GoroutineStats> all =
                    new ArrayList<>(List.of(waiting(100, "sleep", "app.Pools$Tokens.query(Pools.java:83)")));
            LongStream.range(1, 9)
                    .forEach(id -> all.add(waiting(
                            id,
                            "chan send",
                            "dev.heddle.Chan.send(Chan.java:1)",
                            "app.Pools$Tokens.query(Pools.java:82)")));
            return all;
        };

        assertThat(only(seen.observation()).cause()).isEqualTo(Cause.POOL_EXHAUSTED);
    }

    @Test
    void threadsThatWaitForAConnectionOfHikariNameItsOption() {
        Finding finding = only(seen(it -> it.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>(List.of(waiting(100, "sleep", "app.Shop.order(Shop.java:12)")));
            LongStream.range(1, 9)
                    .forEach(id -> all.add(waiting(
                            id,
                            "semacquire",
                            "com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)",
                            "com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:162)",
                            "app.Shop.order(Shop.java:10)")));
            return all;
        }));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(finding.remedy()).contains("maximumPoolSize").contains("app.Shop.order(Shop.java:12)");
    }

    // ---- pools of threads

    @Test
    void aPoolWhoseThreadsWaitWithAQueueIsSaturated() {
        Finding finding = only(pool(waiting(50, "sleep", "app.Report.write(Report.java:4)"), 5, /* waiters= */ 3));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_SATURATED);
        assertThat(finding.stack()).containsExactly("app.Report.write(Report.java:4)");
    }

    @Test
    void aPoolWithoutAQueueIsLargeEnough() {
        assertThat(Doctor.examine(pool(waiting(50, "sleep", WORK), 0, /* waiters= */ 3)))
                .isEmpty();
    }

    @Test
    void aPoolThatComputesForItsBatchIsFine() {
        assertThat(Doctor.examine(pool(running(50, WORK), 100, /* waiters= */ 2)))
                .isEmpty();
    }

    private static Observation pool(GoroutineStats worker, long queued, int waiters) {
        return seen(it -> {
            it.platform = _ -> List.of(worker);
            it.pools = _ -> List.of(new Pool(
                    "java.util.concurrent.ThreadPoolExecutor@a", "pool-1-thread-1", 1, 1, queued, -1, List.of(50L)));
            it.goroutines = _ -> LongStream.range(0, waiters)
                    .mapToObj(id -> waiting(
                            id,
                            "semacquire",
                            "java.base/java.util.concurrent.FutureTask.get(FutureTask.java:190)",
                            "app.Page.show(Page.java:8)"))
                    .toList();
        });
    }

    // ---- pinned carriers

    @Test
    void theInitialiserIsShownBeforeThoseWhoWaitForIt() {
        Finding finding = only(seen(it -> it.goroutines = _ -> List.of(
                pinned(1, "app.Page.show(Page.java:8)"),
                pinned(2, "app.Page.show(Page.java:8)"),
                pinned(
                        3,
                        "java.base/java.lang.VirtualThread.parkOnCarrierThread(VirtualThread.java:1)",
                        "app.Config.<clinit>(Config.java:3)",
                        "app.Page.show(Page.java:8)"))));

        assertThat(finding.cause()).isEqualTo(Cause.PINNED_CARRIERS);
        assertThat(finding.goroutine()).isEqualTo(3);
        assertThat(finding.evidence().get(2)).startsWith("2 threads wait until that class is initialised");
    }

    @Test
    void callbacksThatWaitAreNamedWithTheNativeMethod() {
        Finding finding = only(callbacks(4));

        assertThat(finding.cause()).isEqualTo(Cause.PINNED_CARRIERS);
        assertThat(finding.evidence().get(1)).contains("app.Native.sort");
    }

    @Test
    void aCallbackThatWaitsAloneIsFine() {
        assertThat(Doctor.examine(callbacks(1))).isEmpty();
    }

    private static Observation callbacks(int number) {
        return seen(it -> it.goroutines = _ -> LongStream.range(0, number)
                .mapToObj(id -> pinned(
                        id,
                        "java.base/java.lang.VirtualThread.parkOnCarrierThread(VirtualThread.java:1)",
                        "app.Compare.call(Compare.java:3)",
                        "app.Native.sort(Native Method)",
                        "app.Page.show(Page.java:8)"))
                .toList());
    }

    private static GoroutineStats pinned(long id, String... stack) {
        return goroutine(id, GoroutineState.PINNED, null, false, (int) id, null, 0, List.of(), stack);
    }

    // ---- cold programs, batches and remedies

    @Test
    void nothingIsSaidOfAProgramThatIsBeingCompiled() {
        assertThat(causes(it -> {
                    it.compileMillis = sample -> sample * 80L;
                    hogs(it);
                }))
                .isEmpty();
    }

    @Test
    void nothingIsSaidOfAProgramThatLoadsItsClasses() {
        assertThat(causes(it -> {
                    it.classesLoaded = sample -> sample * 50L;
                    hogs(it);
                }))
                .isEmpty();
    }

    /// On a busy host the compilers get little, but as much as the program.
    @Test
    void nothingIsSaidOfAProgramWhoseCompilersGetAsMuchAsItself() {
        assertThat(causes(it -> {
                    it.compileMillis = sample -> sample * 20L;
                    it.cpusUsed = 0.35;
                    hogs(it);
                }))
                .isEmpty();
    }

    /// It hardly uses the CPU, or the compilers have a small part of what it uses.
    @Test
    void aProgramThatIsCompiledNowAndThenIsWarm() {
        assertThat(causes(it -> {
                    it.compileMillis = sample -> sample * 20L;
                    it.cpusUsed = 0.2;
                    hogs(it);
                }))
                .containsExactly(Cause.CPU_HOG);
        assertThat(causes(it -> {
                    it.compileMillis = sample -> sample * 20L;
                    it.cpusUsed = 0.5;
                    hogs(it);
                }))
                .containsExactly(Cause.CPU_HOG);
    }

    /// After a second of compilation the rest of the time counts.
    @Test
    void aProgramThatHasWarmedUpIsJudgedFromThen() {
        assertThat(causes(it -> {
                    it.compileMillis = sample -> Math.min(sample, 10) * 80L;
                    hogs(it);
                }))
                .containsExactly(Cause.CPU_HOG);
    }

    @Test
    void aDeadlockIsOneInAColdProgramToo() {
        assertThat(causes(it -> {
                    it.classesLoaded = sample -> sample * 50L;
                    it.goroutines =
                            _ -> List.of(wantsLock(1, "Lock@a", 2, List.of()), wantsLock(2, "Lock@b", 1, List.of()));
                }))
                .containsExactly(Cause.DEADLOCK);
    }

    /// Its tasks wait for each other's processors, and no thread wakes up to find none.
    @Test
    void aBatchThatComputesIsNoHog() {
        assertThat(causes(it -> {
                    it.switchesPerSecond = 12;
                    hogs(it);
                }))
                .isEmpty();
    }

    private static void hogs(Seen it) {
        it.hogHandOffsPerSecond = 10;
        it.machines = _ -> List.of(machine(3, -1, 7, /* hog= */ true));
        it.goroutines = _ -> List.of(running(7, WORK));
    }

    @Test
    void theRemedyForAVirtualThreadNamesAnOptionAndNotTheApi() {
        Finding finding = only(seen(it -> {
            hogs(it);
            it.goroutines =
                    _ -> List.of(running(7, WORK, "java.base/java.lang.VirtualThread.run(VirtualThread.java:1)"));
        }));

        assertThat(finding.remedy())
                .contains("preempt=app.Worker")
                .contains(WORK)
                .doesNotContain("gosched");
    }

    // ---- helpers

    private static Blocker blocker(String id, String type, long value, long owner) {
        return new Blocker(id, type, value, owner, List.of());
    }

    /// Threads in the line of a blocker, all in a wait of this number.
    private static List<Blocker.Place> line(long first, long end, int number) {
        return LongStream.range(first, end)
                .mapToObj(id -> new Blocker.Place(id, number))
                .toList();
    }

    private static List<Cause> causes(Consumer<Seen> change) {
        return Doctor.examine(seen(change)).stream().map(Finding::cause).toList();
    }

    private static Observation seen(Consumer<Seen> change) {
        Seen seen = new Seen();
        change.accept(seen);
        return seen.observation();
    }

    private static Finding only(Observation seen) {
        List<Finding> findings = Doctor.examine(seen);
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }
}
