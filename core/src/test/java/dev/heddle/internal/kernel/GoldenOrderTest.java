package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.Select;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// With one processor the order in which goroutines run is fixed, up to the end of a time slice. These are the orders
/// that Go's scheduler produces (F16, F18, F24, F48), for goroutines and for plain virtual threads alike.
class GoldenOrderTest {

    /// An attempt that took longer than this may have met the end of a time slice (10 ms), and counts for
    /// nothing.
    private static final long UNDISTURBED_NANOS = 9_000_000;

    /// Every so many time slices the global queue comes first.
    private static final int GLOBAL_CHECK_TICKS = 61;

    private static final int ENOUGH_ATTEMPTS = 5;
    private static final int MOST_ATTEMPTS = 3_000;

    /// What Go 1.27 prints for 400 goroutines when the first look at the queues happens at tick 18 of 61.
    private static final int GO_PROBE_PHASE = 18;

    @RegisterExtension
    final Schedulers schedulers = new Schedulers();

    /// How the test makes things that run.
    enum Kind {
        GOROUTINE {
            @Override
            void start(ThreadFactory factory, Runnable body) {
                Go.go(body::run);
            }
        },
        VIRTUAL_THREAD {
            @Override
            void start(ThreadFactory factory, Runnable body) {
                factory.newThread(body).start();
            }
        };

        abstract void start(ThreadFactory factory, Runnable body);
    }

    /// What runs on the one processor: everything here belongs to that processor's threads.
    private final class Experiment {
        final Scheduler scheduler = schedulers.procs(1);
        final ThreadFactory factory = scheduler.threadFactory();
        final Kind kind;
        final List<Integer> order = new ArrayList<>();

        /// The present time slice is younger than this.
        long sliceSince;

        Experiment(Kind kind) {
            this.kind = kind;
        }

        void start(Runnable body) {
            kind.start(factory, body);
        }

        void log(int number) {
            order.add(number);
        }

        /// Lets time slices go by until the next one is number `phase` modulo 61.
        void yieldUntilTick(int phase) {
            while (scheduler.stats().schedTicks()[0] % GLOBAL_CHECK_TICKS != phase) {
                beginSlice();
            }
        }

        /// The slice that runs afterwards began after the time noted here. A request to end the one before may
        /// have been pending, however short the time since: the yield honours it.
        private void beginSlice() {
            sliceSince = System.nanoTime();
            Go.gosched();
        }

        /// Parks until `order` has `size` entries; the one who logs the last entry unparks.
        void parkUntilLogged(int size) {
            while (order.size() < size) {
                LockSupport.park(this);
            }
        }

        /// Runs `body` on the processor, again and again, and returns the orders of those attempts in which no
        /// time slice can have ended. The body calls `begin` when what is to be measured begins; the time
        /// counts from the beginning of the slice in which it does.
        List<List<Integer>> undisturbed(Attempt body) throws InterruptedException {
            List<List<Integer>> results = new ArrayList<>();
            for (int attempt = 0; attempt < MOST_ATTEMPTS && results.size() < ENOUGH_ATTEMPTS; attempt++) {
                CountDownLatch done = new CountDownLatch(1);
                long[] times = new long[2];
                scheduler.go(() -> {
                    beginSlice();
                    start(() -> {
                        try {
                            order.clear();
                            body.run(() -> times[0] = sliceSince);
                            times[1] = System.nanoTime();
                        } finally {
                            done.countDown();
                        }
                    });
                });
                Schedulers.await(done, scheduler);
                assertThat(times[1]).as("the attempt came to its end").isNotZero();
                if (times[1] - times[0] < UNDISTURBED_NANOS) {
                    results.add(List.copyOf(order));
                }
            }
            assertThat(results).as("attempts without the end of a time slice").isNotEmpty();
            return results;
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run(Runnable begin);
    }

    /// Go: `for i := range n { go f(i) }`, then block. The last one is in runNext and runs first.
    private List<List<Integer>> spawn(Kind kind, int count, int phase) throws InterruptedException {
        Experiment experiment = new Experiment(kind);
        return experiment.undisturbed(begin -> {
            Thread spawner = Thread.currentThread();
            experiment.yieldUntilTick(phase);
            begin.run();
            for (int i = 0; i < count; i++) {
                int number = i;
                experiment.start(() -> {
                    experiment.log(number);
                    if (experiment.order.size() == count) {
                        LockSupport.unpark(spawner);
                    }
                });
            }
            experiment.parkUntilLogged(count);
        });
    }

    @ParameterizedTest
    @EnumSource
    void theYoungestRunsFirstAndTheOthersInTheirOrder(Kind kind) throws InterruptedException {
        assertThat(spawn(kind, 10, 0)).containsOnly(List.of(9, 0, 1, 2, 3, 4, 5, 6, 7, 8));
    }

    @ParameterizedTest
    @EnumSource
    void fourHundredRunInGosOrder(Kind kind) throws InterruptedException {
        List<Integer> probe = runs(
                399, 399, 257, 299, 0, 0, 300, 359, 1, 1, 360, 384, 386, 398, 2, 23, 129, 129, 24, 83, 130, 130, 84,
                127, 256, 256, 128, 128, 131, 255, 385, 385);

        assertThat(spawn(kind, 400, GO_PROBE_PHASE)).containsOnly(probe);
    }

    /// Beginning with the tick that looks at the global queue first, and with the one after it.
    @ParameterizedTest
    @EnumSource
    void fourHundredRunInGosOrderWhereverTheTicksBegin(Kind kind) throws InterruptedException {
        for (int phase : new int[] {0, 1, 37, 60}) {
            assertThat(spawn(kind, 400, phase)).as("phase %d", phase).containsOnly(orderOfSpawns(400, phase));
        }
    }

    @Test
    void theModelOfTheOrderSaysWhatGoSays() {
        assertThat(orderOfSpawns(400, GO_PROBE_PHASE)).startsWith(399, 257).endsWith(254, 255, 385);
        assertThat(orderOfSpawns(10, 0)).containsExactly(9, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    /// The threads are parked; one thread unparks them in the given order, and then blocks.
    private List<List<Integer>> ready(Kind kind, int... readied) throws InterruptedException {
        Experiment experiment = new Experiment(kind);
        int count = readied.length;
        return experiment.undisturbed(begin -> {
            Thread waker = Thread.currentThread();
            Thread[] parked = new Thread[count];
            boolean[] go = new boolean[count];
            for (int i = 0; i < count; i++) {
                int number = i;
                experiment.start(() -> {
                    parked[number] = Thread.currentThread();
                    while (!go[number]) {
                        LockSupport.park(experiment);
                    }
                    experiment.log(number);
                    if (experiment.order.size() == count) {
                        LockSupport.unpark(waker);
                    }
                });
            }
            while (IntStream.range(0, count).anyMatch(i -> parked[i] == null)) {
                Go.gosched();
            }
            experiment.yieldUntilTick(1);
            begin.run();
            for (int number : readied) {
                go[number] = true;
                LockSupport.unpark(parked[number]);
            }
            experiment.parkUntilLogged(count);
        });
    }

    @ParameterizedTest
    @EnumSource
    void theLastOneReadiedRunsFirst(Kind kind) throws InterruptedException {
        assertThat(ready(kind, 0, 1, 2)).containsOnly(List.of(2, 0, 1));
    }

    /// The order in which Go's Cond.Broadcast lets n waiters go: the last one first, then the others.
    @ParameterizedTest
    @EnumSource
    void broadcastLetsTheLastOneGoFirst(Kind kind) throws InterruptedException {
        assertThat(ready(kind, 0, 1, 2, 3, 4, 5)).containsOnly(List.of(5, 0, 1, 2, 3, 4));
    }

    /// The order in which close of a channel lets its receivers go: they are readied from the last to the
    /// first.
    @ParameterizedTest
    @EnumSource
    void closeLetsTheFirstOneGoFirstAndTheOthersBackwards(Kind kind) throws InterruptedException {
        assertThat(ready(kind, 5, 4, 3, 2, 1, 0)).containsOnly(List.of(0, 5, 4, 3, 2, 1));
    }

    /// How a thread waits at the channel that will be closed.
    enum WaitingFor {
        RECEIVE {
            @Override
            void await(int number, Chan<Integer> closed, Chan<Integer> other) throws InterruptedException {
                closed.receive();
            }
        },
        SEND {
            @Override
            void await(int number, Chan<Integer> closed, Chan<Integer> other) {
                assertThatThrownBy(() -> closed.send(number)).hasMessage("send on closed channel");
            }
        },
        SELECT_THAT_RECEIVES {
            @Override
            void await(int number, Chan<Integer> closed, Chan<Integer> other) throws InterruptedException {
                Select.select(Select.receive(other), Select.receive(closed));
            }
        },
        SELECT_THAT_SENDS {
            @Override
            void await(int number, Chan<Integer> closed, Chan<Integer> other) {
                assertThatThrownBy(() -> Select.select(Select.send(closed, number), Select.receive(other)))
                        .hasMessage("send on closed channel");
            }
        },
        RECEIVE_OR_SELECT {
            @Override
            void await(int number, Chan<Integer> closed, Chan<Integer> other) throws InterruptedException {
                (number % 2 == 0 ? RECEIVE : SELECT_THAT_RECEIVES).await(number, closed, other);
            }
        };

        abstract void await(int number, Chan<Integer> closed, Chan<Integer> other) throws InterruptedException;
    }

    /// What Go 1.27 prints for seven goroutines that wait at a channel in the order of their numbers, whatever
    /// they wait for there.
    @ParameterizedTest
    @CsvSource({
        "GOROUTINE, RECEIVE",
        "GOROUTINE, SEND",
        "GOROUTINE, SELECT_THAT_RECEIVES",
        "GOROUTINE, SELECT_THAT_SENDS",
        "GOROUTINE, RECEIVE_OR_SELECT",
        "VIRTUAL_THREAD, RECEIVE",
        "VIRTUAL_THREAD, SELECT_THAT_SENDS"
    })
    void closeOfAChannelWakesInGosOrder(Kind kind, WaitingFor waiting) throws InterruptedException {
        int count = 7;
        Experiment experiment = new Experiment(kind);
        List<List<Integer>> orders = experiment.undisturbed(begin -> {
            Thread closer = Thread.currentThread();
            Thread[] waiters = new Thread[count];
            Chan<Integer> closed = Chan.make();
            Chan<Integer> other = Chan.make();
            for (int i = 0; i < count; i++) {
                int number = i;
                experiment.start(() -> {
                    waiters[number] = Thread.currentThread();
                    try {
                        waiting.await(number, closed, other);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    experiment.log(number);
                    if (experiment.order.size() == count) {
                        LockSupport.unpark(closer);
                    }
                });
                while (waiters[i] == null || waiters[i].getState() != Thread.State.WAITING) {
                    Go.gosched();
                }
            }
            experiment.yieldUntilTick(1);
            begin.run();
            closed.close();
            experiment.parkUntilLogged(count);
        });

        assertThat(orders).containsOnly(List.of(0, 6, 5, 4, 3, 2, 1));
    }

    /// Waiters of a mutex are strictly first in, first out.
    @ParameterizedTest
    @EnumSource
    void waitersOfALockGetItInTheirOrder(Kind kind) throws InterruptedException {
        int count = 6;
        Experiment experiment = new Experiment(kind);
        List<List<Integer>> orders = experiment.undisturbed(begin -> {
            Thread owner = Thread.currentThread();
            ReentrantLock lock = new ReentrantLock();
            lock.lock();
            for (int i = 0; i < count; i++) {
                int number = i;
                experiment.start(() -> {
                    lock.lock();
                    experiment.log(number);
                    lock.unlock();
                    if (experiment.order.size() == count) {
                        LockSupport.unpark(owner);
                    }
                });
                while (lock.getQueueLength() <= i) {
                    Go.gosched();
                }
            }
            experiment.yieldUntilTick(1);
            begin.run();
            lock.unlock();
            experiment.parkUntilLogged(count);
        });

        assertThat(orders).containsOnly(List.of(0, 1, 2, 3, 4, 5));
    }

    /// Those who yield come after all that was runnable before, in the order in which they yielded: first
    /// everything in the local queue gets its turn, then the yielders.
    @ParameterizedTest
    @EnumSource
    void aYieldingThreadGoesToTheEndOfTheGlobalQueue(Kind kind) throws InterruptedException {
        int count = 5;
        Experiment experiment = new Experiment(kind);
        List<List<Integer>> orders = experiment.undisturbed(begin -> {
            experiment.yieldUntilTick(1);
            begin.run();
            for (int i = 0; i < count; i++) {
                int number = i;
                experiment.start(() -> {
                    experiment.log(number);
                    if (number % 2 == 0) {
                        Go.gosched();
                    } else {
                        Thread.yield();
                    }
                    experiment.log(10 + number);
                });
            }
            experiment.log(100);
            Go.gosched();
            experiment.log(200);
            while (experiment.order.size() < 2 * count + 2) {
                Go.gosched();
            }
        });

        assertThat(orders).containsOnly(List.of(100, 4, 0, 1, 2, 3, 200, 14, 10, 11, 12, 13));
    }

    /// More than the local queue holds: what it spilled to the global queue before the yield comes first, too.
    @ParameterizedTest
    @EnumSource
    void aYieldingThreadWaitsForTheGlobalQueue(Kind kind) throws InterruptedException {
        int count = 400;
        int yielder = -1;
        Experiment experiment = new Experiment(kind);
        List<List<Integer>> orders = experiment.undisturbed(begin -> {
            begin.run();
            for (int i = 0; i < count; i++) {
                int number = i;
                experiment.start(() -> {
                    experiment.log(number);
                    Go.gosched();
                });
            }
            Go.gosched();
            experiment.log(yielder);
        });

        assertThat(orders)
                .allSatisfy(order -> assertThat(order).hasSize(count + 1).endsWith(yielder));
    }

    /// A goroutine that is started after a yielder still runs before it: local before global.
    @ParameterizedTest
    @EnumSource
    void aYielderWaitsForWhatIsStartedWhileItWaits(Kind kind) throws InterruptedException {
        Experiment experiment = new Experiment(kind);
        List<List<Integer>> orders = experiment.undisturbed(begin -> {
            experiment.yieldUntilTick(1);
            begin.run();
            experiment.start(() -> {
                experiment.log(1);
                experiment.start(() -> {
                    experiment.log(2);
                    experiment.start(() -> experiment.log(3));
                });
            });
            Go.gosched();
            experiment.log(0);
        });

        assertThat(orders).containsOnly(List.of(1, 2, 3, 0));
    }

    /// `first, last` pairs, both inclusive.
    private static List<Integer> runs(int... bounds) {
        return IntStream.range(0, bounds.length / 2)
                .flatMap(i -> IntStream.rangeClosed(bounds[2 * i], bounds[2 * i + 1]))
                .boxed()
                .toList();
    }

    /// A model of one processor in plain collections: the order of `count` spawns when the spawner blocks at
    /// tick `phase`.
    private static List<Integer> orderOfSpawns(int count, int phase) {
        int capacity = 256;
        ArrayDeque<Integer> local = new ArrayDeque<>();
        ArrayDeque<Integer> global = new ArrayDeque<>();
        for (int displaced = 0; displaced < count - 1; displaced++) {
            if (local.size() == capacity) { // the older half, and the one that found no room
                for (int i = 0; i < capacity / 2; i++) {
                    global.add(local.remove());
                }
                global.add(displaced);
            } else {
                local.add(displaced);
            }
        }
        int next = count - 1;
        List<Integer> order = new ArrayList<>();
        int tick = phase;
        while (order.size() < count) {
            if (tick % GLOBAL_CHECK_TICKS == 0 && !global.isEmpty()) {
                order.add(global.remove());
                tick++;
            } else if (next >= 0) {
                order.add(next); // inherits the time slice: no tick
                next = -1;
            } else {
                if (local.isEmpty()) {
                    int batch = Math.min(capacity / 2, global.size());
                    for (int i = 0; i < batch; i++) {
                        local.add(global.remove());
                    }
                }
                order.add(local.remove());
                tick++;
            }
        }
        return order;
    }
}
