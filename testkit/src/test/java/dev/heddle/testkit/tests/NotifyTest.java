package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The strategy chooses whom `notify` wakes, and in which order `notifyAll` does.
@SuppressWarnings({"WaitNotInLoop", "NotifyWithoutNotifyAll"}) // who is woken is what is tested
class NotifyTest {

    private static final Options OPTIONS = Options.defaults().withSchedules(300);
    private static final Options EXHAUSTIVE =
            OPTIONS.withStrategy(Strategy.EXHAUSTIVE).withSchedules(20_000).withDepth(0);

    /// Threads a, b and c, which wait in this order and then write their names.
    private static final class Waiters {
        private final Object monitor = new Object();
        private final StringBuilder log = new StringBuilder();
        private final List<Thread> threads = new ArrayList<>();

        /// @param millis the time limit of their waits; 0 for none
        Waiters(Bubble bubble, long millis) throws InterruptedException {
            for (char name = 'a'; name <= 'c'; name++) {
                char own = name;
                threads.add(Thread.startVirtualThread(() -> waitOnce(own, millis)));
                bubble.settle();
            }
        }

        private void waitOnce(char name, long millis) {
            synchronized (monitor) {
                try {
                    monitor.wait(millis);
                    log.append(name);
                } catch (InterruptedException e) {
                    log.append(Character.toUpperCase(name));
                }
            }
        }

        String end() throws InterruptedException {
            for (Thread thread : threads) {
                thread.join();
            }
            return log.toString();
        }
    }

    private static String one(Bubble bubble) throws InterruptedException {
        Waiters waiters = new Waiters(bubble, 0);
        synchronized (waiters.monitor) {
            waiters.monitor.notify();
        }
        bubble.settle();
        synchronized (waiters.monitor) {
            waiters.log.append('.');
            waiters.monitor.notifyAll();
        }
        return waiters.end();
    }

    private static Set<String> outcomes(Options options, Scenario scenario) {
        Set<String> all = new TreeSet<>();
        Bubble.check(options, bubble -> all.add(scenario.run(bubble)));
        return all;
    }

    private interface Scenario {
        String run(Bubble bubble) throws Exception;
    }

    @Test
    void everyWaiterMayBeWokenAndInAnyOrder() {
        assertThat(outcomes(EXHAUSTIVE, NotifyTest::one))
                .containsExactly("a.bc", "a.cb", "b.ac", "b.ca", "c.ab", "c.ba");
    }

    @ParameterizedTest
    @EnumSource(names = {"MIXED", "RANDOM", "POS", "PCT", "DELAYS"})
    void theStrategyChooses(Strategy strategy) {
        assertThat(outcomes(OPTIONS.withStrategy(strategy), NotifyTest::one))
                .anyMatch(it -> it.startsWith("a."))
                .anyMatch(it -> it.startsWith("b."));
    }

    @ParameterizedTest
    @EnumSource(names = {"GO", "ROUND_ROBIN"})
    void thesePreferTheLongestWaiter(Strategy strategy) {
        assertThat(outcomes(OPTIONS.withStrategy(strategy), NotifyTest::one)).containsExactly("a.bc");
    }

    @Test
    void withoutPointsTheJvmChooses() {
        assertThat(outcomes(OPTIONS.withPoints(Options.NONE), NotifyTest::one)).allMatch(it -> it.startsWith("a."));
    }

    @Test
    void theChoiceIsInTheStoryAndInTheReplayCode() {
        Bubble.Body body = bubble -> assertThat(one(bubble)).doesNotStartWith("c");
        ScheduleFailure failure = catchThrowableOfType(ScheduleFailure.class, () -> Bubble.check(OPTIONS, body));
        assertThat(failure)
                .hasMessageContaining("minimised from")
                .hasMessageFindingMatch(
                        "#0 test +wakes +at NotifyTest.one\\(NotifyTest.java:\\d+\\) #3, though #1 has waited"
                                + " longer");
        assertThat(failure.replayCode()).matches("\\w+:\\d+=3");
        assertThat(catchThrowableOfType(
                        ScheduleFailure.class, () -> Bubble.check(OPTIONS.withReplay(failure.replayCode()), body)))
                .isNotNull();
    }

    /// The waiter that was woken out of turn must not take a second notification: not even one that the testkit
    /// does not see.
    @Test
    void noNotificationIsLost() throws ReflectiveOperationException {
        Method notify = Object.class.getMethod("notify");
        assertThat(outcomes(EXHAUSTIVE, bubble -> {
                    Waiters waiters = new Waiters(bubble, 0);
                    synchronized (waiters.monitor) {
                        waiters.monitor.notify();
                        notify.invoke(waiters.monitor);
                        notify.invoke(waiters.monitor);
                    }
                    return waiters.end();
                }))
                .containsExactly("abc", "bac", "cab");
    }

    @Test
    void aTimedWaitEndsWithTheNotification() {
        assertThat(outcomes(EXHAUSTIVE, bubble -> {
                    Waiters waiters = new Waiters(bubble, 1000);
                    synchronized (waiters.monitor) {
                        waiters.monitor.notify();
                    }
                    bubble.settle();
                    waiters.log.append(bubble.now().toEpochMilli() % 10_000).append(' ');
                    String log = waiters.end();
                    return log + (bubble.now().toEpochMilli() % 10_000);
                }))
                .containsExactly("a0 bc1000", "a0 cb1000", "b0 ac1000", "b0 ca1000", "c0 ab1000", "c0 ba1000");
    }

    /// To the strategy, the notifier has not yielded: with fixed priorities it still has the highest.
    @Test
    void theNotifierGoesOn() {
        Options fixedPriorities = OPTIONS.withStrategy(Strategy.PCT).withDepth(1);
        assertThat(outcomes(fixedPriorities, bubble -> {
                    Waiters waiters = new Waiters(bubble, 0);
                    int[] log = new int[1];
                    Thread other = Thread.startVirtualThread(() -> log[0]++);
                    int before;
                    int after;
                    synchronized (waiters.monitor) {
                        before = log[0];
                        waiters.monitor.notifyAll();
                        after = log[0];
                    }
                    waiters.end();
                    while (other.isAlive()) {
                        Thread.yield(); // from now on yields count again: the highest priority gives way
                    }
                    return "other ran " + (before == 1 ? "before" : after == 1 ? "in between" : "after");
                }))
                .containsExactly("other ran after", "other ran before");
    }

    @Test
    void onlyTheOwnerOfTheMonitorMayNotify() {
        assertThat(outcomes(OPTIONS, bubble -> {
                    Waiters waiters = new Waiters(bubble, 0);
                    assertThatThrownBy(() -> waiters.monitor.notify()).isInstanceOf(IllegalMonitorStateException.class);
                    synchronized (waiters.monitor) {
                        waiters.monitor.notifyAll();
                    }
                    return waiters.end();
                }))
                .hasSize(6);
    }

    /// A thread that was interrupted leaves the waiters when it runs. The JVM would notify it if it had waited
    /// longest; another waiter is woken all the same if it was chosen.
    @Test
    void aWaiterThatWasInterruptedIsNotInTheWay() {
        assertThat(outcomes(EXHAUSTIVE, bubble -> {
                    Waiters waiters = new Waiters(bubble, 0);
                    synchronized (waiters.monitor) {
                        waiters.threads.getFirst().interrupt();
                        waiters.monitor.notify();
                    }
                    bubble.settle();
                    String log = waiters.log.toString();
                    synchronized (waiters.monitor) {
                        waiters.monitor.notify();
                    }
                    waiters.end();
                    return log;
                }))
                .containsExactly("Ab", "Ac", "bA", "cA");
    }

    @Test
    void waitersOfOtherMonitorsAreNotWoken() {
        assertThat(outcomes(OPTIONS, bubble -> {
                    Waiters waiters = new Waiters(bubble, 0);
                    Waiters others = new Waiters(bubble, 0);
                    synchronized (waiters.monitor) {
                        waiters.monitor.notifyAll();
                    }
                    bubble.settle();
                    String log = waiters.log + "," + others.log;
                    synchronized (others.monitor) {
                        others.monitor.notifyAll();
                    }
                    waiters.end();
                    others.end();
                    return log;
                }))
                .containsExactly("abc,", "acb,", "bac,", "bca,", "cab,", "cba,");
    }

    /// It cannot hand the carrier over.
    @Test
    void aPinnedNotifierWakesTheLongestWaiter() {
        assertThat(outcomes(OPTIONS, bubble -> {
                    Waiters waiters = new Waiters(bubble, 0);
                    synchronized (waiters.monitor) {
                        Jdk.pin();
                        try {
                            waiters.monitor.notify();
                            waiters.monitor.notify();
                            waiters.monitor.notify();
                        } finally {
                            Jdk.unpin();
                        }
                    }
                    return waiters.end();
                }))
                .containsExactly("abc");
    }
}
