package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.many;
import static dev.heddle.doctor.Seen.only;
import static dev.heddle.doctor.Seen.place;
import static dev.heddle.doctor.Seen.standing;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import app.Handovers;
import app.Pools;
import app.Standstills;
import app.Waiters;
import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The conditions of rules one by one: an observation that shows the cause but for one condition has no finding.
final class RuleConditionsTest {

    private static final long LONG = 2_500_000_000L;
    private static final String WORK = "app.Worker.run(Worker.java:7)";
    private static final String WAIT = "java.base/java.lang.Object.wait(Object.java:351)";
    private static final String AWAIT =
            "java.base/java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await(A.java:1)";

    // ---- serial-server

    private static final String SERVES = place(Standstills.Listener.class, "serve", "sleep");
    private static final String LISTENS = place(Standstills.Listener.class, "listen", "serve");
    private static final String READ = "java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:307)";

    @Test
    void aServerIsSerialInFourDumpsOrMore() throws IOException {
        Observation all = server(_ -> true, 4, READ).observation();

        assertThat(only(all).cause()).isEqualTo(Cause.SERIAL_SERVER);
        assertThat(Doctor.examine(firstDumps(all, 3))).isEmpty();
        assertThat(only(firstDumps(all, 4)).cause()).isEqualTo(Cause.SERIAL_SERVER);
    }

    @Test
    void aServerIsSerialInFourOfFiveDumps() throws IOException {
        assertThat(only(server(dump -> dump < 12, 5, READ).observation()).cause())
                .isEqualTo(Cause.SERIAL_SERVER);
        assertThat(Doctor.examine(server(dump -> dump < 11, 5, READ).observation()))
                .isEmpty();
    }

    @Test
    void aServerIsSerialIfFourOthersWaitForAnswers() throws IOException {
        assertThat(Doctor.examine(server(_ -> true, 3, READ).observation())).isEmpty();
        assertThat(Doctor.examine(
                        server(_ -> true, 4, "app.Client.read(Client.java:1)").observation()))
                .isEmpty();
        for (String waits : List.of(
                "java.base/sun.nio.ch.SocketChannelImpl.read(SocketChannelImpl.java:1)",
                "java.net.http/jdk.internal.net.http.HttpClientImpl.send(HttpClientImpl.java:1)")) {
            assertThat(Doctor.examine(server(_ -> true, 4, waits).observation()))
                    .extracting(Finding::cause)
                    .contains(Cause.SERIAL_SERVER);
        }
    }

    /// They run, or are threads of a library.
    @Test
    void threadsThatDoNotWaitInTheProgramAreNoClients() throws IOException {
        Seen seen = server(_ -> true, 0, READ);
        IntFunction<List<GoroutineStats>> none = seen.goroutines;
        seen.goroutines = dump -> with(none.apply(dump), many(20, 26, id -> Seen.running(id, READ, WORK)));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
        seen.goroutines = dump -> with(none.apply(dump), many(20, 26, id -> waiting(id, "IO wait", READ)));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    @Test
    void aServerThatComputesOrHasNoLoopIsNotSerial() throws IOException {
        Seen seen = server(_ -> true, 5, READ);
        seen.platform = _ -> List.of(Seen.running(50, SERVES, LISTENS));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
        seen.platform = _ -> List.of(waiting(50, "sleep", SERVES));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// A method of the program may be called `accept`, too.
    @Test
    void aMethodOfTheProgramDoesNotListen() throws IOException {
        Seen seen = server(_ -> true, 5, READ);
        seen.platform = _ -> List.of(waiting(50, "sleep", "app.Filter.accept(Filter.java:3)", LISTENS));

        assertThat(only(seen.observation()).cause()).isEqualTo(Cause.SERIAL_SERVER);
    }

    /// The dispatcher of a server whose handler is the JDK's.
    @Test
    void aDispatcherOutsideOfTheProgramIsFine() throws IOException {
        Seen seen = server(_ -> true, 5, READ);
        seen.platform = _ -> List.of(waiting(
                50,
                "sleep",
                "jdk.httpserver/sun.net.httpserver.ServerImpl$DefaultExecutor.execute(ServerImpl.java:260)",
                "app.Main.main(Main.java:1)"));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    @Test
    void ofTwoServersTheOneThatWaitsLongerIsNamed() throws IOException {
        Seen seen = server(_ -> true, 5, READ);
        seen.platform = dump -> List.of(
                dump % 3 == 0 ? Seen.running(50, SERVES, LISTENS) : waiting(50, "sleep", SERVES, LISTENS),
                waiting(51, "sleep", SERVES, LISTENS));

        assertThat(only(seen.observation()).goroutine()).isEqualTo(51);
    }

    /// One thread that serves in its loop of `accept` in some dumps, and others that wait for answers.
    private static Seen server(IntPredicate serves, int clients, String waits) throws IOException {
        Seen seen = new Seen().with(Standstills.Listener.class);
        seen.platform = dump -> List.of(
                serves.test(dump)
                        ? waiting(50, "sleep", SERVES, LISTENS)
                        : waiting(
                                50,
                                "IO wait",
                                "java.base/java.net.ServerSocket.accept(ServerSocket.java:1)",
                                place(Standstills.Listener.class, "listen", "accept")));
        seen.goroutines = _ -> many(1, 1 + clients, id -> waiting(id, "IO wait", waits, WORK));
        return seen;
    }

    // ---- queue-grows

    @Test
    void aQueueGrowsFastByFiveHundredAndByAHundredASecond() {
        assertThat(growth(0, 250, 499).isFast(3)).isFalse();
        assertThat(growth(0, 250, 500).isFast(3)).isTrue();
        assertThat(growth(0, 250, 500).isFast(5)).isTrue();
        assertThat(growth(0, 250, 500).isFast(5.1)).isFalse();
    }

    /// In both halves, and without a step back by more than a fifth of the fair share.
    @Test
    void aQueueGrowsFastThroughout() {
        assertThat(growth(0, 30, 500).isFast(3)).isFalse();
        assertThat(growth(0, 60, 500).isFast(3)).isTrue();
        assertThat(growth(0, 300, 240, 500).isFast(3)).isFalse();
        assertThat(growth(0, 300, 260, 500).isFast(3)).isTrue();
    }

    @Test
    void aQueueGrowsSteadilyByAHundredAndByTwentyASecond() {
        assertThat(evenly(11, 10).isSteady(3)).isTrue();
        assertThat(evenly(11, 9).isSteady(3)).isFalse(); // by 90
        assertThat(evenly(11, 10).isSteady(5.1)).isFalse();
        assertThat(evenly(10, 20).isSteady(3)).isFalse(); // too few looks
        assertThat(growth(0, 10, 20, 30, 40, 41, 42, 70, 80, 90, 101).isSteady(3))
                .isFalse();
    }

    @Test
    void aQueueIsJudgedInThreeDumps() throws IOException {
        Observation seen = queue("app.Waiters$Shop.orders", dump -> 100 + 400L * dump, Integer.MAX_VALUE, 15);

        assertThat(QueueGrowth.in(firstDumps(seen, 2).dumps())).isEmpty();
        assertThat(QueueGrowth.in(firstDumps(seen, 3).dumps())).hasSize(1);
    }

    /// A long queue fluctuates, and a capacity of a million is none.
    @Test
    void aQueueGrowsByATwentiethAndHasNoBound() throws IOException {
        assertThat(Doctor.examine(
                        queue("app.Waiters$Shop.orders", dump -> 100_000 + 200L * dump, Integer.MAX_VALUE, 15)))
                .isEmpty();
        assertThat(Doctor.examine(queue("app.Waiters$Shop.orders", dump -> 200L * dump, 1_000_000, 15)))
                .isEmpty();
        assertThat(only(queue("app.Waiters$Shop.orders", dump -> 200L * dump, 1_000_001, 15))
                        .cause())
                .isEqualTo(Cause.QUEUE_GROWS);
    }

    /// The queue of a pool needs no code that takes; the queue that a task has captured does.
    @Test
    void aQueueIsTakenFrom() throws IOException {
        assertThat(only(queue("the pool of thread pool-1-thread-1", dump -> 200L * dump, Integer.MAX_VALUE, 15))
                        .cause())
                .isEqualTo(Cause.QUEUE_GROWS);
        assertThat(only(queue("a task of app.Waiters$Shop", dump -> 200L * dump, Integer.MAX_VALUE, 15))
                        .cause())
                .isEqualTo(Cause.QUEUE_GROWS);
        Seen unknown = new Seen();
        unknown.surroundings = dump -> queues(orders("a task of app.Other", 200L * dump, Integer.MAX_VALUE));
        assertThat(Doctor.examine(unknown.observation())).isEmpty();
    }

    @Test
    void ofTwoQueuesTheOneThatGrowsMoreIsNamed() throws IOException {
        Seen seen = new Seen().with(Waiters.Shop.class);
        seen.surroundings = dump -> queues(
                orders("app.Waiters$Shop.orders", 200L * dump, Integer.MAX_VALUE),
                new QueueStats(
                        "java.util.concurrent.LinkedBlockingQueue@2",
                        "the pool of thread p",
                        100L * dump,
                        Integer.MAX_VALUE,
                        0));

        assertThat(only(seen.observation()).evidence().getFirst()).contains("Shop.orders");
    }

    private static Observation queue(String holder, IntFunction<Long> size, long capacity, int dumps)
            throws IOException {
        Seen seen = new Seen().with(Waiters.Shop.class);
        seen.surroundings =
                dump -> dump < dumps ? queues(orders(holder, size.apply(dump), capacity)) : Surroundings.UNKNOWN;
        return seen.observation();
    }

    private static QueueStats orders(String holder, long size, long capacity) {
        return new QueueStats("java.util.concurrent.LinkedBlockingQueue@1", holder, size, capacity, 0);
    }

    private static QueueGrowth growth(long... sizes) {
        return new QueueGrowth(LongStream.of(sizes)
                .mapToObj(it -> orders("a", it, Integer.MAX_VALUE))
                .toList());
    }

    private static QueueGrowth evenly(int looks, long step) {
        return growth(LongStream.range(0, looks).map(it -> it * step).toArray());
    }

    // ---- lost-wake-up

    /// At two conditions of one lock.
    @Test
    void bothSidesMayWaitAtConditionsOfOneLock() throws IOException {
        Finding finding = only(belt(7, 7));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_WAKE_UP);
        assertThat(finding.remedy()).contains("wakes all waiters").contains("Belt.put");
        assertThat(Doctor.examine(belt(7, 8))).isEmpty();
    }

    private static Observation belt(long lockOfOne, long lockOfOther) throws IOException {
        Seen seen = new Seen().with(Handovers.Belt.class);
        seen.goroutines = _ -> List.of(
                standing(1, LONG, "C@1", "sync.Cond.Wait", AWAIT, place(Handovers.Belt.class, "put", "await"), WORK),
                standing(2, LONG, "C@2", "sync.Cond.Wait", AWAIT, place(Handovers.Belt.class, "take", "await"), WORK));
        seen.blockers = _ -> List.of(condition("C@1", lockOfOne), condition("C@2", lockOfOther));
        return seen.observation();
    }

    private static Blocker condition(String id, long lock) {
        return new Blocker(id, "java.util.concurrent.locks.Condition", lock, 0, List.of());
    }

    /// It is not known whether they wait at one lock, or they wait in a queue of the JDK.
    @Test
    void sidesAtAnUnknownLockOrInAQueueProveNothing() throws IOException {
        Seen seen = new Seen().with(Standstills.Shelf.class);
        String put = place(Standstills.Shelf.class, "put", "wait");
        String take = place(Standstills.Shelf.class, "take", "wait");
        seen.goroutines = _ -> List.of(
                standing(1, LONG, null, "sync.Cond.Wait", WAIT, put, WORK),
                standing(2, LONG, null, "sync.Cond.Wait", WAIT, take, WORK));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
        String queue = "java.base/java.util.concurrent.ArrayBlockingQueue.take(ArrayBlockingQueue.java:1)";
        seen.goroutines = _ -> List.of(
                standing(1, LONG, "Shelf@1", "sync.Cond.Wait", WAIT, queue, put, WORK),
                standing(2, LONG, "Shelf@1", "sync.Cond.Wait", WAIT, queue, take, WORK));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// The queue is another one in one dump, its twin is empty, or the threads take from another field.
    @Test
    void takersBesideEntriesOfAnotherQueueProveNothing() throws IOException {
        String goods = "app.Standstills$Shelf.goods";

        assertThat(only(shelf(_ -> queues(deque(2, goods, 1)))).cause()).isEqualTo(Cause.LOST_WAKE_UP);
        assertThat(Doctor.examine(shelf(dump -> queues(deque(dump == 5 ? 3 : 2, goods, 1)))))
                .isEmpty();
        assertThat(Doctor.examine(shelf(_ -> queues(deque(2, goods, 1), deque(3, goods, 0)))))
                .isEmpty();
        assertThat(Doctor.examine(shelf(_ -> queues(deque(2, "app.Standstills$Shelf.others", 1)))))
                .isEmpty();
    }

    private static Observation shelf(IntFunction<Surroundings> surroundings) throws IOException {
        Seen seen = new Seen().with(Standstills.Shelf.class);
        String take = place(Standstills.Shelf.class, "take", "wait");
        seen.goroutines = _ -> many(1, 3, id -> standing(id, LONG, "Shelf@1", "sync.Cond.Wait", WAIT, take, WORK));
        seen.surroundings = surroundings;
        return seen.observation();
    }

    private static QueueStats deque(int number, String holder, long size) {
        return new QueueStats("java.util.ArrayDeque@" + number, holder, size, Integer.MAX_VALUE, 0);
    }

    // ---- waits that no thread can end

    /// A signal that comes before the wait is lost; but a worker waits again and again.
    @Test
    void aSignalThatNoThreadIsLeftToGiveIsLost() throws IOException {
        String awaits = place(Handovers.Bell.class, "await", "wait");
        Finding finding = only(bell(awaits, WORK));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.evidence().getFirst()).startsWith("1 thread waits");
        assertThat(finding.remedy()).contains("came before the wait").contains("Bell.ring");
        assertThat(Doctor.examine(bell(awaits, place(Handovers.Bell.class, "work", "await"))))
                .isEmpty();
    }

    private static Observation bell(String... stack) throws IOException {
        Seen seen = new Seen().with(Handovers.Bell.class);
        String[] frames = LongStream.range(-1, stack.length)
                .mapToObj(it -> it < 0 ? WAIT : stack[(int) it])
                .toArray(String[]::new);
        seen.goroutines = _ -> List.of(standing(1, LONG, "Bell@1", "sync.Cond.Wait", frames));
        return seen.observation();
    }

    @Test
    void aLetterThatNoThreadIsLeftToReadIsLost() throws IOException {
        String sends = place(Handovers.Mail.class, "write", "send");
        Finding finding = only(mail(sends));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.remedy()).contains("The consumer has ended").contains("Mail.read");
    }

    private static Observation mail(String sends) throws IOException {
        Seen seen = new Seen().with(Handovers.Mail.class);
        String call = "dev.heddle.Chan.send(Chan.java:1)";
        seen.goroutines = _ -> List.of(standing(1, LONG, "R@1", "chan send", call, sends));
        return seen.observation();
    }

    /// No code is known that could end it: so other code may.
    @Test
    void aWaitThatNoKnownCodeEndsIsNotLost() throws IOException {
        Seen seen = new Seen().with(Handovers.Forgotten.class);
        String await = "java.base/java.util.concurrent.CountDownLatch.await(CountDownLatch.java:230)";
        String place = place(Handovers.Forgotten.class, "await", "await");
        seen.goroutines = _ -> List.of(standing(1, LONG, "S@1", "semacquire", await, place, WORK));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    @Test
    void aWaitThatOtherThreadsPassAtThatPlaceIsNotLost() throws IOException {
        assertThat(only(rounds(null)).cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(Doctor.examine(rounds(standing(9, 0, "S@1", "semacquire", BARRIER, ROUNDS))))
                .isEmpty();
    }

    /// A recording has at most 64 classes. If it has them all, others may be missing.
    @Test
    void nothingIsLostIfClassesMayBeMissing() throws IOException {
        Observation seen = rounds(null);

        assertThat(Doctor.examine(withClasses(seen, 63))).hasSize(1);
        assertThat(Doctor.examine(withClasses(seen, 64))).isEmpty();
    }

    private static Observation withClasses(Observation seen, int number) {
        Map<String, byte[]> classes = new HashMap<>(seen.classes());
        for (int i = 0; classes.size() < number; i++) {
            classes.put("app.Unreadable" + i, new byte[0]);
        }
        return new Observation(seen.samples(), seen.dumps(), classes);
    }

    private static final String BARRIER = "java.base/java.util.concurrent.CyclicBarrier.await(CyclicBarrier.java:364)";
    private static final String ROUNDS = place(Standstills.Rounds.class, "run", "await");

    /// Three threads at a barrier, and in the first dump another one.
    private static Observation rounds(@Nullable GoroutineStats first) throws IOException {
        Seen seen = new Seen().with(Standstills.Rounds.class);
        seen.goroutines = dump -> with(
                many(1, 4, id -> standing(id, LONG, "S@1", "semacquire", BARRIER, ROUNDS)),
                first == null || dump > 0 ? List.of() : List.of(first));
        return seen.observation();
    }

    /// A future that the program completes may also be completed by a pool of the JDK.
    @Test
    void aFutureOfAnAsynchronousProgramIsNotLost() throws IOException {
        assertThat(only(answers()).cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(Doctor.examine(answers(Handovers.Background.class))).isEmpty();
    }

    private static Observation answers(Class<?>... others) throws IOException {
        String join = "java.base/java.util.concurrent.CompletableFuture.join(CompletableFuture.java:1)";
        Seen seen = new Seen().with(Standstills.Answers.class).with(others);
        seen.goroutines = _ ->
                List.of(standing(1, LONG, "F@1", "semacquire", join, place(Standstills.Answers.class, "ask", "join")));
        return seen.observation();
    }

    // ---- pool-exhausted

    private static final String TAKES = "app.Pools$Permits.call(Pools.java:22)";
    private static final String HOLDS = "app.Pools$Permits.call(Pools.java:24)";

    @Test
    void aPoolIsExhaustedIfTwoWaitInFourOfFiveDumps() throws IOException {
        assertThat(only(permits(2, dump -> dump < 12, waiting(100, "sleep", HOLDS)))
                        .cause())
                .isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(Doctor.examine(permits(2, dump -> dump < 11, waiting(100, "sleep", HOLDS))))
                .isEmpty();
        assertThat(Doctor.examine(permits(1, _ -> true, waiting(100, "sleep", HOLDS))))
                .isEmpty();
        Observation all = permits(2, _ -> true, waiting(100, "sleep", HOLDS));
        assertThat(Doctor.examine(firstDumps(all, 3))).isEmpty();
        assertThat(only(firstDumps(all, 4)).cause()).isEqualTo(Cause.POOL_EXHAUSTED);
    }

    /// If the holders compute, the bound protects the CPUs.
    @Test
    void aPoolWhoseHoldersComputeIsFine() throws IOException {
        assertThat(Doctor.examine(permits(8, _ -> true, Seen.running(100, HOLDS))))
                .isEmpty();
    }

    /// A thread before the line that takes holds nothing: then the permits are lost.
    @Test
    void aHolderIsBehindTheLineThatTakes() throws IOException {
        Finding finding = only(permits(8, _ -> true, waiting(100, "sleep", "app.Pools$Permits.call(Pools.java:21)")));

        assertThat(finding.evidence()).anyMatch(it -> it.contains("no thread is seen that could give one back"));
    }

    private static Observation permits(int waiters, IntPredicate wait, GoroutineStats other) throws IOException {
        Seen seen = new Seen().with(Pools.Permits.class);
        seen.goroutines = dump -> with(
                wait.test(dump)
                        ? many(1, 1 + waiters, id -> standing(id, -1, "Sync@a", "semacquire", TAKES))
                        : List.of(),
                List.of(other));
        seen.blockers = dump -> List.of(new Blocker(
                "Sync@a",
                "java.util.concurrent.Semaphore",
                0,
                0,
                wait.test(dump)
                        ? LongStream.range(1, 1 + waiters)
                                .mapToObj(id -> new Blocker.Place(id, 7))
                                .toList()
                        : List.of()));
        return seen.observation();
    }

    // ---- what they share

    private static Surroundings queues(QueueStats... queues) {
        return new Surroundings(List.of(queues), List.of(), List.of());
    }

    private static List<GoroutineStats> with(List<GoroutineStats> some, List<GoroutineStats> others) {
        List<GoroutineStats> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static Observation firstDumps(Observation seen, int number) {
        return new Observation(seen.samples(), seen.dumps().subList(0, number), seen.classes());
    }
}
