package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.many;
import static dev.heddle.doctor.Seen.only;
import static dev.heddle.doctor.Seen.place;
import static dev.heddle.doctor.Seen.standing;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import app.Standstills;
import dev.heddle.internal.observe.Pool;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.internal.observe.ThreadLocalStats;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The rules about threads that make no progress, about servers and timers with one thread, and about pools of
/// the program's own: each on a made-up observation that shows the cause, and on the nearest one of a healthy
/// program.
final class StandstillRulesTest {

    private static final long LONG = 2_500_000_000L;
    private static final String WAIT = "java.base/java.lang.Object.wait(Object.java:351)";
    private static final String WORK = "app.Worker.run(Worker.java:7)";
    private static final String JOIN =
            "java.base/java.util.concurrent.CompletableFuture.join(CompletableFuture.java:1)";
    private static final String SYNCHRONOUS =
            "java.base/java.util.concurrent.SynchronousQueue.put(SynchronousQueue.java:266)";

    // ---- lost wake-ups

    @Test
    void bothSidesOfAHandOverThatStandStillLostTheirWakeUp() throws IOException {
        Finding finding = only(shelf("put", "take", LONG));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_WAKE_UP);
        assertThat(finding.evidence())
                .anyMatch(it -> it.contains("Shelf.put("))
                .anyMatch(it -> it.contains("Shelf.take("));
        assertThat(finding.remedy()).contains("notifyAll");
    }

    @Test
    void oneSideThatWaitsIsIdle() throws IOException {
        assertThat(Doctor.examine(shelf("take", "take", LONG))).isEmpty();
        assertThat(Doctor.examine(shelf("take", "awaitEmpty", LONG))).isEmpty();
    }

    /// In each dump both are in a new wait.
    @Test
    void bothSidesThatRunNowAndThenAreFine() throws IOException {
        assertThat(Doctor.examine(shelf("put", "take", 0))).isEmpty();
    }

    private static Observation shelf(String one, String other, long nanos) throws IOException {
        Seen seen = new Seen().with(Standstills.Shelf.class);
        List<GoroutineStats> all = new ArrayList<>();
        for (long id = 1; id < 5; id++) {
            String place = place(Standstills.Shelf.class, id % 2 == 0 ? one : other, "wait");
            all.add(standing(id, nanos, "app.Standstills$Shelf@1", "sync.Cond.Wait", WAIT, place, WORK));
        }
        seen.goroutines = _ -> all;
        return seen.observation();
    }

    @Test
    void takersThatStandStillBesideEntriesLostTheirWakeUp() throws IOException {
        Finding finding = only(takers(_ -> 2L));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_WAKE_UP);
        assertThat(finding.evidence().getFirst()).contains("app.Standstills$Shelf.goods");
    }

    @Test
    void takersBesideAnEmptyQueueAreIdle() throws IOException {
        assertThat(Doctor.examine(takers(dump -> dump == 7 ? 0L : 2L))).isEmpty();
    }

    private static Observation takers(IntFunction<Long> size) throws IOException {
        return takersOf(size).observation();
    }

    private static Seen takersOf(IntFunction<Long> size) throws IOException {
        Seen seen = new Seen().with(Standstills.Shelf.class);
        String place = place(Standstills.Shelf.class, "take", "wait");
        seen.goroutines = _ -> List.of(
                standing(1, LONG, "app.Standstills$Shelf@1", "sync.Cond.Wait", WAIT, place, WORK),
                standing(2, LONG, "app.Standstills$Shelf@1", "sync.Cond.Wait", WAIT, place, WORK));
        seen.surroundings = dump -> new Surroundings(
                List.of(new QueueStats(
                        "java.util.ArrayDeque@2",
                        "app.Standstills$Shelf.goods",
                        size.apply(dump),
                        Integer.MAX_VALUE,
                        0)),
                List.of(),
                List.of());
        return seen;
    }

    /// Another thread is in one of the two methods, and may wake the others.
    @Test
    void bothSidesBesideAThreadThatRunsThereAreFine() throws IOException {
        Seen seen = new Seen().with(Standstills.Shelf.class);
        seen.goroutines = _ -> List.of(
                side(1, "put", "app.Standstills$Shelf@1"),
                side(2, "take", "app.Standstills$Shelf@1"),
                Seen.running(9, place(Standstills.Shelf.class, "take", "removeFirst")));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    @Test
    void sidesOfTwoBuffersHaveNothingToDoWithEachOther() throws IOException {
        Seen seen = new Seen().with(Standstills.Shelf.class);
        seen.goroutines =
                _ -> List.of(side(1, "put", "app.Standstills$Shelf@1"), side(2, "take", "app.Standstills$Shelf@2"));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// A taker that has just come will take the entries.
    @Test
    void takersBesideOneThatRanAreFine() throws IOException {
        Seen seen = takersOf(_ -> 2L);
        IntFunction<List<GoroutineStats>> takers = seen.goroutines;
        seen.goroutines = dump -> {
            List<GoroutineStats> all = new ArrayList<>(takers.apply(dump));
            all.add(Seen.running(9, place(Standstills.Shelf.class, "take", "removeFirst")));
            return all;
        };

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    private static GoroutineStats side(long id, String method, String lock) {
        return standing(id, LONG, lock, "sync.Cond.Wait", WAIT, place(Standstills.Shelf.class, method, "wait"), WORK);
    }

    // ---- waits that no thread can end

    /// Tasks of a pool may end the wait later.
    @Test
    void waitsBesideTasksThatAreStillToComeAreFine() throws IOException {
        assertThat(Doctor.examine(roundsBeside(/* queued= */ 1, /* lateMillis= */ -1)))
                .isEmpty();
        assertThat(Doctor.examine(roundsBeside(/* queued= */ 0, /* lateMillis= */ 0)))
                .isEmpty();
        assertThat(only(roundsBeside(/* queued= */ 0, /* lateMillis= */ -1)).cause())
                .isEqualTo(Cause.LOST_TASKS);
    }

    private static Observation roundsBeside(long queued, long lateMillis) throws IOException {
        Seen seen = roundsSeen();
        seen.pools = _ -> List.of(new Pool("Pool@1", "pool", 1, 1, queued, lateMillis, List.of()));
        return seen.observation();
    }

    @Test
    void nothingIsClaimedOfThreadsThatADumpLeftOut() throws IOException {
        Seen seen = roundsSeen();
        seen.complete = _ -> false;
        assertThat(Doctor.examine(seen.observation())).isEmpty();
        // A thread without frames has not begun, and may do anything.
        assertThat(Doctor.examine(rounds(Seen.running(9)))).isEmpty();
    }

    private static Seen roundsSeen() throws IOException {
        return stuckSeen(
                Standstills.Rounds.class,
                "java.base/java.util.concurrent.CyclicBarrier.await(CyclicBarrier.java:364)",
                "run",
                "await");
    }

    /// A platform thread has no mark. If it has not moved in any dump, the number of its wait decides.
    @Test
    void aWaitThatIsTooShortOrNotTheSameIsNotStanding() {
        String write = "java.base/sun.nio.ch.NioSocketImpl.implWrite(NioSocketImpl.java:1)";

        assertThat(Doctor.examine(standingAt(6, 1_450_000_000L, write))).isEmpty(); // half of 3 s is more
        assertThat(Doctor.examine(standingAt(6, -1, write))).isEmpty(); // without a mark or a number
        assertThat(Doctor.examine(standingAt(4, LONG, write))).isEmpty();
        assertThat(only(standingAt(5, LONG, write)).evidence().getLast()).contains("1.5 s or more");
    }

    @Test
    void aBarrierWithAMissingPartyIsNeverPassed() throws IOException {
        Finding finding = only(rounds());

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.evidence().get(1)).contains("a party is missing");
        assertThat(finding.stack()).anyMatch(it -> it.contains("Rounds.run"));
    }

    @Test
    void aBarrierToWhichAnotherWillComeIsFine() throws IOException {
        assertThat(Doctor.examine(rounds(waiting(9, "sleep", place(Standstills.Rounds.class, "run", "sleep")))))
                .isEmpty();
    }

    private static Observation rounds(GoroutineStats... others) throws IOException {
        return stuck(
                Standstills.Rounds.class,
                "java.base/java.util.concurrent.CyclicBarrier.await(CyclicBarrier.java:364)",
                "run",
                "await",
                others);
    }

    @Test
    void producersWhoseConsumerHasEndedWaitForEver() throws IOException {
        Finding finding = only(printer());

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.evidence().getFirst()).contains("Printer.ship").contains("Printer.labels");
        assertThat(finding.remedy()).contains("Printer.print");
    }

    @Test
    void producersWhoseConsumerIsSlowAreNotLost() throws IOException {
        assertThat(Doctor.examine(printer(waiting(9, "sleep", place(Standstills.Printer.class, "print", "sleep")))))
                .isEmpty();
    }

    private static Observation printer(GoroutineStats... others) throws IOException {
        return stuck(
                Standstills.Printer.class,
                "java.base/java.util.concurrent.ArrayBlockingQueue.put(ArrayBlockingQueue.java:370)",
                "ship",
                "put",
                others);
    }

    @Test
    void idleConsumersAreNotLost() throws IOException {
        assertThat(Doctor.examine(stuck(
                        Standstills.Printer.class,
                        "java.base/java.util.concurrent.ArrayBlockingQueue.take(ArrayBlockingQueue.java:420)",
                        "print",
                        "take")))
                .isEmpty();
    }

    @Test
    void threadsThatHoldAPermitAndWaitForAnotherAreDeadlocked() throws IOException {
        Finding finding = only(transfers());

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.evidence().get(1)).contains("each holds one and waits for another");
        assertThat(finding.remedy()).contains("Do not take a second one at app.Standstills$Transfers.inner");
    }

    @Test
    void threadsThatWaitForAHolderThatRunsAreFine() throws IOException {
        assertThat(Doctor.examine(transfers(Seen.running(9, place(Standstills.Transfers.class, "inner", "yield")))))
                .isEmpty();
    }

    private static Observation transfers(GoroutineStats... others) throws IOException {
        String outer = place(Standstills.Transfers.class, "outer", "inner");
        Seen seen = new Seen().with(Standstills.Transfers.class);
        List<GoroutineStats> all = new ArrayList<>(List.of(others));
        for (long id = 1; id < 7; id++) {
            all.add(standing(
                    id,
                    LONG,
                    "Sync@a",
                    "semacquire",
                    "java.base/java.util.concurrent.Semaphore.acquireUninterruptibly(Semaphore.java:341)",
                    place(Standstills.Transfers.class, "inner", "acquireUninterruptibly"),
                    outer));
        }
        seen.goroutines = _ -> all;
        return seen.observation();
    }

    @Test
    void threadsThatFillEachOthersQueueAreDeadlocked() throws IOException {
        String put = "java.base/java.util.concurrent.ArrayBlockingQueue.put(ArrayBlockingQueue.java:370)";
        Seen seen = new Seen().with(Standstills.Relay.class);
        seen.goroutines = _ -> List.of(
                standing(1, LONG, "C@1", "sync.Cond.Wait", put, place(Standstills.Relay.class, "left", "put")),
                standing(2, LONG, "C@2", "sync.Cond.Wait", put, place(Standstills.Relay.class, "right", "put")));
        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.evidence().get(1)).contains("make no progress themselves");
    }

    @Test
    void anAnswerThatAnIdleThreadHasForgottenIsLost() throws IOException {
        Finding finding = only(answers(LONG));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.evidence().get(1)).contains("Answers.answer").contains("forgotten");
    }

    @Test
    void answersThatComeAreFine() throws IOException {
        assertThat(Doctor.examine(answers(0))).isEmpty();
    }

    private static Observation answers(long nanos) throws IOException {
        Seen seen = new Seen().with(Standstills.Answers.class);
        seen.goroutines = _ -> List.of(
                standing(
                        1,
                        nanos,
                        "Signaller@1",
                        "semacquire",
                        "java.base/java.util.concurrent.CompletableFuture.join(CompletableFuture.java:1)",
                        place(Standstills.Answers.class, "ask", "join")),
                standing(
                        2,
                        LONG,
                        "C@1",
                        "sync.Cond.Wait",
                        "java.base/java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:1)",
                        place(Standstills.Answers.class, "answer", "take")));
        return seen.observation();
    }

    // ---- answers that an idle thread has forgotten, while new questions may come

    @Test
    void questionsThatWereTakenAndNotAnsweredAreLeaked() throws IOException {
        Finding finding = only(questions(8));

        assertThat(finding.cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
        assertThat(finding.evidence().getFirst()).contains("8 goroutines").contains("Answers.ask");
        assertThat(Doctor.examine(questions(7))).isEmpty();
    }

    @Test
    void answersAreNotForgottenWhileOneIsWorkedOnOrTheClientsGoOn() throws IOException {
        String answers = place(Standstills.Answers.class, "answer", "complete");
        String asks = place(Standstills.Answers.class, "ask", "join");

        assertThat(Doctor.examine(questions(8, Seen.running(30, answers)))).isEmpty();
        assertThat(Doctor.examine(questions(8, standing(30, 0, "Signaller@1", "semacquire", JOIN, asks))))
                .isEmpty();
    }

    @Test
    void clientsThatWaitForARareEventAreFine() throws IOException {
        Seen seen = new Seen().with(Standstills.LongPoll.class);
        seen.goroutines = _ -> waitersBeside(
                12,
                place(Standstills.LongPoll.class, "next", "join"),
                place(Standstills.LongPoll.class, "publish", "take"));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// A thread that will ask later is there, so the idle thread is not stuck for ever.
    private static Observation questions(int number, GoroutineStats... others) throws IOException {
        Seen seen = new Seen().with(Standstills.Answers.class);
        seen.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>(List.of(others));
            all.addAll(waitersBeside(
                    number,
                    place(Standstills.Answers.class, "ask", "join"),
                    place(Standstills.Answers.class, "answer", "take")));
            all.add(waiting(40, "sleep", place(Standstills.Answers.class, "ask", "put")));
            return all;
        };
        return seen.observation();
    }

    private static List<GoroutineStats> waitersBeside(int number, String waits, String takes) {
        List<GoroutineStats> all =
                many(1, 1 + number, id -> standing(id, LONG, "Signaller@" + id, "semacquire", JOIN, waits));
        all.add(standing(
                20,
                LONG,
                "C@1",
                "sync.Cond.Wait",
                "java.base/java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:1)",
                takes));
        return all;
    }

    /// Three threads that make no progress at one place, beside others.
    private static Observation stuck(
            Class<?> fixture, String call, String method, String called, GoroutineStats... others) throws IOException {
        return stuckSeen(fixture, call, method, called, others).observation();
    }

    private static Seen stuckSeen(Class<?> fixture, String call, String method, String called, GoroutineStats... others)
            throws IOException {
        Seen seen = new Seen().with(fixture);
        List<GoroutineStats> all = new ArrayList<>(List.of(others));
        for (long id = 1; id < 4; id++) {
            all.add(standing(id, LONG, "Sync@a", "semacquire", call, place(fixture, method, called)));
        }
        seen.goroutines = _ -> all;
        return seen;
    }

    // ---- pools

    @Test
    void aPoolOfTheProgramsOwnWhoseHoldersWaitIsExhausted() throws IOException {
        Finding finding = only(leases(1));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(finding.evidence().getFirst()).contains("app.Standstills$Leases.take");
        assertThat(finding.stack()).anyMatch(it -> it.contains("Visits.handle"));
    }

    @Test
    void aPoolOfTheProgramsOwnThatThreadsPassQuicklyIsFine() throws IOException {
        assertThat(Doctor.examine(leases(0))).isEmpty();
    }

    /// Eight threads wait, three hold a lease and sleep.
    private static Observation leases(long nanos) throws IOException {
        Seen seen = new Seen().with(Standstills.Leases.class, Standstills.Visits.class);
        String takes = place(Standstills.Leases.class, "take", "wait");
        String before = place(Standstills.Visits.class, "handle", "take");
        String holds = place(Standstills.Visits.class, "handle", "sleep");
        seen.goroutines = _ -> {
            List<GoroutineStats> all =
                    many(1, 9, id -> standing(id, nanos, "Leases@1", "sync.Cond.Wait", WAIT, takes, before));
            LongStream.range(20, 23).forEach(id -> all.add(waiting(id, "sleep", holds)));
            return all;
        };
        return seen.observation();
    }

    @Test
    void aTimerWhoseOnlyThreadIsOccupiedIsSaturated() {
        Finding finding = only(timer(waiting(50, "sleep", "app.Report.write(Report.java:4)"), 800));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_SATURATED);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("up to 0.8 s late"));
        assertThat(finding.remedy()).contains("app.Report.write(Report.java:4)").contains("newScheduledThreadPool");
    }

    @Test
    void aTimerThatIsOnTimeOrComputesIsFine() {
        assertThat(Doctor.examine(timer(waiting(50, "sleep", WORK), 20))).isEmpty();
        assertThat(Doctor.examine(timer(Seen.running(50, WORK), 800))).isEmpty();
    }

    private static Observation timer(GoroutineStats worker, long lateMillis) {
        Seen seen = new Seen();
        seen.platform = _ -> List.of(worker);
        seen.pools = _ -> List.of(new Pool("java.util.TaskQueue@1", "timer", 1, 1, 1, lateMillis, List.of(50L)));
        return seen.observation();
    }

    @Test
    void aPoolOfWaitingThreadsWithABacklogIsSaturatedThoughNoThreadWaitsForIt() {
        Finding finding = only(backlog(dump -> 40L + dump));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_SATURATED);
        assertThat(finding.remedy()).contains("newVirtualThreadPerTaskExecutor");
    }

    @Test
    void aBatchThatAPoolWorksOffIsFine() {
        assertThat(Doctor.examine(backlog(dump -> 40L - dump))).isEmpty();
        assertThat(Doctor.examine(backlog(dump -> 2L + dump % 2))).isEmpty();
    }

    private static Observation backlog(IntFunction<Long> queued) {
        Seen seen = new Seen();
        seen.platform = _ -> List.of(waiting(50, "sleep", WORK), waiting(51, "sleep", WORK));
        seen.pools = dump -> List.of(new Pool(
                "java.util.concurrent.ThreadPoolExecutor@1", "pool", 2, 2, queued.apply(dump), -1, List.of(50L, 51L)));
        return seen.observation();
    }

    // ---- locks without an owner

    @Test
    void aStampedLockWhoseHolderSleepsIsSlow() throws IOException {
        Finding finding = only(ledger("save"));

        assertThat(finding.cause()).isEqualTo(Cause.SLOW_LOCK);
        assertThat(finding.stack()).anyMatch(it -> it.contains("Ledger.save("));
    }

    @Test
    void aThreadThatSleepsAfterUnlockingAStampedLockHoldsNothing() throws IOException {
        assertThat(Doctor.examine(ledger("saveQuickly"))).isEmpty();
    }

    private static Observation ledger(String method) throws IOException {
        String lock = "java.util.concurrent.locks.StampedLock@1";
        Seen seen = new Seen().with(Standstills.Ledger.class);
        String sleeps = place(Standstills.Ledger.class, method, "sleep");
        seen.goroutines = _ -> List.of(
                waiting(1, "sleep", sleeps),
                standing(2, 0, lock, "semacquire", WORK),
                standing(3, 0, lock, "semacquire", WORK));
        return seen.observation();
    }

    // ---- servers and sockets

    @Test
    void aServerThatWaitsInItsAcceptLoopServesOneByOne() throws IOException {
        Finding finding = only(server("serve", "sleep", /* clients= */ 6));

        assertThat(finding.cause()).isEqualTo(Cause.SERIAL_SERVER);
        assertThat(finding.evidence().getFirst()).contains("app.Standstills$Listener.listen");
        assertThat(finding.remedy()).contains("startVirtualThread");
    }

    @Test
    void aServerThatAcceptsOrHasNoOtherClientsIsFine() throws IOException {
        assertThat(Doctor.examine(server("accept", "IO wait", /* clients= */ 6)))
                .isEmpty();
        assertThat(Doctor.examine(server("serve", "sleep", /* clients= */ 1))).isEmpty();
    }

    @Test
    void anHttpServerWithoutAnExecutorServesOneByOne() throws IOException {
        Seen seen = clients(6);
        seen.platform = _ -> List.of(waiting(
                50,
                "sleep",
                "app.Page.show(Page.java:8)",
                "jdk.httpserver/sun.net.httpserver.ServerImpl$DefaultExecutor.execute(ServerImpl.java:260)",
                "jdk.httpserver/sun.net.httpserver.ServerImpl$Dispatcher.run(ServerImpl.java:480)"));
        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.SERIAL_SERVER);
        assertThat(finding.remedy()).contains("setExecutor").contains("app.Page.show(Page.java:8)");
    }

    private static Observation server(String method, String reason, int clients) throws IOException {
        Seen seen = clients(clients).with(Standstills.Listener.class);
        boolean serves = method.equals("serve");
        String inner = serves
                ? place(Standstills.Listener.class, "serve", "sleep")
                : "java.base/java.net.ServerSocket.accept(ServerSocket.java:1)";
        String loop = place(Standstills.Listener.class, "listen", method);
        seen.platform = _ -> List.of(waiting(50, reason, inner, loop));
        return seen.observation();
    }

    private static Seen clients(int number) {
        Seen seen = new Seen();
        seen.goroutines = _ -> many(
                1,
                1 + number,
                id -> waiting(
                        id, "IO wait", "java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:307)", WORK));
        return seen;
    }

    @Test
    void requestsOfTheHttpClientThatGetNoAnswerAreNamed() {
        String send = "java.net.http/jdk.internal.net.http.HttpClientImpl.send(HttpClientImpl.java:1)";
        Finding finding = only(standingAt(12, LONG, send));

        assertThat(finding.cause()).isEqualTo(Cause.SOCKET_READS);
        assertThat(finding.remedy()).contains("timeout(Duration");
        assertThat(Doctor.examine(standingAt(12, 0, send))).isEmpty();
    }

    @Test
    void writersWhosePeersDoNotReadAreNamed() {
        String write = "java.base/sun.nio.ch.NioSocketImpl.implWrite(NioSocketImpl.java:1)";

        assertThat(only(standingAt(6, LONG, write)).cause()).isEqualTo(Cause.SOCKET_WRITES);
        assertThat(Doctor.examine(standingAt(6, 0, write))).isEmpty();
        assertThat(Doctor.examine(standingAt(2, LONG, write))).isEmpty();
    }

    private static Observation standingAt(int number, long nanos, String call) {
        Seen seen = new Seen();
        seen.goroutines = _ -> many(1, 1 + number, id -> standing(id, nanos, null, "semacquire", call, WORK));
        return seen.observation();
    }

    // ---- leaks

    @Test
    void threadsThatPileUpInAHandOverAreLeaked() {
        Seen seen = new Seen();
        seen.goroutines = dump -> many(1, 10 + 3L * dump, id -> waiting(id, "semacquire", SYNCHRONOUS, WORK));

        assertThat(only(seen.observation()).cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
    }

    @Test
    void threadsThatPileUpAreLeakedThoughADumpCannotShowAll() {
        Finding finding = only(manyInHandOver(_ -> 1L));

        assertThat(finding.cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
        assertThat(finding.evidence().get(1)).contains("hardly any of them went on");
    }

    /// All members of the first dump have gone on: there are too few consumers.
    @Test
    void threadsThatGoOnAreNotLeaked() {
        assertThat(Doctor.examine(manyInHandOver(dump -> 1L + 40L * dump)))
                .extracting(Finding::cause)
                .containsExactly(Cause.UNBOUNDED_SPAWN);
    }

    private static Observation manyInHandOver(IntFunction<Long> first) {
        Seen seen = new Seen();
        seen.liveAtStart = 1_200;
        seen.livePerSecond = 500;
        seen.complete = _ -> false;
        seen.goroutines = dump ->
                many(first.apply(dump), first.apply(dump) + 300, id -> waiting(id, "semacquire", SYNCHRONOUS, WORK));
        return seen.observation();
    }

    // ---- thread-locals

    @Test
    void theCodeThatUsesAThreadLocalIsShown() throws IOException {
        Seen seen = new Seen().with(Standstills.Buffers.class);
        seen.surroundings = _ -> new Surroundings(
                List.of(),
                List.of(),
                List.of(new ThreadLocalStats("app.Standstills$Buffers.SCRATCH", "byte[]", 50, 50L << 16, 1_000, 50)));
        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.THREAD_LOCALS);
        assertThat(finding.evidence().getLast()).contains("app.Standstills$Buffers.mine");
        assertThat(finding.remedy()).contains("app.Standstills$Buffers.mine");
    }
}
