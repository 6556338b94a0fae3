package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.goroutine;
import static dev.heddle.doctor.Seen.running;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import app.Waiters;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.SampleWindow;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.internal.observe.ThreadLocalStats;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules about queues, sockets, polling, herds, thread-locals, disk, names and timers: each on a made-up
/// observation that shows the cause, and on the nearest one that a healthy program shows.
final class WaitRulesTest {

    private static final String WORK = "app.Worker.run(Worker.java:7)";
    private static final String LINKED = "java.util.concurrent.LinkedBlockingQueue@1";

    // ---- queues

    @Test
    void aQueueWithoutABoundThatGrowsIsNamedWithItsField() throws IOException {
        Finding finding = only(queue(LINKED, "app.Waiters$Shop.orders", dump -> 100 + 200L * dump, Integer.MAX_VALUE));

        assertThat(finding.cause()).isEqualTo(Cause.QUEUE_GROWS);
        assertThat(finding.evidence().getFirst())
                .contains("LinkedBlockingQueue in app.Waiters$Shop.orders grew from 100 to 2,900");
    }

    @Test
    void aQueueThatIsWorkedOffOrFullOrOfDelayedTasksIsFine() throws IOException {
        String field = "app.Waiters$Shop.orders";
        assertThat(examined(queue(LINKED, field, dump -> dump % 5 * 1_000L, Integer.MAX_VALUE)))
                .isEmpty();
        assertThat(examined(queue(LINKED, field, dump -> 100 + 200L * dump, 10_000)))
                .isEmpty();
        assertThat(examined(queue(LINKED, field, _ -> 1_000_000L, Integer.MAX_VALUE)))
                .isEmpty();
        assertThat(examined(queue("x.Y$DelayedWorkQueue@1", field, dump -> 100 + 200L * dump, Integer.MAX_VALUE)))
                .isEmpty();
    }

    /// By 50 a second, without a step back.
    @Test
    void aQueueThatGrowsSlowlyAndSteadilyIsNamed() throws IOException {
        assertThat(only(queue(LINKED, "app.Waiters$Shop.orders", dump -> 100 + 10L * dump, Integer.MAX_VALUE))
                        .cause())
                .isEqualTo(Cause.QUEUE_GROWS);
        assertThat(examined(queue(
                        LINKED, "app.Waiters$Shop.orders", dump -> 100 + 10L * dump - dump % 3 * 8, Integer.MAX_VALUE)))
                .isEmpty();
    }

    @Test
    void aQueueThatNothingTakesFromIsAList() throws IOException {
        assertThat(examined(queue(LINKED, "app.Waiters$Shop.done", dump -> 100 + 200L * dump, Integer.MAX_VALUE)))
                .isEmpty();
    }

    @Test
    void aDequeOfOneThreadIsNoQueueBetweenThreads() throws IOException {
        assertThat(examined(queue(
                        "java.util.ArrayDeque@1",
                        "app.Waiters$Search.open",
                        dump -> 100 + 200L * dump,
                        Integer.MAX_VALUE)))
                .isEmpty();
        assertThat(only(queue(
                                "java.util.ArrayDeque@1",
                                "app.Waiters$Herd.tasks",
                                dump -> 100 + 200L * dump,
                                Integer.MAX_VALUE))
                        .cause())
                .isEqualTo(Cause.QUEUE_GROWS);
    }

    private static Seen queue(String id, String holder, IntFunction<Long> size, long capacity) throws IOException {
        Seen seen = new Seen().with(Waiters.Shop.class, Waiters.Search.class, Waiters.Herd.class);
        seen.surroundings = dump -> new Surroundings(
                List.of(new QueueStats(id, holder, size.apply(dump), capacity, 0)), List.of(), List.of());
        return seen;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ArrayBlockingQueue.put", "SynchronousQueue.put", "LinkedTransferQueue.transfer"})
    void manyProducersThatWaitLongHaveASlowConsumer(String call) {
        Finding finding = only(producers(20, call, /* sameWait= */ true));

        assertThat(finding.cause()).isEqualTo(Cause.SLOW_CONSUMER);
        assertThat(finding.evidence().getFirst()).contains("20 goroutines").contains(call);
    }

    @Test
    void backpressureOfAPipelineIsFine() {
        assertThat(examined(producers(4, "ArrayBlockingQueue.put", /* sameWait= */ true)))
                .isEmpty();
        assertThat(examined(producers(20, "ArrayBlockingQueue.put", /* sameWait= */ false)))
                .isEmpty();
        assertThat(examined(producers(20, "ArrayBlockingQueue.take", /* sameWait= */ true)))
                .isEmpty();
        Seen busy = producers(20, "ArrayBlockingQueue.put", /* sameWait= */ true);
        busy.cpusUsed = 3.9;
        assertThat(examined(busy)).isEmpty();
    }

    private static Seen producers(int number, String call, boolean sameWait) {
        Seen seen = new Seen();
        seen.cpusUsed = 0.5;
        seen.goroutines = _ ->
                many(number, id -> waiting(id, "semacquire", "java.util.concurrent." + call + "(Queue.java:1)", WORK));
        seen.surroundings = dump -> waits(number, id -> detail(id, -1, sameWait ? 7 : 7 + dump, null, -1, -1));
        return seen;
    }

    // ---- sockets

    @Test
    void readersThatAskedOnePeerAndGetNoAnswerAreNamedWithItsAddress() {
        Finding finding = only(readers(15, "implRead", "10.0.0.7:5432", 2_000, 3_000));

        assertThat(finding.cause()).isEqualTo(Cause.SOCKET_READS);
        assertThat(finding.evidence().getFirst()).contains("15 goroutines").contains("10.0.0.7:5432");
    }

    @Test
    void readersWithATimeoutOrWithNothingToExpectAreFine() {
        assertThat(examined(readers(15, "timedRead", "10.0.0.7:5432", 2_000, 3_000)))
                .isEmpty();
        assertThat(examined(readers(15, "implRead", "10.0.0.7:5432", 3_000, 2_000)))
                .isEmpty();
        assertThat(examined(readers(15, "implRead", "10.0.0.7:5432", 200, 3_000)))
                .isEmpty();
        assertThat(examined(readers(5, "implRead", "10.0.0.7:5432", 2_000, 3_000)))
                .isEmpty();
    }

    @Test
    void theConnectionsOfAServerHaveDifferentPeers() {
        Seen seen = readers(50, "implRead", "", 2_000, 3_000);
        seen.surroundings = _ -> waits(50, id -> detail(id, -1, 0, "10.0.0.9:" + id, 2_000, 3_000));
        assertThat(examined(seen)).isEmpty();
    }

    private static Seen readers(int number, String method, String peer, int sent, int received) {
        Seen seen = new Seen();
        seen.goroutines = _ ->
                many(number, id -> waiting(id, "IO wait", "sun.nio.ch.NioSocketImpl." + method + "(N.java:1)", WORK));
        seen.surroundings = _ -> waits(number, id -> detail(id, -1, 0, peer, sent, received));
        return seen;
    }

    // ---- polling

    @Test
    void loopsThatSleepAndAskAgainPoll() throws IOException {
        for (Class<?> code : List.of(Waiters.SleepingPoller.class, Waiters.FlagPoller.class)) {
            assertThat(only(sleepers(code, 1_000_000)).cause()).isEqualTo(Cause.SLEEP_POLLING);
        }
    }

    @Test
    void tickersAndLongSleepsDoNotPoll() throws IOException {
        assertThat(examined(sleepers(Waiters.Ticker.class, 1_000_000))).isEmpty();
        assertThat(examined(sleepers(Waiters.Customer.class, 1_000_000))).isEmpty();
        assertThat(examined(sleepers(Waiters.FlagPoller.class, 500_000_000))).isEmpty();
    }

    private static Seen sleepers(Class<?> code, long nanos) throws IOException {
        Seen seen = new Seen().with(code);
        seen.goroutines = _ -> many(
                2,
                id -> waiting(id, "sleep", "java.lang.Thread.sleep(Thread.java:1)", code.getName() + ".run(W.java)"));
        seen.surroundings = _ -> waits(2, id -> detail(id, nanos, 0, null, -1, -1));
        return seen;
    }

    @Test
    void aLoopThatYieldsUntilAFlagIsSetPolls() throws IOException {
        assertThat(only(yielders(Waiters.YieldingPoller.class, 1_000_000)).cause())
                .isEqualTo(Cause.YIELD_POLLING);
        assertThat(examined(yielders(Waiters.YieldingComputer.class, 1_000_000)))
                .isEmpty();
        assertThat(examined(yielders(Waiters.YieldingPoller.class, 500))).isEmpty();
    }

    private static Seen yielders(Class<?> code, long switches) throws IOException {
        Seen seen = new Seen().with(code);
        seen.switchesPerSecond = switches;
        seen.goroutines =
                _ -> List.of(running(1, "java.lang.Thread.yield(Thread.java:1)", code.getName() + ".run(W.java)"));
        return seen;
    }

    // ---- herds

    @Test
    void waitersThatAreAllWokenForEachEventAreAHerd() throws IOException {
        assertThat(only(herd(Waiters.Herd.class, 50, 20_000)).cause()).isEqualTo(Cause.THUNDERING_HERD);
    }

    @Test
    void waitersThatAreWokenOneByOneOrSeldomAreNot() throws IOException {
        assertThat(examined(herd(Waiters.Single.class, 50, 20_000))).isEmpty();
        assertThat(examined(herd(Waiters.Herd.class, 50, 200))).isEmpty();
        assertThat(examined(herd(Waiters.Herd.class, 5, 20_000))).isEmpty();
    }

    private static Seen herd(Class<?> code, int number, long switches) throws IOException {
        Seen seen = new Seen().with(code);
        seen.switchesPerSecond = switches;
        String[] stack = {"java.lang.Object.wait0(Object.java)", code.getName() + ".run(W.java)"};
        seen.goroutines = _ -> many(
                number,
                id -> id % 4 == 0
                        ? goroutine(id, GoroutineState.RUNNABLE, null, false, -1, null, 0, List.of(), stack)
                        : waiting(id, "sync.Cond.Wait", stack));
        return seen;
    }

    // ---- thread-locals

    @Test
    void thousandsOfLargeThreadLocalsAreNamedWithTheirField() {
        Finding finding = only(threadLocals(1_000, 50_000));

        assertThat(finding.cause()).isEqualTo(Cause.THREAD_LOCALS);
        assertThat(finding.evidence().getFirst()).contains("app.Worker.BUFFER").contains("byte[]");
    }

    @Test
    void smallOrFewThreadLocalsAreFine() {
        assertThat(examined(threadLocals(1_000, 500))).isEmpty();
        assertThat(examined(threadLocals(8, 5_000_000))).isEmpty();
    }

    private static Seen threadLocals(int threads, long bytes) {
        Seen seen = new Seen();
        int looked = Math.min(threads, 50);
        var stats = new ThreadLocalStats("app.Worker.BUFFER", "byte[]", looked, looked * bytes, threads, looked);
        seen.surroundings = dump -> new Surroundings(List.of(), List.of(), dump == 3 ? List.of(stats) : List.of());
        return seen;
    }

    // ---- disk, names and timers

    @Test
    void goroutinesInFsyncWaitForTheDisk() {
        Finding finding = only(inCall(6, "sun.nio.ch.UnixFileDispatcherImpl.force0(Native Method)"));

        assertThat(finding.cause()).isEqualTo(Cause.SLOW_DISK);
        assertThat(finding.evidence().getFirst()).contains("fsync");
    }

    @Test
    void oneJournalIsFine() {
        assertThat(examined(inCall(1, "sun.nio.ch.UnixFileDispatcherImpl.force0(Native Method)")))
                .isEmpty();
    }

    @Test
    void lookupsThatTakeLongAreNamed() {
        assertThat(only(inCall(2, "java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)"))
                        .cause())
                .isEqualTo(Cause.SLOW_DNS);
    }

    @Test
    void quickLookupsAreFine() {
        Seen seen = new Seen(); // another goroutine at each dump
        seen.goroutines =
                dump -> List.of(running(dump, "java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)", WORK));
        assertThat(examined(seen)).isEmpty();
    }

    private static Seen inCall(int number, String frame) {
        Seen seen = new Seen();
        seen.goroutines = _ -> many(number, id -> running(id, frame, WORK));
        return seen;
    }

    @Test
    void manyTimersThatExpireAreAStorm() {
        assertThat(causes(it -> {
                    it.timersFiredPerSecond = 100_000;
                    it.timers = 10_000;
                }))
                .containsExactly(Cause.TIMER_STORM);
        assertThat(causes(it -> {
                    it.timersFiredPerSecond = 5_000;
                    it.timers = 10_000;
                }))
                .isEmpty();
    }

    @Test
    void aFewThreadsThatTickEveryMillisecondAreNoStorm() {
        assertThat(causes(it -> {
                    it.timersFiredPerSecond = 40_000;
                    it.timers = 40;
                }))
                .isEmpty();
    }

    /// The polling began within the first window, which shows its timers only.
    @Test
    void theWindowsBesideItMayExplainASymptom() throws IOException {
        Seen storm = new Seen();
        storm.timersFiredPerSecond = 100_000;
        storm.timers = 10_000;
        Seen polling = sleepers(Waiters.SleepingPoller.class, 1_000_000);
        assertThat(causesIn(storm, polling)).containsExactly(Cause.SLEEP_POLLING);
        assertThat(causesIn(polling, storm)).containsExactly(Cause.SLEEP_POLLING);
        assertThat(causesIn(storm, new Seen(), polling))
                .containsExactlyInAnyOrder(Cause.SLEEP_POLLING, Cause.TIMER_STORM);
    }

    private static List<Cause> causesIn(Seen... windows) {
        List<List<SampleWindow>> recorded = Arrays.stream(windows)
                .map(Seen::observation)
                .map(it -> List.of(new SampleWindow("app", it.samples(), it.dumps(), it.classes())))
                .toList();
        return Diagnosis.of(recorded).getFirst().findings().stream()
                .map(Finding::cause)
                .toList();
    }

    @Test
    void cancelledTasksThatStayInTheQueueAreAStorm() {
        assertThat(causes(it -> it.surroundings = delayed(1.0))).containsExactly(Cause.TIMER_STORM);
        assertThat(causes(it -> it.surroundings = delayed(0.1))).isEmpty();
    }

    private static IntFunction<Surroundings> delayed(double cancelled) {
        return _ -> new Surroundings(
                List.of(new QueueStats("x.Y$DelayedWorkQueue@1", "app.Worker.timers", 50_000, 1L << 31, cancelled)),
                List.of(),
                List.of());
    }

    private static List<GoroutineStats> many(int number, LongFunction<GoroutineStats> one) {
        return LongStream.rangeClosed(1, number).mapToObj(one).toList();
    }

    private static Surroundings waits(int number, LongFunction<WaitDetail> one) {
        return new Surroundings(
                List.of(), LongStream.rangeClosed(1, number).mapToObj(one).toList(), List.of());
    }

    private static WaitDetail detail(
            long thread, long timeout, int waitId, @Nullable String peer, int sent, int received) {
        return new WaitDetail(thread, timeout, waitId, peer, sent, received);
    }

    private static List<Cause> causes(Consumer<Seen> change) {
        Seen seen = new Seen();
        change.accept(seen);
        return examined(seen).stream().map(Finding::cause).toList();
    }

    private static List<Finding> examined(Seen seen) {
        return Doctor.examine(seen.observation());
    }

    private static Finding only(Seen seen) {
        List<Finding> findings = examined(seen);
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }
}
