package dev.heddle;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static dev.heddle.Select.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.event.WaitReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectTest {
    @Test
    void theReadyCaseIsChosenAndItsHandlerRuns() throws Exception {
        Chan<String> names = Chan.make(1);
        Chan<Integer> numbers = Chan.make(1);
        var seen = new ArrayList<String>();
        names.send("Ada");
        select(
                receive(names, name -> seen.add("name " + name)),
                receive(numbers, number -> seen.add("number " + number)));
        numbers.send(1);
        select(
                receive(names, name -> seen.add("name " + name)),
                receive(numbers, number -> seen.add("number " + number)));
        assertThat(seen).containsExactly("name Ada", "number 1");
    }

    @Test
    void casesCanBeUsedAgain() throws Exception {
        Chan<Integer> jobs = Chan.make(10);
        Chan<String> quit = Chan.make();
        for (int i = 1; i <= 10; i++) {
            jobs.send(i);
        }
        int sum = 0;
        var job = receive(jobs);
        var stop = receive(quit);
        var none = orElse();
        while (select(job, stop, none) == job) {
            sum += job.value();
        }
        assertThat(sum).isEqualTo(55);
    }

    @Test
    void waitsAndIsMatchedByASender() throws Exception {
        Chan<String> a = Chan.make();
        Chan<String> b = Chan.make();
        var selecting = Started.virtual(() -> {
                    var fromA = receive(a);
                    var fromB = receive(b);
                    return select(fromA, fromB) == fromA ? "a:" + fromA.value() : "b:" + fromB.value();
                })
                .parkedIn(WaitReason.SELECT);
        assertThat(b.trySend("x")).isTrue();
        assertThat(selecting.get()).isEqualTo("b:x");
        assertThat(a.trySend("nobody")).isFalse();
        assertThat(b.trySend("nobody")).isFalse();
    }

    @Test
    void waitsAndIsMatchedByAReceiver() throws Exception {
        Chan<String> a = Chan.make();
        Chan<Integer> b = Chan.make(1);
        b.send(0);
        var selecting = Started.platform(() -> select(send(a, "x"), send(b, 1)) instanceof Select.Send<?>)
                .parkedIn(WaitReason.SELECT);
        assertThat(b.receive()).isZero();
        assertThat(selecting.get()).isTrue();
        assertThat(b.receive()).isEqualTo(1);
        assertThat(a.tryReceive()).isNull();
    }

    @Test
    void aWaitingSelectKeepsItsPlaceInTheQueue() throws Exception {
        Chan<Integer> chan = Chan.make();
        Chan<Integer> other = Chan.make();
        var before = Started.virtual(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        var selecting = Started.virtual(() -> {
                    var mine = receive(chan);
                    select(receive(other), mine);
                    return mine.value();
                })
                .parkedIn(WaitReason.SELECT);
        var after = Started.virtual(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        for (int i = 1; i <= 3; i++) {
            chan.send(i);
        }
        assertThat(before.get()).isEqualTo(1);
        assertThat(selecting.get()).isEqualTo(2);
        assertThat(after.get()).isEqualTo(3);
    }

    @Test
    void twoSelectsMeetEachOther() throws Exception {
        Chan<String> a = Chan.make();
        Chan<String> b = Chan.make();
        var sender = Started.virtual(() -> select(send(a, "a"), send(b, "b"))).parkedIn(WaitReason.SELECT);
        var fromA = receive(a);
        var fromB = receive(b);
        Select.Case chosen = select(fromA, fromB);
        assertThat(chosen == fromA ? fromA.value() : fromB.value()).isEqualTo(chosen == fromA ? "a" : "b");
        sender.get();
        assertThat(a.tryReceive()).isNull();
        assertThat(b.tryReceive()).isNull();
    }

    @Test
    void aSelectDoesNotTalkToItself() throws Exception {
        Chan<String> chan = Chan.make();
        var selecting = Started.virtual(() -> {
                    var in = receive(chan);
                    return select(in, send(chan, "own")) == in ? in.value() : "sent";
                })
                .parkedIn(WaitReason.SELECT);
        assertThat(chan.receive()).isEqualTo("own");
        assertThat(selecting.get()).isEqualTo("sent");
    }

    @Test
    void theSameChannelTwice() throws Exception {
        Chan<String> chan = Chan.make();
        for (int i = 0; i < 10; i++) {
            var selecting = Started.virtual(() -> {
                        var one = receive(chan);
                        var two = receive(chan);
                        return select(one, two) == one ? one.value() : two.value();
                    })
                    .parkedIn(WaitReason.SELECT);
            chan.send("x");
            assertThat(selecting.get()).isEqualTo("x");
            assertThat(chan.trySend("nobody")).isFalse();
        }
    }

    @Test
    void nullChannelsAreNeverReady() throws Exception {
        Chan<String> none = null;
        Chan<String> some = Chan.make(1);
        some.send("x");
        var fromSome = receive(some);
        assertThat(select(receive(none), send(none, "y"), fromSome)).isSameAs(fromSome);
        var otherwise = orElse();
        assertThat(select(receive(none), send(none, "y"), otherwise)).isSameAs(otherwise);
    }

    @Test
    void withoutCasesItWaitsForEver() throws Exception {
        var waiting = Started.virtual(() -> select()).parkedIn(WaitReason.SELECT_NO_CASES);
        waiting.thread.interrupt();
        assertThatThrownBy(waiting::get).isInstanceOf(InterruptedException.class);
    }

    @Test
    void closedChannelsAreReady() throws Exception {
        Chan<String> chan = Chan.make();
        var in = receive(chan);
        var waiting = Started.virtual(() -> {
                    select(in, receive(Chan.<String>make()));
                    return in.value();
                })
                .parkedIn(WaitReason.SELECT);
        chan.close();
        assertThat(waiting.get()).isNull();
        assertThat(select(in, orElse())).isSameAs(in);
        assertThatThrownBy(() -> select(send(chan, "x"), orElse())).hasMessage("send on closed channel");
    }

    @Test
    void aSenderIsToldWhenTheChannelIsClosedUnderIt() throws Exception {
        Chan<String> chan = Chan.make();
        Chan<String> other = Chan.make();
        var waiting =
                Started.virtual(() -> select(send(chan, "x"), receive(other))).parkedIn(WaitReason.SELECT);
        chan.close();
        assertThatThrownBy(waiting::get)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("send on closed channel");
        assertThat(other.trySend("nobody")).isFalse();
    }

    @Test
    void timeoutsGoAheadWhenNothingElseDoes() throws Exception {
        Chan<String> never = Chan.make();
        var seen = new ArrayList<String>();
        var shorter = timeout(Duration.ofMillis(1), () -> seen.add("shorter"));
        assertThat(select(timeout(Duration.ofDays(1)), receive(never), shorter)).isSameAs(shorter);
        assertThat(seen).containsExactly("shorter");
        assertThat(never.trySend("nobody")).isFalse();
        var atOnce = timeout(Duration.ofSeconds(-1));
        assertThat(select(receive(never), atOnce)).isSameAs(atOnce);
    }

    @Test
    void anInterruptedSelectLeavesAllQueues() throws Exception {
        Chan<String> a = Chan.make();
        Chan<String> b = Chan.make();
        var waiting = Started.virtual(() -> select(receive(a), send(b, "x"), timeout(Duration.ofDays(1))))
                .parkedIn(WaitReason.SELECT);
        waiting.thread.interrupt();
        assertThatThrownBy(waiting::get).isInstanceOf(InterruptedException.class);
        assertThat(a.trySend("nobody")).isFalse();
        assertThat(b.tryReceive()).isNull();
    }

    @Test
    void everyReadyCaseIsEquallyLikely() throws Exception {
        int n = 6;
        var cases = new Select.Case[n];
        for (int i = 0; i < n; i++) {
            Chan<String> chan = Chan.make();
            if (i != 1 && i != 4) { // two that are never ready in between
                chan.close();
            }
            cases[i] = receive(chan);
        }
        var chosen = new int[n];
        int trials = 20_000;
        for (int i = 0; i < trials; i++) {
            chosen[List.of(cases).indexOf(select(cases))]++;
        }
        double mean = trials / 4.0;
        double sigma = Math.sqrt(trials * 0.25 * 0.75);
        for (int i = 0; i < n; i++) {
            if (i == 1 || i == 4) {
                assertThat(chosen[i]).isZero();
            } else {
                assertThat((double) chosen[i]).isBetween(mean - 6 * sigma, mean + 6 * sigma);
            }
        }
    }

    @Test
    void ofTwoWaitingCasesOfOneChannelEitherIsMatched() throws Exception {
        Chan<Integer> chan = Chan.make();
        var seen = new int[2];
        for (int i = 0; i < 200; i++) {
            var selecting =
                    Started.virtual(() -> select(send(chan, 0), send(chan, 1))).parkedIn(WaitReason.SELECT);
            seen[chan.receive()]++;
            selecting.get();
        }
        assertThat(seen[0]).isBetween(40, 160);
    }

    @Test
    void handlersMayUseChannelsAndSelects() throws Exception {
        Chan<String> outer = Chan.make(1);
        Chan<String> inner = Chan.make(1);
        outer.send("x");
        select(receive(outer, value -> select(send(inner, value + value))));
        assertThat(inner.receive()).isEqualTo("xx");
    }
}
