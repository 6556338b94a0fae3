package dev.heddle;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.event.WaitReason;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TimerTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(2);

    @Test
    void theTimeArrivesOnTheChannel() throws Exception {
        Instant before = Instant.now();
        Instant due = Timer.make(SHORT).c().receive();
        assertThat(due).isBetween(before.plus(SHORT), Instant.now());
    }

    @Test
    void aWaitingThreadIsWokenByAReset() throws Exception {
        Timer timer = Timer.make(LONG);
        var waiting = Started.virtual(timer.c()::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        assertThat(timer.reset(SHORT)).isTrue();
        assertThat(waiting.get()).isNotNull();
        assertThat(timer.stop()).isFalse();
    }

    @Test
    void aStoppedTimerNeverFiresAndAResetOneDoes() throws Exception {
        Timer timer = Timer.make(Duration.ZERO);
        assertThat(timer.stop()).isTrue();
        assertThat(timer.c().tryReceive()).isNull();
        assertThat(timer.stop()).isFalse();
        assertThat(timer.reset(Duration.ZERO)).isFalse();
        assertThat(timer.c().receive()).isNotNull();
    }

    @Test
    void aValueThatWasNotReceivedIsTakenBack() {
        Timer timer = Timer.make(Duration.ZERO);
        await().until(() -> timer.c().len() == 0 && timer.reset(LONG));
        assertThat(timer.c().tryReceive()).isNull();
    }

    @Test
    void aReceiveThatFailsOnOutOfMemoryLeavesNoWaiterBehind() {
        var timer = new ChanTimer(LONG.toNanos(), 0, (_, _) -> {
            throw new OutOfMemoryError("says the test");
        });
        assertThatThrownBy(timer.chan::receive).isInstanceOf(OutOfMemoryError.class);

        timer.reset(0, 0);

        assertThat(timer.chan.tryReceive()).isNotNull(); // nobody else was there to be given it
    }

    @Test
    void aSelectThatFailsOnOutOfMemoryLeavesNoWaiterBehind() {
        var scheduled = new ArrayList<Runnable>();
        var cancelled = new ArrayList<Runnable>();
        ChanTimer.Clock onceOnly = (callback, _) -> {
            if (!scheduled.isEmpty()) {
                throw new OutOfMemoryError("says the test");
            }
            scheduled.add(callback);
            return () -> cancelled.add(callback);
        };
        var one = new ChanTimer(LONG.toNanos(), 0, onceOnly);
        var other = new ChanTimer(LONG.toNanos(), 0, onceOnly);
        Chan<Integer> chan = Chan.make();
        assertThatThrownBy(() -> select(receive(one.chan), receive(other.chan), receive(chan)))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(cancelled).isEqualTo(scheduled).hasSize(1);
        one.reset(0, 0);
        other.reset(0, 0);
        assertThat(one.chan.tryReceive()).isNotNull();
        assertThat(other.chan.tryReceive()).isNotNull();
        assertThat(chan.trySend(1)).isFalse();
    }

    @Test
    void theChannelSeemsToHaveNoBuffer() {
        Timer timer = Timer.make(Duration.ZERO);
        assertThat(timer.c().cap()).isZero();
        assertThat(timer.c().len()).isZero();
        assertThat(timer.c().tryReceive()).isNotNull();
    }

    @Test
    void aLateReaderSeesTheScheduledTime() throws Exception {
        Instant before = Instant.now();
        ReceiveChan<Instant> chan = Timer.after(SHORT);
        Duration late = Duration.ofMillis(50);
        await().until(() -> Duration.between(before, Instant.now()).compareTo(late) > 0);
        assertThat(chan.receive()).isBefore(before.plus(late));
    }

    @Test
    void selectSeesATimer() throws Exception {
        var timer = receive(Timer.after(SHORT));
        Chan<String> never = Chan.make();
        assertThat(select(receive(never), timer)).isSameAs(timer);
        assertThat(select(timer, orElse())).isNotSameAs(timer);
    }

    @Test
    void manyWaitOnOneTickerAndEachTickGoesToOne() throws Exception {
        Ticker ticker = Ticker.make(SHORT);
        var waiting = new ArrayList<Started<Instant>>();
        for (int i = 0; i < 5; i++) {
            waiting.add(Started.virtual(ticker.c()::receive));
        }
        var ticks = new ArrayList<Instant>();
        for (var each : waiting) {
            ticks.add(each.get());
        }
        assertThat(ticks).doesNotHaveDuplicates();
    }

    @Test
    void aTickerKeepsItsRhythmAndDropsWhatWasMissed() throws Exception {
        Duration period = Duration.ofMillis(10);
        Ticker ticker = Ticker.make(period);
        Instant first = ticker.c().receive();
        await().until(() -> Duration.between(first, Instant.now()).compareTo(period.multipliedBy(5)) > 0);
        ticker.c().receive(); // one that was due meanwhile
        Instant next = ticker.c().receive();
        long phase = Duration.between(first, next).toNanos() % period.toNanos();
        assertThat(Math.min(phase, period.toNanos() - phase))
                .isLessThan(2_000_000); // clocks are read one after another
    }

    @Test
    void aStoppedTickerIsSilent() throws Exception {
        Ticker ticker = Ticker.make(SHORT);
        assertThat(ticker.c().receive()).isNotNull();
        ticker.stop();
        assertThat(ticker.c().tryReceive()).isNull();
        ticker.reset(SHORT);
        assertThat(ticker.c().receive()).isNotNull();
    }

    @Test
    void misuseIsReportedInGosWords() {
        assertThatThrownBy(() -> Ticker.make(Duration.ZERO)).hasMessage("non-positive interval for NewTicker");
        assertThatThrownBy(() -> Ticker.make(LONG).reset(Duration.ofNanos(-1)))
                .hasMessage("non-positive interval for Ticker.Reset");
        assertThat(Ticker.tick(Duration.ZERO)).isNull();
    }

    @Test
    void aFunctionRunsOnceUnlessStopped() throws Exception {
        var ran = new CountDownLatch(1);
        Timer timer = Timer.afterFunc(SHORT, ran::countDown);
        ran.await();
        assertThat(timer.stop()).isFalse();
        Timer never = Timer.afterFunc(LONG, () -> {
            throw new AssertionError("was stopped");
        });
        assertThat(never.stop()).isTrue();
        assertThat(never.stop()).isFalse();
        assertThat(never.reset(LONG)).isFalse();
        assertThat(never.reset(LONG)).isTrue();
        assertThat(never.stop()).isTrue();
    }

    @Test
    void aTimerWithoutReferencesIsGarbage() {
        var timer = new WeakReference<>(Timer.make(LONG));
        var ticker = new WeakReference<>(Ticker.make(Duration.ofNanos(1)));
        await().until(() -> {
            System.gc();
            return timer.get() == null && ticker.get() == null;
        });
    }
}
