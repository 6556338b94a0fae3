package dev.heddle.conformance;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static dev.heddle.Select.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.ReceiveChan;
import dev.heddle.Select;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

class ChanProgramsTest {
    private static final String FILE = "test/chan";

    @GoTest(file = FILE, value = "fifo.go")
    void fifo() throws Exception {
        int n = 10;
        Chan<Integer> buffered = Chan.make(n);
        for (int i = 0; i < n; i++) {
            buffered.send(i);
        }
        for (int i = 0; i < n; i++) {
            assertThat(buffered.receive()).isEqualTo(i);
        }
        // A chain in which each goroutine receives its own number, from one channel, only when its predecessor has.
        Chan<Integer> chan = Chan.make();
        Chan<Integer> in = Chan.make();
        Chan<Integer> start = in;
        for (int i = 0; i < n; i++) {
            Chan<Integer> out = Chan.make();
            Chan<Integer> before = in;
            int number = i;
            Go.go(() -> {
                before.receive();
                assertThat(chan.receive()).isEqualTo(number);
                out.send(1);
            });
            in = out;
        }
        start.send(0);
        for (int i = 0; i < n; i++) {
            chan.send(i);
        }
        in.receive();
    }

    @GoTest(file = FILE, value = "goroutines.go", adapted = "100,000 goroutines instead of 10,000")
    void goroutines() throws Exception {
        Chan<Integer> leftmost = Chan.make();
        Chan<Integer> left = leftmost;
        Chan<Integer> right = left;
        for (int i = 0; i < 100_000; i++) {
            right = Chan.make();
            Chan<Integer> to = left;
            Chan<Integer> from = right;
            Go.go(() -> to.send(from.receive()));
            left = right;
        }
        Chan<Integer> last = right;
        Go.go(() -> last.send(1));
        assertThat(leftmost.receive()).isEqualTo(1);
    }

    @GoTest(file = FILE, value = "nonblock.go")
    void nonblock() throws Exception {
        for (int capacity = 0; capacity <= 1; capacity++) {
            for (Object value : List.of(123, "hello", true, 1.5)) {
                Chan<Object> chan = Chan.make(capacity);
                assertThat(chan.tryReceive()).isNull();
                var none = orElse();
                assertThat(select(receive(chan), none)).isSameAs(none);
                Go.go(() -> chan.send(value));
                assertThat(pollUntilThere(chan)).isEqualTo(value);
                assertThat(chan.tryReceive()).isNull();
                if (capacity == 0) {
                    assertThat(chan.trySend(value)).isFalse();
                    Chan<Object> got = Chan.make();
                    Go.go(() -> got.send(chan.receive()));
                    while (!chan.trySend(value)) {
                        Go.gosched();
                    }
                    assertThat(got.receive()).isEqualTo(value);
                } else {
                    assertThat(chan.trySend(value)).isTrue();
                    assertThat(chan.trySend(value)).isFalse();
                    assertThat(chan.receive()).isEqualTo(value);
                }
            }
        }
    }

    private static Object pollUntilThere(Chan<Object> chan) {
        Object value = chan.tryReceive();
        while (value == null) {
            Go.gosched();
            value = chan.tryReceive();
        }
        return value;
    }

    /// Numbers go out over two channels, whichever is taken; both lists together are complete and each is in order.
    @GoTest(file = FILE, value = "select.go")
    void selectProgram() throws Exception {
        var counter = new AtomicInteger();
        Chan<Integer> a = Chan.make();
        Chan<Integer> b = Chan.make();
        Chan<Boolean> done = Chan.make();
        Go.go(() -> {
            int shift = 0;
            boolean aIsDone = false;
            boolean bIsDone = false;
            while (!aIsDone || !bIsDone) {
                int value = counter.getAndIncrement();
                Chan<Integer> toA = aIsDone ? null : a;
                Chan<Integer> toB = bIsDone ? null : b;
                var first = send(toA, value);
                Select.Case chosen = shift % 2 == 0 ? select(first, send(toB, value)) : select(send(toB, value), first);
                aIsDone |= value >= 100 && chosen == first;
                bIsDone |= value >= 100 && chosen != first;
                shift++;
            }
            a.close();
            b.close();
            done.send(true);
        });
        var all = new ArrayList<Integer>();
        int open = 2;
        Chan<Integer> fromA = a;
        Chan<Integer> fromB = b;
        while (open > 0) {
            var inA = receive(fromA);
            var inB = receive(fromB);
            boolean isA = select(inA, inB) == inA;
            Integer value = isA ? inA.value() : inB.value();
            if (value == null) {
                open--;
                if (isA) {
                    fromA = null;
                } else {
                    fromB = null;
                }
            } else {
                all.add(value);
            }
        }
        done.receive();
        assertThat(all).isSorted().hasSize(counter.get());
    }

    @GoTest(
            file = FILE,
            value = "select2.go",
            adapted =
                    "the growth of the heap is not compared; that no waiter is left behind is, by a send without partner")
    void select2() throws Exception {
        Chan<Integer> chan = Chan.make();
        Chan<Integer> dummy = Chan.make();
        Go.go(() -> {
            while (true) {
                var in = receive(chan);
                select(in, receive(dummy));
                if (in.value() != null && in.value() == 0) {
                    return;
                }
            }
        });
        for (int i = 0; i < 100_000; i++) {
            chan.send(1);
        }
        chan.send(0);
        assertThat(dummy.trySend(1))
                .as("a waiter of a finished select is still queued")
                .isFalse();
    }

    /// Which operations block, for null, open, full and closed channels, alone and in selects.
    @GoTest(file = FILE, value = "select3.go")
    void select3() throws Exception {
        Chan<Integer> none = null;
        blocks(() -> select(send(none, 7)));
        blocks(() -> select(receive(none)));
        blocks(() -> select());
        blocks(() -> Chan.make().send(7));
        blocks(Chan.make()::receive);
        ends(() -> select(send(none, 7), orElse()));
        ends(() -> select(receive(none), orElse()));
        ends(() -> select(send(Chan.make(), 7), orElse()));
        ends(() -> select(receive(Chan.make()), orElse()));

        Chan<Integer> empty = Chan.make(10);
        ends(() -> empty.send(7));
        assertThat(empty.receive()).isEqualTo(7);
        Chan<Integer> full = Chan.make(1);
        full.send(7);
        ends(() -> select(send(full, 8), orElse()));
        assertThat(full.receive()).isEqualTo(7);
        blocks(full::receive);
        Chan<Integer> stuck = Chan.make(1);
        stuck.send(7);
        blocks(() -> stuck.send(7));

        Chan<Integer> closed = Chan.make();
        closed.close();
        ends(closed::receive);
        ends(() -> select(receive(closed)));
        assertThatThrownBy(() -> select(send(closed, 7))).hasMessage("send on closed channel");
        blocks(() -> select(send(none, 7), receive(none)));
        blocks(() -> select(send(Chan.make(), 7), receive(Chan.make())));
        ends(() -> select(send(none, 7), receive(closed)));
    }

    private static void ends(ThrowingCallable body) throws Exception {
        Chan<Boolean> done = Chan.make(1);
        Go.go(() -> {
            body.call();
            done.send(true);
        });
        assertThat(done.receive()).isTrue();
    }

    /// What must not happen is given a millisecond to happen; then the goroutine is left behind, as Go's does.
    private static void blocks(ThrowingCallable body) throws Exception {
        Chan<Boolean> done = Chan.make(1);
        Go.go(() -> {
            body.call();
            done.send(true);
        });
        var tooLate = timeout(Duration.ofMillis(2));
        assertThat(select(receive(done), tooLate)).isSameAs(tooLate);
    }

    @GoTest(file = FILE, value = "select4.go", adapted = "Java has no closures over the received variable to get wrong")
    void select4() throws Exception {
        Chan<Integer> chan = Chan.make(1);
        Chan<Integer> other = Chan.make();
        chan.send(42);
        var in = receive(chan);
        assertThat(select(in, receive(other))).isSameAs(in);
        assertThat(in.value()).isEqualTo(42);
    }

    /// A value that is sent to a receiver in a select, of any kind, arrives exactly once.
    @GoTest(
            file = FILE,
            value = {"select6.go", "select7.go"})
    void select7() throws Exception {
        List<Receiving> ways = List.of(
                Chan::receive,
                chan -> {
                    var in = receive(chan);
                    select(in);
                    return in.value();
                },
                chan -> {
                    var in = receive(chan);
                    select(in, receive(Chan.<Integer>make()));
                    return in.value();
                });
        for (Receiving way : ways) {
            Chan<Integer> chan = Chan.make();
            Chan<Integer> result = Chan.make(1);
            Go.go(() -> result.send(way.from(chan)));
            select(send(chan, 1), receive(Chan.<Integer>make()));
            assertThat(result.receive()).isEqualTo(1);
        }
    }

    interface Receiving {
        Integer from(Chan<Integer> chan) throws InterruptedException;
    }

    @GoTest(file = FILE, value = "select8.go", adapted = "break out of a select is the end of a handler")
    void select8() throws Exception {
        Chan<Integer> chan = Chan.make(1);
        var after = new AtomicBoolean();
        chan.send(1);
        select(receive(chan, value -> {
            if (value == 1) {
                return;
            }
            after.set(true);
        }));
        assertThat(after.get()).isFalse();
    }

    @GoTest(file = FILE, value = "sieve1.go")
    void sieve1() throws Exception {
        Chan<Integer> numbers = Chan.make();
        Go.go(() -> {
            for (int i = 2; ; i++) {
                numbers.send(i);
            }
        });
        var primes = new ArrayList<Integer>();
        Chan<Integer> from = numbers;
        for (int i = 0; i < 25; i++) {
            int prime = from.receive();
            primes.add(prime);
            Chan<Integer> in = from;
            Chan<Integer> out = Chan.make();
            Go.go(() -> {
                while (true) {
                    int value = in.receive();
                    if (value % prime != 0) {
                        out.send(value);
                    }
                }
            });
            from = out;
        }
        assertThat(primes).startsWith(2, 3, 5, 7, 11, 13, 17, 19, 23, 29).endsWith(83, 89, 97);
    }

    /// A sieve that is torn down by closing: nothing is left behind.
    @GoTest(
            file = FILE,
            value = "sieve2.go",
            adapted = "bounded and closed at the end, instead of a heap of peeked values")
    void sieve2() throws Exception {
        Chan<Integer> numbers = Chan.make(4);
        Go.go(() -> {
            for (int i = 2; i < 200; i++) {
                numbers.send(i);
            }
            numbers.close();
        });
        var primes = new ArrayList<Integer>();
        ReceiveChan<Integer> from = numbers;
        for (Integer prime = from.receive(); prime != null; prime = from.receive()) {
            primes.add(prime);
            from = sieve(from, prime);
        }
        assertThat(primes).hasSize(46).endsWith(197, 199);
    }

    private static ReceiveChan<Integer> sieve(ReceiveChan<Integer> in, int prime) {
        Chan<Integer> out = Chan.make(4);
        Go.go(() -> {
            for (int value : in) {
                if (value % prime != 0) {
                    out.send(value);
                }
            }
            out.close();
        });
        return out;
    }

    @GoTest(file = FILE, value = "zerosize.go")
    void zerosize() throws Exception {
        record Nothing() {}
        Chan<Nothing> chan = Chan.make(2);
        chan.send(new Nothing());
        chan.send(new Nothing());
        assertThat(chan.trySend(new Nothing())).isFalse();
        assertThat(chan.receive()).isEqualTo(new Nothing());
    }

    @GoTest(file = FILE, value = "closedchan.go")
    void closedchan() throws Exception {
        for (int capacity : new int[] {0, 2}) {
            Chan<Integer> chan = Chan.make(capacity);
            for (int i = 0; i < capacity; i++) {
                chan.send(i);
            }
            chan.close();
            for (int i = 0; i < capacity; i++) {
                var in = receive(chan);
                assertThat(i % 2 == 0 ? select(in, orElse()) : select(in)).isSameAs(in);
                assertThat(in.value()).isEqualTo(i);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(chan.receive()).isNull();
                assertThat(chan.tryReceive()).isNull();
                var in = receive(chan);
                assertThat(select(in, orElse())).isSameAs(in);
                assertThat(in.value()).isNull();
            }
            assertThatThrownBy(() -> chan.send(1)).hasMessage("send on closed channel");
            assertThatThrownBy(() -> chan.trySend(1)).hasMessage("send on closed channel");
            assertThatThrownBy(() -> select(send(chan, 1))).hasMessage("send on closed channel");
            assertThatThrownBy(() -> select(send(chan, 1), orElse())).hasMessage("send on closed channel");
            assertThatThrownBy(chan::close).hasMessage("close of closed channel");
            assertThat(chan.iterator().hasNext()).isFalse();
        }
    }

    @GoTest(file = "test", value = "chancap.go")
    void chancap() {
        assertThat(Chan.make().cap()).isZero();
        assertThat(Chan.make(0).cap()).isZero();
        assertThat(Chan.make(10).cap()).isEqualTo(10);
        assertThat(Chan.make(10).len()).isZero();
        assertThatThrownBy(() -> Chan.make(-1)).hasMessage("makechan: size out of range");
    }

    @GoTest(file = "test", value = "range.go (channels)")
    void range() throws Exception {
        Chan<Integer> chan = Chan.make();
        Go.go(() -> {
            for (int i = 0; i < 26; i++) {
                chan.send(i);
            }
            chan.close();
        });
        int expected = 0;
        for (int value : chan) {
            assertThat(value).isEqualTo(expected++);
        }
        assertThat(expected).isEqualTo(26);
        assertThat(chan.iterator().hasNext()).isFalse();
    }

    @GoTest(
            file = "test",
            value = "gcgort.go",
            adapted = "fewer goroutines and System.gc() instead of GC torture in five types")
    void gcgort() throws Exception {
        var stop = new AtomicBoolean();
        var sum = new AtomicLong();
        var ended = new WaitGroup();
        for (int i = 0; i < 20; i++) {
            ended.go(() -> {
                Chan<byte[]> chan = Chan.make(1);
                while (!stop.get()) {
                    chan.send(new byte[1000]);
                    sum.addAndGet(chan.receive().length);
                    Go.gosched();
                }
            });
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(Duration.ofMillis(1));
        }
        stop.set(true);
        ended.await();
        assertThat(sum.get()).isPositive();
    }

    /// Several producers and consumers, each with plain operations and selects; every value arrives once.
    @GoTest(
            file = "test/ken",
            value = {"chan.go", "chan1.go"})
    void kenChan() throws Exception {
        int n = 4;
        int each = 500;
        var chans = new ArrayList<Chan<Integer>>();
        for (int i = 0; i < n; i++) {
            chans.add(Chan.make(i % 2 == 0 ? 0 : 10));
        }
        var sum = new AtomicLong();
        var received = new AtomicInteger();
        var consumers = new WaitGroup();
        Chan<Boolean> stop = Chan.make();
        for (int i = 0; i < n; i++) {
            int me = i;
            consumers.go(() -> {
                while (true) {
                    var one = receive(chans.get(me));
                    var two = receive(chans.get((me + 1) % n));
                    var end = receive(stop);
                    Select.Case chosen = select(one, two, end);
                    if (chosen == end) {
                        return;
                    }
                    sum.addAndGet(chosen == one ? one.value() : two.value());
                    if (received.incrementAndGet() == n * each) {
                        stop.close();
                    }
                }
            });
        }
        for (int i = 0; i < n; i++) {
            int me = i;
            Go.go(() -> {
                for (int k = 1; k <= each; k++) {
                    if (k % 2 == 0) {
                        chans.get(me).send(k);
                    } else {
                        select(send(chans.get(me), k), send(chans.get((me + 2) % n), k));
                    }
                }
            });
        }
        consumers.await();
        assertThat(sum).hasValue(n * (each * (each + 1L) / 2));
    }
}
