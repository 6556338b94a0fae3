package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChanTest {
    @Test
    void anUnbufferedSendWaitsForItsReceiver() throws Exception {
        Chan<String> chan = Chan.make();
        var sender = Started.virtual(sending(chan, "a")).parkedIn(WaitReason.CHAN_SEND);
        assertThat(chan.len()).isZero();
        assertThat(chan.receive()).isEqualTo("a");
        assertThat(sender.get()).isEqualTo("sent");
    }

    @Test
    void aWaitingReceiverIsHandedTheValue() throws Exception {
        Chan<String> chan = Chan.make();
        var receiver = Started.virtual(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        assertThat(chan.trySend("a")).isTrue();
        assertThat(receiver.get()).isEqualTo("a");
    }

    @Test
    void platformAndVirtualThreadsMeet() throws Exception {
        Chan<String> chan = Chan.make();
        var receiver = Started.platform(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        assertThat(Started.virtual(sending(chan, "a")).get()).isEqualTo("sent");
        assertThat(receiver.get()).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void aBufferIsAQueue(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity);
        assertThat(chan.cap()).isEqualTo(capacity);
        int in = 0;
        int out = 0;
        for (int round = 0; round < 20; round++) {
            while (chan.trySend(in)) {
                in++;
                assertThat(chan.len()).isEqualTo(in - out);
            }
            assertThat(chan.len()).isEqualTo(capacity);
            for (int i = 0; i <= round % capacity; i++) {
                assertThat(chan.receive()).isEqualTo(out++);
            }
        }
    }

    @Test
    void sendersAndReceiversAreServedFirstComeFirstServed() throws Exception {
        Chan<Integer> chan = Chan.make(1);
        chan.send(0);
        var senders = new ArrayList<Started<String>>();
        for (int i = 1; i < 5; i++) {
            senders.add(Started.virtual(sending(chan, i)).parkedIn(WaitReason.CHAN_SEND));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(chan.receive()).isEqualTo(i);
        }
        var receivers = new ArrayList<Started<Integer>>();
        for (int i = 0; i < 5; i++) {
            receivers.add(Started.virtual(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE));
        }
        for (int i = 0; i < 5; i++) {
            chan.send(i);
            assertThat(receivers.get(i).get()).isEqualTo(i);
        }
    }

    @Test
    void aClosedChannelIsDrainedAndThenGivesNull() throws Exception {
        Chan<String> chan = Chan.make(2);
        chan.send("a");
        chan.send("b");
        chan.close();
        assertThat(chan.receive()).isEqualTo("a");
        assertThat(chan.poll()).isEqualTo(new Received.Value<>("b"));
        assertThat(chan.receive()).isNull();
        assertThat(chan.tryReceive()).isNull();
        assertThat(chan.poll()).isEqualTo(new Received.Closed<>());
    }

    @Test
    void closeWakesReceiversWithNullAndSendersWithAnError() throws Exception {
        Chan<String> empty = Chan.make();
        var receivers = List.of(
                Started.virtual(empty::receive).parkedIn(WaitReason.CHAN_RECEIVE),
                Started.platform(empty::receive).parkedIn(WaitReason.CHAN_RECEIVE));
        empty.close();
        for (var receiver : receivers) {
            assertThat(receiver.get()).isNull();
        }
        Chan<String> full = Chan.make(1);
        full.send("in");
        var senders = List.of(
                Started.virtual(sending(full, "x")).parkedIn(WaitReason.CHAN_SEND),
                Started.virtual(sending(full, "y")).parkedIn(WaitReason.CHAN_SEND));
        full.close();
        for (var sender : senders) {
            assertThatThrownBy(sender::get)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("send on closed channel");
        }
        assertThat(full.receive()).isEqualTo("in");
        assertThat(full.receive()).isNull();
    }

    @Test
    void misuseIsReportedInGosWords() {
        Chan<String> chan = Chan.make();
        chan.close();
        assertThatThrownBy(chan::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("close of closed channel");
        assertThatThrownBy(() -> chan.send("a")).hasMessage("send on closed channel");
        assertThatThrownBy(() -> chan.trySend("a")).hasMessage("send on closed channel");
        assertThatThrownBy(() -> Chan.make(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("makechan: size out of range");
        assertThatThrownBy(() -> chan.send(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void tryOperationsNeverWait() {
        Chan<String> chan = Chan.make();
        assertThat(chan.trySend("a")).isFalse();
        assertThat(chan.tryReceive()).isNull();
        assertThat(chan.poll()).isEqualTo(new Received.Nothing<>());
        Chan<String> buffered = Chan.make(1);
        assertThat(buffered.trySend("a")).isTrue();
        assertThat(buffered.trySend("b")).isFalse();
        assertThat(buffered.tryReceive()).isEqualTo("a");
        assertThat(buffered.tryReceive()).isNull();
    }

    @Test
    void anInterruptedWaiterLeavesTheQueueAndNothingIsLost() throws Exception {
        Chan<String> chan = Chan.make();
        var first = Started.virtual(sending(chan, "first")).parkedIn(WaitReason.CHAN_SEND);
        var second = Started.virtual(sending(chan, "second")).parkedIn(WaitReason.CHAN_SEND);
        var third = Started.virtual(sending(chan, "third")).parkedIn(WaitReason.CHAN_SEND);
        second.thread.interrupt();
        assertThatThrownBy(second::get).isInstanceOf(InterruptedException.class);
        assertThat(chan.receive()).isEqualTo("first");
        assertThat(chan.receive()).isEqualTo("third");
        assertThat(List.of(first.get(), third.get())).containsOnly("sent");
        assertThat(chan.tryReceive()).isNull();
        var receiver = Started.platform(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        receiver.thread.interrupt();
        assertThatThrownBy(receiver::get).isInstanceOf(InterruptedException.class);
        assertThat(chan.trySend("nobody is there")).isFalse();
    }

    @Test
    void aPendingInterruptIsReportedAtEntry() throws Exception {
        Chan<String> chan = Chan.make(1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> chan.send("a")).isInstanceOf(InterruptedException.class);
        assertThat(chan.len()).isZero();
        chan.send("a");
        Thread.currentThread().interrupt();
        assertThatThrownBy(chan::receive).isInstanceOf(InterruptedException.class);
        assertThat(chan.receive()).isEqualTo("a");
    }

    @Test
    void iterationReceivesUntilClose() throws Exception {
        Chan<Integer> chan = Chan.make(3);
        for (int i = 0; i < 3; i++) {
            chan.send(i);
        }
        chan.close();
        var seen = new ArrayList<Integer>();
        for (int value : chan) {
            seen.add(value);
        }
        assertThat(seen).containsExactly(0, 1, 2);
    }

    @Test
    void anInterruptedIterationKeepsTheInterruptStatus() throws Exception {
        Chan<Integer> chan = Chan.make();
        var ranging = Started.virtual(() -> {
                    assertThatThrownBy(() -> chan.iterator().hasNext()).isInstanceOf(CancellationException.class);
                    return Thread.currentThread().isInterrupted();
                })
                .parkedIn(WaitReason.CHAN_RECEIVE);
        ranging.thread.interrupt();
        assertThat(ranging.get()).isTrue();
    }

    @Test
    void aParkedThreadTellsWhyItWaits() throws Exception {
        Chan<String> chan = Chan.make();
        var receiver = Started.virtual(chan::receive).parkedIn(WaitReason.CHAN_RECEIVE);
        assertThat(WaitRecord.of(receiver.thread)).hasToString("chan receive");
        chan.close();
        receiver.get();
    }

    private static <T> Callable<String> sending(Chan<T> chan, T value) {
        return () -> {
            chan.send(value);
            return "sent";
        };
    }
}
