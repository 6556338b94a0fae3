package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.goroutine;
import static dev.heddle.doctor.Seen.many;
import static dev.heddle.doctor.Seen.only;
import static dev.heddle.doctor.Seen.place;
import static dev.heddle.doctor.Seen.running;
import static dev.heddle.doctor.Seen.standing;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import app.Blames;
import dev.heddle.internal.observe.Pool;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Waits that name the thread, the code or the process that would end them: each on a made-up observation that shows
/// the cause, on one of the corrected program, and on the nearest healthy one.
final class BlameRulesTest {

    private static final long LONG = 2_500_000_000L;
    private static final String CHILD = "java.base/java.lang.ProcessImpl.waitFor(ProcessImpl.java:423)";
    private static final String WAIT = "java.base/java.lang.Object.wait(Object.java:351)";
    private static final String AWAIT =
            "java.base/java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await(AbstractQueuedSynchronizer.java:1752)";
    private static final String JOIN =
            "java.base/java.util.concurrent.CompletableFuture.join(CompletableFuture.java:1)";
    private static final String PARK = "java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:1)";
    private static final String TASK = "app.Task.run(Task.java:7)";

    // ---- child processes

    @Test
    void childrenWhoseOutputIsReadAfterTheirEndAreNamed() throws IOException {
        Finding finding = only(children("readAfterwards", 2));

        assertThat(finding.cause()).isEqualTo(Cause.CHILD_PROCESSES);
        assertThat(finding.evidence().get(1)).contains("64 KB");
        assertThat(finding.remedy()).contains("Probe.readAfterwards(").contains("destroyForcibly");
    }

    /// Fixed; the output goes elsewhere; a supervisor reads nothing; and a single child may take its time.
    @Test
    void childrenThatMayTakeTheirTimeAreFine() throws IOException {
        assertThat(Doctor.examine(children("readBefore", 2))).isEmpty();
        assertThat(Doctor.examine(children("errorsAfterwards", 2))).isEmpty();
        assertThat(Doctor.examine(children("redirected", 2))).isEmpty();
        assertThat(Doctor.examine(children("supervise", 8))).isEmpty();
        assertThat(Doctor.examine(children("readAfterwards", 1))).isEmpty();
    }

    /// Other threads have come to the place and left it.
    @Test
    void childrenThatDoNotEndWhileOthersDoAreNamed() throws IOException {
        Seen seen = seenChildren("supervise", 2);
        String place = place(Blames.Probe.class, "supervise", "waitFor");
        List<GoroutineStats> stuck = seen.goroutines.apply(0);
        seen.goroutines = dump ->
                with(stuck, dump == 14 ? waiting(100, "sleep", TASK) : waiting(100, "wait", CHILD, place, TASK));

        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.CHILD_PROCESSES);
        assertThat(finding.evidence().get(1)).contains("other children ended");

        seen.goroutines = _ -> with(stuck, waiting(100, "wait", CHILD, place, TASK)); // it is there to the end
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    private static Observation children(String method, int threads) throws IOException {
        return seenChildren(method, threads).observation();
    }

    private static Seen seenChildren(String method, int threads) throws IOException {
        Seen seen = new Seen().with(Blames.Probe.class);
        String place = place(Blames.Probe.class, method, "waitFor");
        List<GoroutineStats> all =
                many(1, threads + 1, id -> standing(id, LONG, null, "sync.Cond.Wait", CHILD, place, TASK));
        seen.goroutines = _ -> all;
        return seen;
    }

    // ---- a signal to one of many

    @Test
    void aSignalToOneOfManyThatCouldGoOnIsNamed() throws IOException {
        Finding finding = only(signals(Blames.Plant.class, "awaitWater", AWAIT, "await", 2, TASK));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_WAKE_UP);
        assertThat(finding.remedy())
                .contains("signalAll")
                .contains("Plant.turn")
                .contains("Plant.awaitWater(");
    }

    @Test
    void aSignalToAllIsFine() throws IOException {
        assertThat(Doctor.examine(signals(Blames.CarefulPlant.class, "awaitWater", WAIT, "wait", 2, TASK)))
                .isEmpty();
    }

    /// One waiter may be meant; no thread with that task was woken so far.
    @Test
    void waitersOfWhichNoneWasWokenAreFine() throws IOException {
        assertThat(Doctor.examine(signals(Blames.Plant.class, "awaitWater", AWAIT, "await", 1, TASK)))
                .isEmpty();
        assertThat(Doctor.examine(
                        signals(Blames.Plant.class, "awaitWater", AWAIT, "await", 2, "app.Other.run(Other.java:1)")))
                .isEmpty();
    }

    /// The waiter takes what the signal is for, itself or in its caller, or wakes the next one.
    @Test
    void aSignalForOneEntryIsFine() throws IOException {
        assertThat(Doctor.examine(signals(Blames.Workshop.class, "next", WAIT, "wait", 2, TASK)))
                .isEmpty();
        assertThat(Doctor.examine(signals(Blames.Workshop.class, "claim", WAIT, "wait", 2, TASK)))
                .isEmpty();
        Seen byHelper = signalled(Blames.Workshop.class, "awaitOrder", WAIT, "wait", 2, TASK, stack -> {
            List<String> frames = new ArrayList<>(stack);
            frames.add(2, place(Blames.Workshop.class, "nextByHelper", "awaitOrder"));
            return frames;
        });
        assertThat(Doctor.examine(byHelper.observation())).isEmpty();
        Seen relay = signalled(Blames.Relay.class, "pass", WAIT, "wait", 2, TASK, stack -> {
            List<String> frames = new ArrayList<>(stack);
            frames.add(2, place(Blames.Relay.class, "run", "pass"));
            return frames;
        });
        assertThat(new LostWakeUpRule().check(relay.observation())).isEmpty();
    }

    private static Observation signals(
            Class<?> fixture, String method, String wait, String call, int waiters, String awake) throws IOException {
        return signalled(fixture, method, wait, call, waiters, awake, it -> it).observation();
    }

    private static Seen signalled(
            Class<?> fixture,
            String method,
            String wait,
            String call,
            int waiters,
            String awake,
            UnaryOperator<List<String>> change)
            throws IOException {
        Seen seen = new Seen().with(fixture);
        String[] stack =
                change.apply(List.of(wait, place(fixture, method, call), TASK)).toArray(String[]::new);
        List<GoroutineStats> all = new ArrayList<>(
                many(1, waiters + 1, id -> standing(id, LONG, fixture.getName() + "@1", "sync.Cond.Wait", stack)));
        all.add(waiting(100, "sleep", awake));
        seen.goroutines = _ -> all;
        return seen;
    }

    // ---- a lock that its holder asks for again

    @Test
    void aThreadThatWaitsForItsOwnStampedLockIsDeadlocked() throws IOException {
        Finding finding = only(stamped("upgrade", "writeLock"));

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.evidence().getFirst()).contains("holds it already").contains("Prices.upgrade");
        assertThat(finding.remedy()).contains("tryConvertToWriteLock");
    }

    /// Another lock was taken, and given back or not; or the same one was given back.
    @Test
    void aThreadThatHoldsAnotherStampedLockIsFine() throws IOException {
        assertThat(Doctor.examine(stampedAt(lineOfSecondLock("read")))).isEmpty();
        assertThat(Doctor.examine(stampedAt(lineOfSecondLock("both")))).isEmpty();
        assertThat(Doctor.examine(stamped("again", "writeLock"))).isEmpty();
    }

    private static Observation stamped(String method, String call) throws IOException {
        return stampedAt(place(Blames.Prices.class, method, call));
    }

    /// The line at which the method asks for `lock`: two lines, or one, behind the one with `other`.
    private static String lineOfSecondLock(String method) {
        String first = place(Blames.Prices.class, method, "readLock");
        int colon = first.lastIndexOf(':');
        int line = Integer.parseInt(first.substring(colon + 1, first.length() - 1)) + (method.equals("read") ? 2 : 1);
        return first.substring(0, colon + 1) + line + ")";
    }

    private static Observation stampedAt(String place) throws IOException {
        Seen seen = new Seen().with(Blames.Prices.class);
        seen.goroutines = _ ->
                List.of(standing(1, LONG, "java.util.concurrent.locks.StampedLock@1", "semacquire", PARK, place, TASK));
        return seen.observation();
    }

    // ---- a full queue and a monitor

    @Test
    void aTakerThatNeedsTheLockOfAPutterIsDeadlocked() throws IOException {
        Finding finding = only(yard("fire"));

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.evidence().get(1)).contains("Yard.note(").contains("would end this wait");
    }

    /// The thread that wants the monitor takes from another queue.
    @Test
    void aThreadThatTakesFromAnotherQueueWouldNotEndTheWait() throws IOException {
        assertThat(Doctor.examine(yard("write"))).isEmpty();
    }

    private static Observation yard(String taker) throws IOException {
        Seen seen = new Seen().with(Blames.Yard.class);
        GoroutineStats putter = goroutine(
                1,
                GoroutineState.WAITING,
                "sync.Cond.Wait",
                false,
                -1,
                "Condition@2",
                0,
                List.of("app.Blames$Yard@1"),
                "java.base/java.util.concurrent.ArrayBlockingQueue.put(ArrayBlockingQueue.java:371)",
                place(Blames.Yard.class, "deliver", "put"),
                TASK);
        GoroutineStats wanting = goroutine(
                2,
                GoroutineState.WAITING,
                "sync.Mutex.Lock",
                false,
                -1,
                "app.Blames$Yard@1",
                1,
                List.of(),
                place(Blames.Yard.class, "note", "removeFirst"),
                place(Blames.Yard.class, taker, "note"),
                TASK);
        seen.goroutines = _ -> List.of(putter, wanting);
        return seen.observation();
    }

    // ---- permits that are gathered

    @Test
    void threadsThatGatherPermitsOneByOneAreDeadlocked() throws IOException {
        Seen seen = new Seen().with(Blames.Station.class);
        String[] stack = {
            "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)",
            place(Blames.Station.class, "board", "acquire"),
            place(Blames.Station.class, "ride", "board"),
            TASK
        };
        seen.goroutines = _ -> many(1, 7, id -> standing(id, LONG, "Semaphore@1", "semacquire", stack));

        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.remedy()).contains("acquire(2)").contains("Station.board(");
    }

    @Test
    void threadsThatGiveBackInEachRoundHoldNothing() throws IOException {
        Seen seen = new Seen().with(Blames.Lift.class);
        String[] stack = {
            "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)",
            place(Blames.Lift.class, "ride", "acquire"),
            TASK
        };
        seen.goroutines = _ -> many(1, 7, id -> standing(id, LONG, "Semaphore@1", "semacquire", stack));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    // ---- answers that are lost

    @Test
    void questionsWhoseAnswersAreLostAreNamed() throws IOException {
        Finding finding = only(questions("call", 8, idle("receive"), idle("transmit")));

        assertThat(finding.cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
        assertThat(finding.remedy()).contains("completeExceptionally").contains("Line.call(");
    }

    @Test
    void questionsByChannelsWhoseAnswersAreLostAreNamed() throws IOException {
        Seen seen = new Seen().with(Blames.Wire.class);
        String place = place(Blames.Wire.class, "call", "join");
        String next = "dev.heddle.Chan$1.hasNext(Chan.java:1)";
        List<GoroutineStats> all = new ArrayList<>(
                many(1, 9, id -> standing(id, LONG, null, "semacquire", JOIN, place, "app.Office.run(O.java:1)")));
        all.add(standing(100, LONG, null, "chan receive", next, place(Blames.Wire.class, "receive", "hasNext"), TASK));
        all.add(standing(101, LONG, null, "chan receive", next, place(Blames.Wire.class, "peer", "hasNext"), TASK));
        all.add(waiting(102, "sleep", place(Blames.Wire.class, "call", "send"), TASK));
        seen.goroutines = _ -> all;

        assertThat(only(seen.observation()).cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
    }

    /// They have asked nothing, are few, no thread has taken the questions, or an answer is under way.
    @Test
    void threadsThatWaitForAnEventAreFine() throws IOException {
        assertThat(Doctor.examine(questions("listen", 8, idle("receive"), idle("transmit"))))
                .isEmpty();
        assertThat(Doctor.examine(questions("call", 7, idle("receive"), idle("transmit"))))
                .isEmpty();
        assertThat(Doctor.examine(questions("call", 8, idle("receive")))).isEmpty();
        GoroutineStats busy = waiting(99, "sleep", place(Blames.Line.class, "answerSlowly", "sleep"), TASK);
        assertThat(Doctor.examine(questions("call", 8, idle("receive"), idle("transmit"), busy)))
                .isEmpty();
    }

    /// A thread that waits for its next message.
    private static GoroutineStats idle(String method) {
        return standing(
                method.equals("receive") ? 100 : 101,
                LONG,
                null,
                "sync.Cond.Wait",
                "java.base/java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:1)",
                place(Blames.Line.class, method, "take"),
                TASK);
    }

    /// A thread that may ask later is there too, so that the idle ones are not stuck for ever.
    private static Observation questions(String method, int callers, GoroutineStats... others) throws IOException {
        Seen seen = new Seen().with(Blames.Line.class);
        String place = place(Blames.Line.class, method, "join");
        List<GoroutineStats> all = new ArrayList<>(many(
                1, callers + 1, id -> standing(id, LONG, null, "semacquire", JOIN, place, "app.Office.run(O.java:1)")));
        all.addAll(List.of(others));
        all.add(waiting(102, "sleep", place(Blames.Line.class, "call", "put"), TASK));
        seen.goroutines = _ -> all;
        return seen.observation();
    }

    // ---- an unpark that came too early

    @Test
    void aParkThatNoThreadEndsAnyMoreIsNamed() throws IOException {
        Seen seen = new Seen().with(Blames.Gate.class);
        seen.goroutines = _ ->
                List.of(standing(1, LONG, null, "semacquire", PARK, place(Blames.Gate.class, "pass", "park"), TASK));

        Finding finding = only(seen.observation());

        assertThat(finding.cause()).isEqualTo(Cause.LOST_TASKS);
        assertThat(finding.remedy()).contains("unpark").contains("Gate.open");

        seen.goroutines = _ -> List.of(
                standing(1, LONG, null, "semacquire", PARK, place(Blames.Gate.class, "pass", "park"), TASK),
                waiting(2, "sleep", place(Blames.Gate.class, "open", "unpark"), TASK));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    // ---- work that was given up

    private static final String TIMED =
            "java.base/java.util.concurrent.CompletableFuture.timedGet(CompletableFuture.java:1960)";

    @Test
    void tasksWhoseCallersHaveGivenUpAreNamed() {
        Finding finding = only(laboratory(TIMED, 10));

        assertThat(finding.cause()).isEqualTo(Cause.POOL_SATURATED);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("have given up"));
        assertThat(finding.remedy()).contains("Future.cancel(true)");
    }

    /// As many wait as there are tasks, or one caller waits for several of them.
    @Test
    void tasksThatAreStillWantedAreJustTooMany() {
        assertThat(only(laboratory(TIMED, 3)).evidence()).noneMatch(it -> it.contains("given up"));
        assertThat(only(laboratory(JOIN, 10)).evidence()).noneMatch(it -> it.contains("given up"));
    }

    /// Two threads, five callers.
    private static Observation laboratory(String wait, long queued) {
        Seen seen = new Seen();
        seen.goroutines = _ -> many(
                1,
                8,
                id -> id < 3
                        ? waiting(id, "sleep", "app.Laboratory.analyse(L.java:5)", TASK)
                        : waiting(id, "semacquire", wait, "app.Clinic.examine(C.java:9)", "app.Clinic.run(C.java:1)"));
        seen.pools = _ -> List.of(
                new Pool("java.util.concurrent.ThreadPoolExecutor@1", "lab", 2, 2, queued, -1, List.of(1L, 2L)));
        return seen.observation();
    }

    // ---- cancelled timers

    @Test
    void cancelledTimersThatPileUpAreToBeRemoved() throws IOException {
        assertThat(only(timers(0.9)).remedy()).contains("setRemoveOnCancelPolicy");
        assertThat(only(timers(0.1)).remedy()).contains("call cancel");
    }

    private static Observation timers(double cancelled) throws IOException {
        Seen seen = new Seen().with(app.Losses.Calls.class);
        seen.goroutines = _ -> List.of(waiting(1, "sleep", place(app.Losses.Calls.class, "call", "sleep")));
        IntFunction<Long> size = dump -> 500L + 60L * dump;
        seen.surroundings = dump -> new Surroundings(
                List.of(new QueueStats(
                        "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue@1",
                        "the pool of thread deadlines",
                        size.apply(dump),
                        Integer.MAX_VALUE,
                        cancelled)),
                List.of(),
                List.of());
        return seen.observation();
    }

    // ---- few threads that never go on

    @Test
    void tenThreadsThatComeAndNeverGoOnAreEnoughIfTheyWaitForAnAnswer() {
        assertThat(only(arrivals(JOIN, 1)).cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
        assertThat(Doctor.examine(arrivals("java.base/java.util.concurrent.LinkedBlockingQueue.take(L.java:1)", 1)))
                .isEmpty();
    }

    private static Observation arrivals(String wait, int perDump) {
        Seen seen = new Seen();
        seen.goroutines = dump -> many(
                1,
                1 + (long) perDump * dump,
                id -> standing(id, 100_000_000, null, "semacquire", wait, "app.Desk.ask(D.java:5)", TASK));
        return seen.observation();
    }

    // ---- connections that are not accepted

    @Test
    void connectionsThatAreNotAcceptedAreNamed() {
        assertThat(only(connections(5)).remedy())
                .contains("Socket.connect(address, 2_000)")
                .contains("Desk.open(");
        assertThat(Doctor.examine(connections(4))).isEmpty();
    }

    private static Observation connections(int threads) {
        Seen seen = new Seen();
        seen.goroutines = _ -> many(
                1,
                threads + 1,
                id -> standing(
                        id,
                        LONG,
                        null,
                        "IO wait",
                        "java.base/sun.nio.ch.NioSocketImpl.connect(NioSocketImpl.java:592)",
                        "app.Desk.open(D.java:5)",
                        TASK));
        return seen.observation();
    }

    // ---- loops that only read a state

    @Test
    void aLoopThatOnlyReadsAStateIsABusyLoop() throws IOException {
        assertThat(only(spinning("awaitReady", "ready")).cause()).isEqualTo(Cause.BUSY_LOOP);
        assertThat(only(spinning("take", "compareAndSet")).evidence().get(1)).contains("AtomicBoolean.compareAndSet");
    }

    @Test
    void aLoopThatComputesIsNoBusyLoop() throws IOException {
        assertThat(Doctor.examine(spinning("count", "rounds"))).isEmpty();
        assertThat(Doctor.examine(spinning("sum", "rounds"))).isEmpty();
        assertThat(Doctor.examine(spinning("sumUntilReady", "ready"))).isEmpty();
        assertThat(Doctor.examine(spinning("fill", "ready"))).isEmpty();
        assertThat(Doctor.examine(spinning("countUntilReady", "ready"))).isEmpty();
        assertThat(Doctor.examine(spinning("set", "ready"))).isEmpty();
    }

    private static Observation spinning(String method, String what) throws IOException {
        Seen seen = new Seen().with(Blames.Spinner.class);
        seen.goroutines = _ -> List.of(running(1, place(Blames.Spinner.class, method, what), TASK));
        return seen.observation();
    }

    private static List<GoroutineStats> with(List<GoroutineStats> all, GoroutineStats one) {
        List<GoroutineStats> more = new ArrayList<>(all);
        more.add(one);
        return more;
    }
}
