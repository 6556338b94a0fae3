package dev.heddle;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static dev.heddle.Select.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations by mixed threads on a few channels, which are closed and replaced meanwhile while threads are
/// interrupted. In the end every value that was reported as sent has been received once, and no other has.
///
/// `-Dheddle.chan.operations=10000000` makes it long; `-Dheddle.seed=N` repeats a choice of operations.
@Tag("stress")
class ChanStressTest {
    private static final int OPERATIONS = Integer.getInteger("heddle.chan.operations", 300_000);
    private static final long SEED = Long.getLong("heddle.seed", System.nanoTime());
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final int[] CAPACITIES = {0, 0, 1, 3, 16};

    private final AtomicReferenceArray<Chan<Integer>> chans = new AtomicReferenceArray<>(CAPACITIES.length);
    private final byte[] sent = new byte[OPERATIONS * 4]; // a select may try several values
    private final byte[] received = new byte[OPERATIONS * 4];
    private final AtomicInteger values = new AtomicInteger();
    private final AtomicInteger undelivered = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(ints = {3, 40})
    void everyValueIsDeliveredOnceOrReportedUndelivered(int threads) throws Exception {
        System.out.println("ChanStressTest: " + OPERATIONS + " operations, seed " + SEED);
        for (int i = 0; i < CAPACITIES.length; i++) {
            chans.set(i, Chan.make(CAPACITIES[i]));
        }
        var workers = new ArrayList<Started<Void>>();
        running.set(threads);
        for (int i = 0; i < threads; i++) {
            var random = new SplittableRandom(SEED + i);
            int share = OPERATIONS / threads / 2; // both parameters together make up OPERATIONS
            Callable<Void> body = () -> work(random, share);
            workers.add(i % 4 == 0 ? Started.platform(body) : Started.virtual(body));
        }
        disturb(workers);
        for (var worker : workers) {
            worker.get();
        }
        for (int i = 0; i < CAPACITIES.length; i++) {
            closeAndDrain(chans.get(i));
        }
        int delivered = 0;
        for (int value = 0; value < values.get(); value++) {
            assertThat(received[value])
                    .as("receives of value %d, seed %d", value, SEED)
                    .isEqualTo(sent[value]);
            assertThat(sent[value]).isLessThanOrEqualTo((byte) 1);
            delivered += sent[value];
        }
        assertThat(delivered + undelivered.get()).isEqualTo(values.get());
        assertThat(delivered).isPositive();
        assertThat(undelivered).hasPositiveValue();
    }

    private Void work(SplittableRandom random, int operations) {
        for (int i = 0; i < operations; i++) {
            try {
                operate(random);
            } catch (InterruptedException _) {
                // reported where it matters
            }
        }
        running.decrementAndGet();
        return null;
    }

    private void operate(SplittableRandom random) throws InterruptedException {
        Chan<Integer> chan = any(random);
        int dice = random.nextInt(100);
        if (dice == 0) {
            replace(random.nextInt(CAPACITIES.length));
        } else if (dice < 25) {
            sendOne(chan, /* blocking= */ true);
        } else if (dice < 35) {
            sendOne(chan, /* blocking= */ false);
        } else if (dice < 60) {
            got(chan.receive());
        } else if (dice < 70) {
            got(chan.tryReceive());
        } else {
            selectSome(random);
        }
    }

    private void sendOne(Chan<Integer> chan, boolean blocking) throws InterruptedException {
        int value = values.getAndIncrement();
        boolean done = false;
        try {
            if (blocking) {
                chan.send(value);
                done = true;
            } else {
                done = chan.trySend(value);
            }
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("send on closed channel");
        } finally {
            reportSend(value, done);
        }
    }

    private void selectSome(SplittableRandom random) throws InterruptedException {
        var cases = new Select.Case[1 + random.nextInt(4)];
        var value = new int[cases.length];
        for (int i = 0; i < cases.length; i++) {
            value[i] = -1;
            if (i == 0 && random.nextInt(4) == 0) {
                cases[i] = random.nextBoolean() ? orElse() : timeout(Duration.ofNanos(random.nextInt(50_000)));
            } else if (random.nextBoolean()) {
                cases[i] = receive(any(random));
            } else {
                value[i] = values.getAndIncrement();
                cases[i] = send(any(random), value[i]);
            }
        }
        Select.Case chosen = null;
        try {
            chosen = select(cases);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("send on closed channel");
        } finally {
            for (int i = 0; i < cases.length; i++) {
                if (value[i] >= 0) {
                    reportSend(value[i], cases[i] == chosen && chosen instanceof Select.Send<?>);
                } else if (cases[i] == chosen && chosen instanceof Select.Receive<?> in) {
                    got((Integer) in.value());
                }
            }
        }
    }

    private void replace(int index) {
        Chan<Integer> old = chans.getAndSet(index, Chan.make(CAPACITIES[index]));
        closeAndDrain(old);
    }

    private void closeAndDrain(Chan<Integer> chan) {
        chan.close();
        while (chan.poll() instanceof Received.Value<Integer>(Integer value)) {
            got(value);
        }
    }

    /// Interrupts random workers, so that no worker waits for ever.
    private void disturb(ArrayList<Started<Void>> workers) {
        var random = new SplittableRandom(SEED);
        while (running.get() > 0) {
            workers.get(random.nextInt(workers.size())).thread.interrupt();
            Thread.yield();
        }
    }

    private Chan<Integer> any(SplittableRandom random) {
        return chans.get(random.nextInt(CAPACITIES.length));
    }

    private void got(Integer value) {
        if (value != null) {
            BYTES.getAndAdd(received, (int) value, (byte) 1);
        }
    }

    private void reportSend(int value, boolean done) {
        if (done) {
            BYTES.getAndAdd(sent, value, (byte) 1);
        } else {
            undelivered.incrementAndGet();
        }
    }

    /// Many threads on one unbuffered channel: the queue of waiters and the lock are contended, nothing else
    /// happens.
    @Test
    void aPopularChannelLosesNothing() throws Exception {
        Chan<Integer> chan = Chan.make();
        int pairs = 50;
        int each = OPERATIONS / pairs / 10;
        var receivers = new ArrayList<Started<Long>>();
        var senders = new ArrayList<Started<Void>>();
        for (int i = 0; i < pairs; i++) {
            senders.add(Started.virtual(() -> {
                for (int n = 1; n <= each; n++) {
                    chan.send(n);
                }
                return null;
            }));
            receivers.add(Started.virtual(() -> {
                long sum = 0;
                for (int n = 1; n <= each; n++) {
                    sum += chan.receive();
                }
                return sum;
            }));
        }
        long sum = 0;
        for (var receiver : receivers) {
            sum += receiver.get();
        }
        for (var sender : senders) {
            sender.get();
        }
        assertThat(sum).isEqualTo(pairs * (each * (each + 1L) / 2));
    }
}
