package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Chan;
import dev.heddle.internal.jdk.ParkedStack;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.TraceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// Stacks on request: where goroutines park, however they do it.
class ParkStackTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /// A park, and the frames that were recorded just before it; none if there were none.
    private record Park(ParkReason reason, long time, long stackTime, List<String> frames) {

        boolean isIn(String method) {
            return frames.stream().anyMatch(it -> it.startsWith(ParkStackTest.class.getName() + "." + method + "("));
        }
    }

    private static List<Park> parksOf(TestRecording.Content content) {
        List<Park> parks = new ArrayList<>();
        Map<Integer, TraceEvent> before = new HashMap<>();
        for (TraceEvent event : content.strictOnes()) {
            TraceEvent last = before.put(event.machine(), event);
            if (event.kind() == EventKind.GO_PARK) {
                TraceEvent stack = last != null && last.kind() == EventKind.GO_STACK ? last : null;
                parks.add(new Park(
                        ParkReason.of(event.get(Field.REASON)),
                        event.time(),
                        stack == null ? -1 : stack.time(),
                        stack == null ? List.of() : content.stacks().getOrDefault(stack.get(Field.STACK), List.of())));
            }
        }
        return parks;
    }

    private static void assertHas(List<Park> parks, ParkReason reason, String method) {
        assertThat(parks.stream().filter(it -> it.reason == reason))
                .as(reason.toString())
                .anyMatch(it -> it.isIn(method));
    }

    private static void untilWaiting(Thread thread) {
        await().atMost(PATIENCE)
                .until(() -> thread.getState() == Thread.State.WAITING
                        || thread.getState() == Thread.State.TIMED_WAITING
                        || thread.getState() == Thread.State.BLOCKED);
    }

    // ---- what the bodies do

    private final Chan<Integer> channel = Chan.make(0);
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();

    private void receives() {
        try {
            boolean _ = channel.receive() == null;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void parks() {
        LockSupport.park();
    }

    private static void sleeps() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void locks() {
        lock.lock();
        lock.unlock();
    }

    private void enters() {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    private void waits() {
        synchronized (monitor) {
            try {
                monitor.wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void goesDownAndParks(int depth) {
        if (depth > 0) {
            goesDownAndParks(depth - 1);
        } else {
            LockSupport.park();
        }
    }

    // ---- tests

    @Test
    void everyWayToParkIsRecordedWithItsPlace() throws InterruptedException {
        TestRecording recording = new TestRecording(/* stacksEvery= */ 1);
        try (Rig rig = Rig.procs(2)) {
            Thread receiving = rig.start(this::receives);
            untilWaiting(receiving);
            channel.send(1);
            rig.join(receiving);

            Thread parked = rig.start(ParkStackTest::parks);
            untilWaiting(parked);
            LockSupport.unpark(parked);
            rig.join(parked);

            rig.join(rig.start(ParkStackTest::sleeps));

            lock.lock();
            Thread locking = rig.start(this::locks);
            untilWaiting(locking);
            lock.unlock();
            rig.join(locking);

            Thread waiting = rig.start(this::waits);
            untilWaiting(waiting);
            Thread entering;
            synchronized (monitor) {
                entering = rig.start(this::enters);
                untilWaiting(entering);
            }
            rig.join(entering);
            rig.join(waiting);
        }
        TestRecording.Content content = recording.stop();
        TraceCheck.check(content);
        List<Park> parks = parksOf(content);
        assertHas(parks, ParkReason.CHAN_RECEIVE, "receives");
        assertHas(parks, ParkReason.PARK, "parks");
        assertHas(parks, ParkReason.SLEEP, "sleeps");
        assertHas(parks, ParkReason.PARK, "locks");
        assertHas(parks, ParkReason.MONITOR_WAIT, "waits");
        assertHas(parks, ParkReason.MONITOR_ENTER, "enters");
        assertThat(parks)
                .allMatch(it -> !it.frames.isEmpty())
                .as("the time of the walk does not count as the goroutine's")
                .allMatch(it -> it.stackTime == it.time)
                .as("the frames of the scheduler below a goroutine's body are left out")
                .noneMatch(it -> it.frames.stream().anyMatch(frame -> frame.contains("kernel.Shell.")));
    }

    @Test
    void aDeepStackIsCutOff() throws InterruptedException {
        TestRecording recording = new TestRecording(/* stacksEvery= */ 1);
        try (Rig rig = Rig.procs(1)) {
            Thread parked = rig.start(() -> goesDownAndParks(500));
            untilWaiting(parked);
            LockSupport.unpark(parked);
            rig.join(parked);
        }
        assertThat(parksOf(recording.stop()))
                .anyMatch(it -> it.isIn("goesDownAndParks") && it.frames.size() == ParkedStack.MOST_FRAMES);
    }

    @Test
    void oneOfSoManyParksHasAStackAndGoroutinesThatTakeTurnsAreMetAlike() throws InterruptedException {
        int rounds = 4000;
        TestRecording recording = new TestRecording(/* stacksEvery= */ 4);
        try (Rig rig = Rig.procs(1)) {
            Chan<Integer> there = Chan.make(0);
            Chan<Integer> back = Chan.make(0);
            CountDownLatch pings = rig.goMany(1, () -> ping(there, back, rounds));
            CountDownLatch pongs = rig.goMany(1, () -> pong(there, back, rounds));
            rig.await(pings);
            rig.await(pongs);
        }
        TestRecording.Content content = recording.stop();
        TraceCheck.check(content);
        List<Park> parks = parksOf(content);
        long taken = parks.stream().filter(it -> !it.frames.isEmpty()).count();
        assertThat(parks.size()).isGreaterThan(rounds);
        assertThat(taken).isBetween(parks.size() / 5L, parks.size() / 3L);
        assertThat(parks.stream().filter(it -> it.isIn("ping")).count()).isBetween(taken / 4, taken * 3 / 4);
        assertThat(content.stacks()).as("each place is in the file once").hasSizeLessThan(50);
    }

    private static void ping(Chan<Integer> there, Chan<Integer> back, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            there.send(i);
            boolean _ = back.receive() == null;
        }
    }

    private static void pong(Chan<Integer> there, Chan<Integer> back, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            boolean _ = there.receive() == null;
            back.send(i);
        }
    }

    @Test
    void withoutARequestNoStackIsTaken() throws InterruptedException {
        TestRecording recording = new TestRecording();
        try (Rig rig = Rig.procs(1)) {
            rig.join(rig.start(ParkStackTest::sleeps));
        }
        TestRecording.Content content = recording.stop();
        assertThat(content.stacks()).isEmpty();
        assertThat(parksOf(content)).isNotEmpty().allMatch(it -> it.stackTime == -1);
    }
}
