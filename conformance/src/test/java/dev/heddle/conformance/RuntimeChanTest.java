package dev.heddle.conformance;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Received;
import dev.heddle.Select;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class RuntimeChanTest {
    private static final String FILE = "runtime/chan_test.go";

    @GoTest(file = FILE, value = "TestChan")
    void testChan() throws Exception {
        for (int capacity = 0; capacity < 60; capacity += capacity < 5 ? 1 : 11) {
            emptyBlocksReceivers(capacity);
            fullBlocksSenders(capacity);
            closedGivesWhatIsLeftThenNothing(capacity);
            closeReleasesAReceiver(capacity);
            keepsOrder(capacity);
            manyToMany(capacity);
            lenAndCap(capacity);
        }
    }

    private static void emptyBlocksReceivers(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity);
        var first = new AtomicBoolean();
        var second = new AtomicBoolean();
        var ended = new WaitGroup();
        ended.go(() -> {
            chan.receive();
            first.set(true);
        });
        ended.go(() -> {
            chan.receive();
            second.set(true);
        });
        Thread.sleep(1); // what must not happen is given time to
        assertThat(first.get() || second.get()).isFalse();
        assertThat(select(receive(chan), orElse())).isNotInstanceOf(Select.Receive.class);
        chan.send(0);
        chan.send(0);
        ended.await();
    }

    private static void fullBlocksSenders(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity);
        for (int i = 0; i < capacity; i++) {
            chan.send(i);
        }
        var sent = new AtomicInteger();
        var ended = new WaitGroup();
        ended.go(() -> {
            chan.send(-1);
            sent.incrementAndGet();
        });
        Thread.sleep(1);
        assertThat(sent).hasValue(0);
        assertThat(select(send(chan, -2), orElse())).isNotInstanceOf(Select.Send.class);
        chan.receive();
        ended.await();
        assertThat(sent).hasValue(1);
    }

    private static void closedGivesWhatIsLeftThenNothing(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity);
        for (int i = 0; i < capacity; i++) {
            chan.send(i);
        }
        chan.close();
        for (int i = 0; i < capacity; i++) {
            assertThat(chan.receive()).isEqualTo(i);
        }
        assertThat(chan.receive()).isNull();
        assertThat(chan.poll()).isEqualTo(new Received.Closed<>());
        assertThatThrownBy(() -> chan.send(0)).hasMessage("send on closed channel");
    }

    private static void closeReleasesAReceiver(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity);
        Chan<Boolean> done = Chan.make();
        Go.go(() -> done.send(chan.receive() == null));
        Thread.sleep(1);
        chan.close();
        assertThat(done.receive()).isTrue();
    }

    private static void keepsOrder(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity);
        Go.go(() -> {
            for (int i = 0; i < 100; i++) {
                chan.send(i);
            }
        });
        for (int i = 0; i < 100; i++) {
            assertThat(chan.receive()).isEqualTo(i);
        }
    }

    private static void manyToMany(int capacity) throws Exception {
        int pairs = 4;
        int each = 1000;
        Chan<Integer> chan = Chan.make(capacity);
        var seen = new AtomicInteger[each];
        for (int i = 0; i < each; i++) {
            seen[i] = new AtomicInteger();
        }
        var ended = new WaitGroup();
        for (int p = 0; p < pairs; p++) {
            Go.go(() -> {
                for (int i = 0; i < each; i++) {
                    chan.send(i);
                }
            });
            ended.go(() -> {
                for (int i = 0; i < each; i++) {
                    seen[chan.receive()].incrementAndGet();
                }
            });
        }
        ended.await();
        for (AtomicInteger count : seen) {
            assertThat(count).hasValue(pairs);
        }
    }

    private static void lenAndCap(int capacity) throws Exception {
        Chan<Integer> chan = Chan.make(capacity * 2);
        for (int i = 0; i < capacity; i++) {
            chan.send(i);
        }
        assertThat(chan.len()).isEqualTo(capacity);
        assertThat(chan.cap()).isEqualTo(capacity * 2);
    }

    /// At every moment one of the two channels is ready, so the default must not be taken.
    @GoTest(file = FILE, value = "TestNonblockSelectRace")
    void testNonblockSelectRace() throws Exception {
        for (int i = 0; i < 2000; i++) {
            Chan<Integer> a = Chan.make(1);
            Chan<Integer> b = Chan.make(1);
            Chan<Boolean> done = Chan.make(1);
            a.send(1);
            Go.go(() -> {
                var none = orElse();
                done.send(select(receive(a), receive(b), none) != none);
            });
            b.send(1);
            select(receive(a), orElse());
            assertThat(done.receive()).isTrue();
        }
    }

    /// The same, where the second channel becomes ready by being closed.
    @GoTest(file = FILE, value = "TestNonblockSelectRace2")
    void testNonblockSelectRace2() throws Exception {
        for (int i = 0; i < 2000; i++) {
            Chan<Integer> a = Chan.make(1);
            Chan<Integer> b = Chan.make();
            Chan<Boolean> done = Chan.make(1);
            a.send(1);
            Go.go(() -> {
                var none = orElse();
                done.send(select(receive(a), receive(b), none) != none);
            });
            b.close();
            select(receive(a), orElse());
            assertThat(done.receive()).isTrue();
        }
    }

    @GoTest(file = FILE, value = "TestSelfSelect")
    void testSelfSelect() throws Exception {
        for (int capacity : new int[] {0, 10}) {
            Chan<Integer> chan = Chan.make(capacity);
            var ended = new WaitGroup();
            for (int p = 0; p < 2; p++) {
                int me = p;
                ended.go(() -> {
                    for (int i = 0; i < 1000; i++) {
                        var in = receive(chan);
                        var out = send(chan, me);
                        Select.Case chosen = (me == 0) == (i % 2 == 0) ? select(in, out) : select(out, in);
                        if (chosen == in && capacity == 0) {
                            assertThat(in.value())
                                    .as("received what it sent itself")
                                    .isNotEqualTo(me);
                        }
                    }
                });
            }
            ended.await();
        }
    }

    /// Two cases that are always ready are both taken about equally often.
    @GoTest(file = FILE, value = "TestSelectFairness")
    void testSelectFairness() throws Exception {
        int trials = 10_000;
        Chan<Integer> even = Chan.make(trials + 1);
        Chan<Integer> odd = Chan.make(trials + 1);
        for (int i = 0; i <= trials; i++) {
            even.send(0);
            odd.send(1);
        }
        Chan<Integer> never = Chan.make();
        Chan<Boolean> out = Chan.make();
        Chan<Boolean> done = Chan.make();
        Go.go(() -> {
            while (true) {
                var fromEven = receive(even);
                var fromOdd = receive(odd);
                Select.Case chosen = select(fromEven, fromOdd, receive(never));
                var stop = receive(done);
                if (select(send(out, chosen == fromEven), stop) == stop) {
                    return;
                }
            }
        });
        int evens = 0;
        for (int i = 0; i < trials; i++) {
            evens += out.receive() ? 1 : 0;
        }
        done.close();
        double tenSigma = 10 * Math.sqrt(trials * 0.25);
        assertThat((double) evens).isBetween(trials / 2.0 - tenSigma, trials / 2.0 + tenSigma);
    }

    @GoTest(file = FILE, value = "TestChanSendInterface")
    void testChanSendInterface() throws Exception {
        record Message(String text) {}
        Chan<Object> chan = Chan.make(1);
        chan.send(new Message("a"));
        assertThat(select(send(chan, new Message("b")), orElse())).isNotInstanceOf(Select.Send.class);
        assertThat(select(send(chan, new Message("c")), send(chan, new Message("d")), orElse()))
                .isNotInstanceOf(Select.Send.class);
        assertThat(chan.receive()).isEqualTo(new Message("a"));
    }

    @GoTest(file = FILE, value = "TestPseudoRandomSend")
    void testPseudoRandomSend() throws Exception {
        int n = 100;
        for (int capacity : new int[] {0, n}) {
            Chan<Integer> chan = Chan.make(capacity);
            Chan<Integer> zeros = Chan.make();
            Go.go(() -> {
                int zero = 0;
                for (int i = 0; i < n; i++) {
                    Go.gosched();
                    zero += chan.receive() == 0 ? 1 : 0;
                }
                zeros.send(zero);
            });
            for (int i = 0; i < n; i++) {
                select(send(chan, 1), send(chan, 0));
            }
            assertThat(zeros.receive()).isBetween(n / 10 + 1, n - n / 10 - 1);
        }
    }

    @GoTest(file = FILE, value = "TestMultiConsumer")
    void testMultiConsumer() throws Exception {
        int workers = 23;
        int items = 27_182;
        int[] primes = {2, 3, 7, 11, 13, 17, 19, 23, 27, 31};
        Chan<Integer> queue = Chan.make(workers / 4);
        Chan<Integer> results = Chan.make(workers / 4);
        var consumers = new WaitGroup();
        for (int w = 0; w < workers; w++) {
            consumers.go(() -> {
                for (int value : queue) {
                    if (value == primes[3]) {
                        Go.gosched();
                    }
                    results.send(value);
                }
            });
        }
        long[] expected = {0};
        Go.go(() -> {
            for (int i = 0; i < items; i++) {
                expected[0] += primes[i % primes.length];
                queue.send(primes[i % primes.length]);
            }
            queue.close();
            consumers.await();
            results.close();
        });
        long sum = 0;
        int count = 0;
        for (int value : results) {
            sum += value;
            count++;
        }
        assertThat(count).isEqualTo(items);
        assertThat(sum).isEqualTo(expected[0]);
    }

    /// The same channel twice in a waiting select, next to another waiter: the queue must survive the removal of
    /// both.
    @GoTest(file = FILE, value = "TestSelectDuplicateChannel")
    void testSelectDuplicateChannel() throws Exception {
        Chan<Integer> c = Chan.make();
        Chan<Integer> d = Chan.make();
        Chan<Integer> e = Chan.make();
        Go.go(() -> {
            select(receive(c), receive(c), receive(d));
            e.send(9);
        });
        Thread.sleep(Duration.ofMillis(1)); // until it waits, usually
        Go.go(c::receive);
        Thread.sleep(Duration.ofMillis(1));
        d.send(7); // wakes the select, which takes its two waiters off c
        e.receive();
        c.send(8); // reaches the goroutine that is left
    }

    /// Each of many goroutines selects from a channel of its own and from one that all share. Each gets all
    /// of its values.
    @GoTest(file = FILE, value = "BenchmarkChanPopular")
    void benchmarkChanPopular() throws Exception {
        int n = 300;
        Chan<Boolean> popular = Chan.make();
        var ended = new WaitGroup();
        var own = new Chan<?>[n];
        for (int i = 0; i < n; i++) {
            Chan<Boolean> mine = Chan.make();
            own[i] = mine;
            ended.go(() -> {
                for (int k = 0; k < 5; k++) {
                    select(receive(mine), receive(popular));
                }
            });
        }
        for (int k = 0; k < 5; k++) {
            for (Chan<?> chan : own) {
                sendTrue(chan);
            }
        }
        ended.await();
    }

    @SuppressWarnings("unchecked")
    private static void sendTrue(Chan<?> chan) throws InterruptedException {
        ((Chan<Boolean>) chan).send(true);
    }
}
