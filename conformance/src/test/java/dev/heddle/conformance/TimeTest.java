package dev.heddle.conformance;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.ReceiveChan;
import dev.heddle.Ticker;
import dev.heddle.Timer;
import dev.heddle.WaitGroup;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

class TimeTest {
    private static final String FILE = "time";
    private static final Duration LONG = Duration.ofHours(1);

    private static Duration millis(long n) {
        return Duration.ofMillis(n);
    }

    private static long elapsedMillis(long startNanos) {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }

    @GoTest(file = FILE, value = "TestSleep")
    void testSleep() throws Exception {
        long start = System.nanoTime();
        Go.go(() -> Thread.sleep(millis(5)));
        Thread.sleep(millis(10));
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(10_000_000);
    }

    @GoTest(file = FILE, value = "TestAfterFunc")
    void testAfterFunc() throws Exception {
        int n = 10;
        Chan<Boolean> done = Chan.make();
        var left = new AtomicInteger(n);
        var step = new AtomicReference<Runnable>();
        step.set(() -> {
            if (left.decrementAndGet() >= 0) {
                Timer.afterFunc(Duration.ZERO, step.get()::run);
            } else {
                Go.go(() -> done.send(true));
            }
        });
        Timer.afterFunc(Duration.ZERO, step.get()::run);
        assertThat(done.receive()).isTrue();
    }

    @GoTest(
            file = FILE,
            value = {"TestTickerStress", "TestTickerConcurrentStress"})
    void testTickerStress() throws Exception {
        var stop = new AtomicBoolean();
        var garbage = new WaitGroup();
        garbage.go(() -> {
            while (!stop.get()) {
                byte[] unused = new byte[10_000];
                assertThat(unused).isNotNull();
                Go.gosched();
            }
        });
        var readers = new WaitGroup();
        Ticker ticker = Ticker.make(Duration.ofNanos(1_000));
        for (int i = 0; i < 10; i++) {
            readers.go(() -> {
                for (int k = 0; k < 10; k++) {
                    ticker.c().receive();
                }
            });
        }
        readers.await();
        ticker.stop();
        stop.set(true);
        garbage.await();
    }

    @GoTest(file = FILE, value = "TestAfterFuncStarvation")
    void testAfterFuncStarvation() throws Exception {
        var stop = new AtomicBoolean();
        Chan<Boolean> left = Chan.make(1);
        Chan<Boolean> right = Chan.make(1);
        var ended = new WaitGroup();
        ended.go(() -> pingPong(left, right, stop));
        ended.go(() -> pingPong(right, left, stop));
        left.send(true);
        Timer.afterFunc(millis(5), () -> stop.set(true));
        ended.await();
    }

    private static void pingPong(Chan<Boolean> in, Chan<Boolean> out, AtomicBoolean stop) throws InterruptedException {
        while (!stop.get()) {
            var got = receive(in);
            if (select(got, timeout(millis(1))) == got) {
                out.trySend(true);
            }
        }
    }

    @GoTest(file = FILE, value = "TestAfter")
    void testAfter() throws Exception {
        long start = System.nanoTime();
        Instant began = Instant.now();
        Instant end = Timer.after(millis(5)).receive();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(5_000_000);
        assertThat(Duration.between(began, end)).isGreaterThanOrEqualTo(millis(4));
    }

    @GoTest(file = FILE, value = "TestAfterTick")
    void testAfterTick() throws Exception {
        long start = System.nanoTime();
        Ticker ticker = Ticker.make(millis(2));
        for (int i = 0; i < 5; i++) {
            ticker.c().receive();
        }
        ticker.stop();
        assertThat(elapsedMillis(start)).isGreaterThanOrEqualTo(10);
        Thread.sleep(millis(4));
        assertThat(ticker.c().tryReceive()).as("ticked after stop").isNull();
    }

    @GoTest(file = FILE, value = "TestAfterStop")
    void testAfterStop() throws Exception {
        Timer.afterFunc(millis(1), () -> {});
        Timer never = Timer.afterFunc(LONG, () -> {
            throw new AssertionError("was stopped");
        });
        Chan<Boolean> fired = Chan.make(2);
        Timer first = Timer.afterFunc(millis(1), () -> fired.send(true));
        assertThat(never.stop()).isTrue();
        assertThat(never.stop()).isFalse();
        fired.receive();
        assertThat(first.stop()).isFalse();
    }

    @GoTest(
            file = FILE,
            value = {"TestAfterQueuing"})
    void testAfterQueuing() throws Exception {
        int[] slots = {5, 3, 6, 6, 6, 1, 1, 2, 7, 9, 4, 8, 0};
        record Result(Instant earliest, Instant latest, Instant due) {}
        Chan<Result> results = Chan.make(slots.length);
        for (int slot : slots) {
            Go.go(() -> {
                Duration delay = millis(3L * slot);
                Instant before = Instant.now();
                ReceiveChan<Instant> chan = Timer.after(delay);
                Instant after = Instant.now();
                results.send(new Result(before.plus(delay), after.plus(delay), chan.receive()));
            });
        }
        var order = new ArrayList<Result>();
        for (int i = 0; i < slots.length; i++) {
            order.add(results.receive());
        }
        // Which is due first follows from when they were made, however long a goroutine waited for its turn.
        for (Result one : order) {
            for (Result other : order) {
                if (one.latest().plusMillis(1).isBefore(other.earliest())) { // two clocks are read: a millisecond apart
                    assertThat(one.due()).isBefore(other.due());
                }
            }
        }
    }

    @GoTest(file = FILE, value = "TestTimerStopStress")
    void testTimerStopStress() throws Exception {
        var ended = new WaitGroup();
        for (int i = 0; i < 100; i++) {
            int number = i;
            ended.go(() -> {
                Timer timer = Timer.afterFunc(LONG, () -> {
                    throw new AssertionError("timer " + number + " was not stopped");
                });
                Thread.sleep(millis(1));
                assertThat(timer.stop()).isTrue();
            });
        }
        ended.await();
    }

    @GoTest(file = FILE, value = "TestSleepZeroDeadlock")
    void testSleepZeroDeadlock() throws Exception {
        Chan<Boolean> done = Chan.make();
        Go.go(() -> {
            for (int i = 0; i < 100; i++) {
                Thread.sleep(Duration.ZERO);
                byte[] unused = new byte[100];
                assertThat(unused).isNotNull();
            }
            done.send(true);
        });
        for (int i = 0; i < 100; i++) {
            Thread.sleep(Duration.ZERO);
        }
        done.receive();
    }

    @GoTest(file = FILE, value = "TestReset")
    void testReset() throws Exception {
        Timer timer = Timer.make(millis(100));
        Thread.sleep(millis(10));
        assertThat(timer.reset(LONG)).as("active before").isTrue();
        var none = orElse();
        Thread.sleep(millis(100));
        assertThat(select(receive(timer.c()), none)).isSameAs(none);
        assertThat(timer.reset(millis(1))).isTrue();
        timer.c().receive();
        assertThat(timer.reset(millis(1))).isFalse();
        timer.c().receive();
    }

    /// No time is too long to wait for, and none overflows into the past.
    @GoTest(file = FILE, value = "TestOverflowSleep")
    void testOverflowSleep() throws Exception {
        var big = Duration.ofSeconds(Long.MAX_VALUE);
        var first = receive(Timer.after(big));
        var tooLate = timeout(millis(3));
        assertThat(select(first, tooLate)).isSameAs(tooLate);
        var negative = receive(Timer.after(Duration.ofSeconds(Long.MIN_VALUE)));
        assertThat(select(negative, timeout(Duration.ofSeconds(30)))).isSameAs(negative);
    }

    @GoTest(
            file = FILE,
            value = {"TestIssue5745", "TestZeroTimer"})
    void testZeroTimer() throws Exception {
        for (int i = 0; i < 1000; i++) {
            Timer timer = Timer.make(Duration.ZERO);
            if (i % 2 == 0) {
                assertThat(timer.stop()).isTrue();
                timer.reset(Duration.ZERO);
            }
            timer.c().receive();
        }
        assertThatThrownBy(Timer.afterFunc(Duration.ZERO, () -> {})::c).isInstanceOf(IllegalStateException.class);
    }

    /// A slow callback does not delay other timers.
    @GoTest(
            file = FILE,
            value = {"TestIssue9557", "TestTimerModifiedEarlier"})
    void testTimerModifiedEarlier() throws Exception {
        for (int i = 0; i < 20; i++) {
            Timer timer = Timer.make(LONG);
            Chan<Boolean> done = Chan.make(1);
            Go.go(() -> {
                timer.c().receive();
                done.send(true);
            });
            Go.gosched();
            timer.reset(millis(1));
            var ended = receive(done);
            assertThat(select(ended, timeout(Duration.ofSeconds(30)))).isSameAs(ended);
        }
    }

    @GoTest(
            file = FILE,
            value = {"TestAdjustTimers", "TestLongAdjustTimers"})
    void testAdjustTimers() throws Exception {
        var ended = new WaitGroup();
        for (int i = 0; i < 100; i++) {
            int number = i;
            ended.go(() -> {
                Timer timer = Timer.make(LONG);
                timer.reset(LONG.minusMinutes(number % 50));
                timer.reset(millis(1 + number % 5));
                timer.c().receive();
                timer.reset(millis(1));
                if (number % 2 == 0) {
                    timer.stop();
                } else {
                    timer.c().receive();
                }
            });
        }
        ended.await();
    }

    @GoTest(file = FILE, value = "TestStopResult")
    void testStopResult() throws Exception {
        stopOrReset(timer -> timer.stop());
    }

    @GoTest(file = FILE, value = "TestResetResult")
    void testResetResult() throws Exception {
        stopOrReset(timer -> timer.reset(LONG));
    }

    interface Result {
        boolean of(Timer timer);
    }

    /// The result says exactly whether the value was still to be had: either it is received, or the result is true.
    private static void stopOrReset(Result result) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            Timer timer = Timer.make(Duration.ofNanos(i * 1000L));
            Chan<Boolean> received = Chan.make(1);
            Chan<Boolean> giveUp = Chan.make();
            Go.go(() -> {
                var tick = receive(timer.c());
                received.send(select(tick, receive(giveUp)) == tick);
            });
            if (i % 3 == 0) {
                Go.gosched();
            }
            boolean prevented = result.of(timer);
            giveUp.close();
            assertThat(received.receive()).isNotEqualTo(prevented);
            assertThat(timer.c().tryReceive()).as("stale value").isNull();
        }
    }

    @GoTest(
            file = FILE,
            value = {"TestMultiWakeupTicker", "TestMultiWakeupTimer"})
    void testMultiWakeup() throws Exception {
        Timer timer = Timer.make(Duration.ofNanos(1));
        for (int i = 0; i < 200; i++) {
            timer.c().receive();
            timer.reset(Duration.ofNanos(i * 100L));
        }
        Ticker ticker = Ticker.make(Duration.ofNanos(1000));
        for (int i = 0; i < 200; i++) {
            ticker.c().receive();
        }
    }

    @GoTest(
            file = FILE,
            value = {"TestTicker", "TestTickTimes"})
    void testTicker() throws Exception {
        Duration period = millis(4);
        Ticker ticker = Ticker.make(period);
        Instant first = ticker.c().receive();
        Thread.sleep(period.multipliedBy(3));
        ticker.c().receive(); // the one that was missed carries its scheduled time
        Instant next = ticker.c().receive();
        assertThat(Duration.between(first, next)).isGreaterThanOrEqualTo(period.multipliedBy(2));
        ticker.reset(millis(1));
        ticker.c().receive();
        ticker.stop();
        assertThat(ticker.c().tryReceive()).isNull();
    }

    @GoTest(
            file = FILE,
            value = {"TestNewTickerLtZeroDuration", "TestTickerResetLtZeroDuration"})
    void testTickerNonPositive() {
        assertThatThrownBy(() -> Ticker.make(millis(-1))).hasMessage("non-positive interval for NewTicker");
        assertThatThrownBy(() -> Ticker.make(LONG).reset(Duration.ZERO))
                .hasMessage("non-positive interval for Ticker.Reset");
        assertThat(Ticker.tick(millis(-1))).isNull();
    }

    @GoTest(file = FILE, value = "TestAfterTimes")
    void testAfterTimes() throws Exception {
        ReceiveChan<Instant> chan = Timer.after(millis(5));
        Instant made = Instant.now();
        Thread.sleep(millis(50));
        assertThat(Duration.between(made, chan.receive())).isLessThan(millis(45));
    }

    @GoTest(file = FILE, value = "TestTimerGC", adapted = "weak references instead of finalizers")
    void testTimerGC() throws Exception {
        var timer = new WeakReference<>(Timer.make(LONG));
        var ticker = new WeakReference<>(Ticker.make(millis(1)));
        for (int i = 0; i < 100 && (timer.get() != null || ticker.get() != null); i++) {
            System.gc();
            Thread.sleep(millis(5));
        }
        assertThat(timer.get()).isNull();
        assertThat(ticker.get()).isNull();
    }

    @GoTest(file = FILE, value = "TestChan (synchronous timer channels)")
    void testTimerChan() throws Exception {
        Timer timer = Timer.make(Duration.ZERO);
        assertThat(timer.c().len()).isZero();
        assertThat(timer.c().cap()).isZero();
        assertThat(timer.c().tryReceive()).isNotNull();
        assertThat(timer.c().tryReceive()).isNull();
        timer.reset(Duration.ZERO);
        Thread.sleep(millis(1));
        assertThat(timer.stop()).as("stop takes back what was not received").isTrue();
        assertThat(timer.c().tryReceive()).isNull();
    }
}
