package dev.heddle.conformance;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Select;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class FixedBugsTest {
    private static final String FILE = "test/fixedbugs";

    /// A synchronous send does not return before its value is received.
    @GoTest(file = FILE, value = "bug147.go")
    void bug147() throws Exception {
        var received = new AtomicBoolean();
        Chan<Integer> chan = Chan.make();
        Go.go(() -> {
            Thread.sleep(Duration.ofMillis(2));
            received.set(true);
            chan.receive();
        });
        chan.send(1);
        assertThat(received.get()).isTrue();
    }

    /// Goroutines that never end do not keep others from ending.
    @GoTest(file = FILE, value = "bug225.go")
    void bug225() throws Exception {
        Chan<Integer> never = Chan.make();
        for (int i = 0; i < 100; i++) {
            Go.go(never::receive);
        }
        var ended = new WaitGroup();
        ended.go(() -> {});
        ended.await();
    }

    /// A select in a loop that alternates between sending and receiving keeps its balance.
    @GoTest(file = FILE, value = "bug234.go")
    void bug234() throws Exception {
        Chan<Integer> chan = Chan.make(100);
        for (int i = 0; i < 50; i++) {
            chan.send(1);
        }
        int sends = 0;
        int receives = 0;
        for (int i = 0; i < 1000; i++) {
            var in = receive(chan);
            if (select(in, send(chan, 2)) == in) {
                receives++;
            } else {
                sends++;
            }
        }
        assertThat(chan.len()).isEqualTo(50 + sends - receives);
        assertThat(Math.min(sends, receives)).isGreaterThan(400);
    }

    @GoTest(
            file = FILE,
            value = {"issue4313.go", "issue8336.go"},
            adapted = "cases are Java expressions: evaluated in order, once, before the select begins")
    void issue4313() throws Exception {
        var order = new ArrayList<Integer>();
        Chan<Integer> chan = Chan.make(1);
        select(receive(note(order, 1, Chan.<Integer>make())), send(note(order, 2, chan), note(order, 3, 7)));
        assertThat(order).containsExactly(1, 2, 3);
    }

    private static <T> T note(List<Integer> order, int number, T value) {
        order.add(number);
        return value;
    }

    /// A select that has finished leaves no waiter behind: here many selects name a channel that no goroutine
    /// ever sends to.
    @GoTest(
            file = FILE,
            value = "issue9110.go",
            adapted = "no count of sudogs: the queue is probed by a send without partner")
    void issue9110() throws Exception {
        Chan<Integer> busy = Chan.make(1);
        Chan<Integer> idle = Chan.make();
        for (int i = 0; i < 10_000; i++) {
            Go.go(() -> busy.send(1));
            var in = receive(busy);
            assertThat(select(in, receive(idle))).isSameAs(in);
        }
        assertThat(idle.trySend(1)).isFalse();
    }

    /// Goroutines that poll an atomic in a loop do not stop the world from turning.
    @GoTest(file = FILE, value = "issue19182.go")
    void issue19182() throws Exception {
        var flag = new AtomicInteger();
        var ended = new WaitGroup();
        ended.go(() -> {
            while (flag.get() == 0) {
                Go.gosched();
            }
        });
        Thread.sleep(Duration.ofMillis(1));
        flag.set(1);
        ended.await();
    }

    @GoTest(file = FILE, value = "issue43111.go")
    void issue43111() throws Exception {
        Chan<Integer> none = null;
        Chan<Integer> closed = Chan.make();
        closed.close();
        for (int i = 0; i < 100; i++) {
            var in = receive(closed);
            Select.Case chosen = select(receive(none), in, send(none, 1));
            assertThat(chosen).isSameAs(in);
            assertThat(in.value()).isNull();
        }
    }

    /// Goexit in a goroutine that has finally blocks runs them, and ends that goroutine only.
    @GoTest(file = FILE, value = "issue8158.go")
    void issue8158() throws Exception {
        Chan<String> chan = Chan.make(2);
        Go.go(() -> {
            try {
                Go.goexit();
            } finally {
                chan.send("finally");
            }
        });
        assertThat(chan.receive()).isEqualTo("finally");
        assertThat(chan.tryReceive()).isNull();
    }
}
