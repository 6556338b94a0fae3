package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.blocking;
import static dev.heddle.doctor.Seen.many;
import static dev.heddle.doctor.Seen.only;
import static dev.heddle.doctor.Seen.place;
import static dev.heddle.doctor.Seen.standing;
import static dev.heddle.doctor.Seen.timed;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import app.Losses;
import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Surroundings;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The rules about what gets lost: locks, permits, signals, datagrams; about static initialisers that need each other,
/// and about monitors whose holder the JVM does not tell. Each on a made-up observation that shows the cause, and on
/// the nearest ones of a healthy program.
final class LossRulesTest {

    private static final long LONG = 2_500_000_000L;
    private static final String WORK = "app.Worker.run(Worker.java:7)";

    // ---- static initialisers that need each other

    private static final String RATES = place(Losses.Rates.class, "<clinit>", "percent");
    private static final String FEES = place(Losses.Fees.class, "<clinit>", "isKnown");
    private static final String PAYS = place(Losses.Till.class, "pay", "percent");

    @Test
    void initialisersThatNeedEachOtherAreDeadlocked() throws IOException {
        Finding finding = only(initialisers(_ -> RATES, _ -> FEES).observation());

        assertThat(finding.cause()).isEqualTo(Cause.DEADLOCK);
        assertThat(finding.evidence().getFirst()).contains("app.Losses$Rates", "until app.Losses$Fees");
        assertThat(finding.evidence()).anyMatch(it -> it.contains("1 more threads") && it.contains("Till.pay"));
        assertThat(finding.remedy()).contains("app.Losses$Rates").contains("app.Losses$Fees");
    }

    /// One of them is still at work, or is at another line now than before.
    @Test
    void initialisersThatGoOnAreFine() throws IOException {
        String work = place(Losses.Rates.class, "<clinit>", "put");

        assertThat(Doctor.examine(initialisers(_ -> work, _ -> FEES).observation()))
                .isEmpty();
        assertThat(Doctor.examine(initialisers(dump -> dump == 3 ? work : RATES, _ -> FEES)
                        .observation()))
                .isEmpty();
    }

    @Test
    void anInitialiserThatNoOtherOneNeedsIsOnlySlow() throws IOException {
        Seen seen = new Seen().with(Losses.Rates.class, Losses.Fees.class, Losses.Till.class);
        seen.goroutines = _ -> List.of(blocking(1, RATES, WORK), blocking(3, PAYS, WORK));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    private static Seen initialisers(IntFunction<String> one, IntFunction<String> other) throws IOException {
        Seen seen = new Seen().with(Losses.Rates.class, Losses.Fees.class, Losses.Till.class);
        seen.goroutines = dump -> List.of(
                blocking(1, one.apply(dump), WORK), blocking(2, other.apply(dump), WORK), blocking(3, PAYS, WORK));
        return seen;
    }

    // ---- locks that are not released

    private static final String STAMPED = "java.util.concurrent.locks.StampedLock@1";
    private static final String READS = place(Losses.Table.class, "read", "readLock");

    @Test
    void aStampThatIsNotUnlockedIsLost() throws IOException {
        Finding finding = only(stamped(2, LONG).observation());

        assertThat(finding.cause()).isEqualTo(Cause.LOST_UNLOCK);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("no thread is seen between"));
        assertThat(finding.remedy()).contains("app.Losses$Table.read");
    }

    @Test
    void aLockWithOneWaiterOrWithWaitersThatGoOnIsNotLost() throws IOException {
        assertThat(Doctor.examine(stamped(1, LONG).observation())).isEmpty();
        assertThat(Doctor.examine(stamped(2, 0).observation())).isEmpty();
        assertThat(Doctor.examine(beside(stamped(2, LONG), standing(9, 0, STAMPED, "semacquire", READS, WORK))
                        .observation()))
                .isEmpty();
    }

    @Test
    void aThreadBetweenLockingAndUnlockingHoldsTheLock() throws IOException {
        String holds = place(Losses.Table.class, "read", "get");
        Seen seen = beside(stamped(2, LONG), Seen.running(9, holds, WORK));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// The holder may be among the threads that a dump left out.
    @Test
    void aLockIsNotLostIfTheDumpIsNotComplete() throws IOException {
        Seen seen = stamped(2, LONG);
        seen.complete = _ -> false;

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    private static Seen stamped(int waiters, long nanos) throws IOException {
        Seen seen = new Seen().with(Losses.Table.class);
        seen.goroutines = _ -> many(1, 1 + waiters, id -> standing(id, nanos, STAMPED, "semacquire", READS));
        return seen;
    }

    @Test
    void aLockWhoseOwnerIsElsewhereIsLost() throws IOException {
        String rests = place(Losses.Counter.class, "rest", "sleep");
        Finding finding = only(owned(Losses.Counter.class, 9, waiting(9, "sleep", rests)));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_UNLOCK);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("its owner, goroutine 9") && it.contains("rest("));
    }

    @Test
    void aLockWhoseOwnerHasEndedIsLost() throws IOException {
        Finding finding = only(owned(Losses.CarefulCounter.class, 9));

        assertThat(finding.cause()).isEqualTo(Cause.LOST_UNLOCK);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("is not there any more"));
    }

    /// The owner of a lock that sleeps with it in hand is slow; that is another rule's finding.
    @Test
    void aLockWhoseOwnerIsSlowIsNotLost() throws IOException {
        String slow = place(Losses.Counter.class, "addSlowly", "sleep");

        assertThat(only(owned(Losses.Counter.class, 9, waiting(9, "sleep", slow)))
                        .cause())
                .isEqualTo(Cause.SLOW_LOCK);
    }

    /// The code unlocks in a finally block, so the rule does not know how the lock could have been lost.
    @Test
    void aLockThatIsAlwaysUnlockedIsNotLost() throws IOException {
        String rests = place(Losses.CarefulCounter.class, "rest", "sleep");

        assertThat(only(owned(Losses.CarefulCounter.class, 9, waiting(9, "sleep", rests)))
                        .cause())
                .isEqualTo(Cause.SLOW_LOCK);
    }

    /// The code that unlocks may be anywhere, and so may the holder.
    @Test
    void aLockThatALambdaUnlocksIsNotLost() throws IOException {
        String rests = place(Losses.Tickets.class, "rest", "sleep");

        assertThat(only(owned(Losses.Tickets.class, 9, waiting(9, "sleep", rests)))
                        .cause())
                .isEqualTo(Cause.SLOW_LOCK);
    }

    /// Three threads that want a lock of this owner.
    private static Observation owned(Class<?> fixture, long owner, GoroutineStats... others) throws IOException {
        String lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync@1";
        Seen seen = new Seen().with(fixture);
        String wants = fixture.getName() + ".add(Losses.java:1)";
        seen.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>(List.of(others));
            for (long id = 1; id < 4; id++) {
                GoroutineStats it = standing(id, LONG, lock, "sync.Mutex.Lock", wants);
                all.add(it);
            }
            return all;
        };
        seen.blockers = _ -> List.of(new Blocker(
                lock,
                "java.util.concurrent.locks.ReentrantLock",
                1,
                owner,
                List.of(new Blocker.Place(1, 1), new Blocker.Place(2, 2), new Blocker.Place(3, 3))));
        return seen.observation();
    }

    // ---- permits that are not given back, with callers that give up

    @Test
    void permitsThatNoCallerGetsAreLostThoughCallersGiveUp() throws IOException {
        Finding finding = only(limited(/* waitedMillis= */ 3_900).observation());

        assertThat(finding.cause()).isEqualTo(Cause.POOL_EXHAUSTED);
        assertThat(finding.evidence()).anyMatch(it -> it.contains("none of them got one"));
        assertThat(finding.remedy()).contains("finally").contains("Limit.call");
    }

    /// A caller whose time was not over has got a permit.
    @Test
    void permitsThatSomeCallerGetsAreNotLost() throws IOException {
        assertThat(Doctor.examine(limited(/* waitedMillis= */ 1_000).observation()))
                .isEmpty();
    }

    @Test
    void permitsThatAThreadHoldsAreNotLost() throws IOException {
        String works = place(Losses.Limit.class, "call", "work");
        Seen seen = beside(limited(3_900), Seen.running(90, "app.Losses$Limit.work(Losses.java:1)", works));

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// A cold start makes no holder vanish.
    @Test
    void lostPermitsAreNamedInAJvmThatStarts() throws IOException {
        Seen seen = limited(3_900);
        seen.classesLoaded = sample -> 1_000L * sample;

        assertThat(only(seen.observation()).cause()).isEqualTo(Cause.POOL_EXHAUSTED);
    }

    /// Twelve callers wait for at most four seconds. In each dump two of them have gone and two others have
    /// come.
    private static Seen limited(long waitedMillis) throws IOException {
        String semaphore = "java.util.concurrent.Semaphore$NonfairSync@1";
        String acquires = "java.base/java.util.concurrent.Semaphore.tryAcquire(Semaphore.java:415)";
        String calls = place(Losses.Limit.class, "call", "tryAcquire");
        Seen seen = new Seen().with(Losses.Limit.class);
        IntToLongFunction first = dump -> 1 + 2L * dump;
        seen.goroutines = dump -> many(
                first.applyAsLong(dump),
                first.applyAsLong(dump) + 12,
                id -> timed(
                        id,
                        (id < first.applyAsLong(dump) + 2 ? waitedMillis : 100) * 1_000_000,
                        semaphore,
                        "semacquire",
                        acquires,
                        calls));
        seen.surroundings = dump -> new Surroundings(
                List.of(),
                ids(first.applyAsLong(dump))
                        .mapToObj(id -> new WaitDetail(id, 4_000_000_000L, 0, null, -1, -1))
                        .toList(),
                List.of());
        seen.blockers = dump -> List.of(new Blocker(
                semaphore,
                "java.util.concurrent.Semaphore",
                0,
                0,
                ids(first.applyAsLong(dump))
                        .mapToObj(id -> new Blocker.Place(id, (int) id))
                        .toList()));
        return seen;
    }

    private static LongStream ids(long first) {
        return LongStream.range(first, first + 12);
    }

    // ---- signals that come before the wait

    private static final String AWAIT =
            "java.base/java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await(A.java:1)";
    private static final String JOIN =
            "java.base/java.util.concurrent.CompletableFuture.join(CompletableFuture.java:1)";

    @Test
    void threadsThatGetStuckInAWaitWithoutALoopMissedTheSignal() throws IOException {
        Finding finding = only(gate("pass", 5).observation());

        assertThat(finding.cause()).isEqualTo(Cause.LOST_WAKE_UP);
        assertThat(finding.evidence().get(1)).contains("no loop is around this wait");
        assertThat(finding.remedy()).contains("while loop").contains("Gate.pass");
    }

    /// With a loop, something else keeps the signal away.
    @Test
    void threadsThatGetStuckInALoopLackTheSignal() throws IOException {
        assertThat(only(gate("passSafely", 5).observation()).cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
    }

    @Test
    void threadsThatHardlyBecomeMoreAreFine() throws IOException {
        assertThat(Doctor.examine(gate("pass", 1).observation())).isEmpty();
    }

    /// A long tail: one of the old waiters goes on.
    @Test
    void threadsOfWhichOldOnesGoOnAreFine() throws IOException {
        Seen seen = gate("pass", 5);
        IntFunction<List<GoroutineStats>> all = seen.goroutines;
        seen.goroutines = dump ->
                all.apply(dump).stream().filter(it -> dump < 12 || it.id() != 3).toList();

        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// For each of them a thread waits for its client.
    @Test
    void threadsThatComeWithConnectionsAreFine() throws IOException {
        Seen seen = piling(JOIN, WORK, 5);
        IntFunction<List<GoroutineStats>> all = seen.goroutines;
        seen.goroutines = dump -> {
            List<GoroutineStats> both = new ArrayList<>(all.apply(dump));
            both.addAll(many(1_000, 1_000 + 5L * dump, id -> waiting(id, "IO wait", WORK)));
            return both;
        };
        assertThat(Doctor.examine(seen.observation())).isEmpty();
        assertThat(only(piling(JOIN, WORK, 5).observation()).cause()).isEqualTo(Cause.LEAKED_GOROUTINES);
    }

    private static Seen gate(String method, int more) throws IOException {
        return piling(AWAIT, place(Losses.Gate.class, method, "await"), more).with(Losses.Gate.class);
    }

    /// Threads that have waited for two seconds, in each dump some more; and three others that pass quickly.
    private static Seen piling(String call, String place, int more) {
        Seen seen = new Seen();
        seen.goroutines = dump -> {
            List<GoroutineStats> all = many(
                    1, 10 + (long) more * dump, id -> standing(id, 2 * LONG, "C@" + id, "sync.Cond.Wait", call, place));
            long quick = 10_000 + 3L * dump;
            all.addAll(many(quick, quick + 3, id -> standing(id, 0, "C@" + id, "sync.Cond.Wait", call, place)));
            return all;
        };
        return seen;
    }

    // ---- datagrams that get lost

    @Test
    void threadsThatWaitForAnAnswerToADatagramAreNamed() throws IOException {
        Finding finding = only(datagrams("ask", 5, LONG));

        assertThat(finding.cause()).isEqualTo(Cause.SOCKET_READS);
        assertThat(finding.remedy()).contains("setSoTimeout").contains("Asker.ask");
    }

    /// A server has not asked, four are few, and the others get answers.
    @Test
    void threadsThatListenForDatagramsAreFine() throws IOException {
        assertThat(Doctor.examine(datagrams("listen", 5, LONG))).isEmpty();
        assertThat(Doctor.examine(datagrams("ask", 4, LONG))).isEmpty();
        assertThat(Doctor.examine(datagrams("ask", 5, 0))).isEmpty();
    }

    private static Observation datagrams(String method, int number, long nanos) throws IOException {
        String receives = "java.base/sun.nio.ch.DatagramChannelImpl.blockingReceive(DatagramChannelImpl.java:619)";
        String place = place(Losses.Asker.class, method, "receive");
        Seen seen = new Seen().with(Losses.Asker.class);
        seen.goroutines = _ -> many(1, 1 + number, id -> standing(id, nanos, null, "IO wait", receives, place));
        return seen.observation();
    }

    // ---- monitors whose holder is in a native call

    private static final String WRITES = "java.base/java.io.FileOutputStream.writeBytes(Native Method)";

    @Test
    void aMonitorWhoseHolderIsInANativeWriteIsSlow() throws IOException {
        Finding finding = only(log(blocking(9, WRITES, place(Losses.Log.class, "write", "write"))));

        assertThat(finding.cause()).isEqualTo(Cause.SLOW_LOCK);
        assertThat(finding.evidence().get(1)).contains("held at app.Losses$Log.write(");
        assertThat(finding.remedy()).contains("queue with a bound");
    }

    /// It has not entered, it computes, there are two of them, or others wait there for another object's
    /// monitor.
    @Test
    void aMonitorIsNotSlowIfItIsNotCertainWhichThreadHoldsIt() throws IOException {
        String inside = place(Losses.Log.class, "write", "write");
        String outside = place(Losses.Log.class, "flush", "flush");

        assertThat(Doctor.examine(log(blocking(9, WRITES, outside)))).isEmpty();
        assertThat(Doctor.examine(log(Seen.running(9, inside)))).isEmpty();
        assertThat(Doctor.examine(log(blocking(9, WRITES, inside), blocking(10, WRITES, inside))))
                .isEmpty();
        assertThat(Doctor.examine(log(blocking(9, WRITES, inside), entering(10, "java.io.FileOutputStream@2"))))
                .isEmpty();
    }

    private static Observation log(GoroutineStats... others) throws IOException {
        Seen seen = new Seen().with(Losses.Log.class);
        seen.goroutines = _ -> {
            List<GoroutineStats> all = new ArrayList<>(List.of(others));
            all.addAll(many(1, 4, id -> entering(id, "java.io.FileOutputStream@1")));
            return all;
        };
        return seen.observation();
    }

    private static GoroutineStats entering(long id, String monitor) {
        return Seen.goroutine(
                id,
                GoroutineState.WAITING,
                "sync.Mutex.Lock",
                false,
                -1,
                monitor,
                0,
                List.of(),
                place(Losses.Log.class, "write", "monitorenter"));
    }

    private static Seen beside(Seen seen, GoroutineStats other) {
        IntFunction<List<GoroutineStats>> all = seen.goroutines;
        seen.goroutines = dump -> {
            List<GoroutineStats> both = new ArrayList<>(all.apply(dump));
            both.add(other);
            return both;
        };
        return seen;
    }
}
