package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.internal.jdk.Jdk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.Blocker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocking operations that say so: the JDK's own pairs of begin and end, and [Go#blocking].
class BlockingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /// Go: TestPreemptionAfterSyscall.
    @ParameterizedTest
    @ValueSource(longs = {10, 100, 1000})
    void allThreadsGoOnAfterBlocking(long micros) throws InterruptedException {
        int threads = 8;
        int rounds = 100;
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.startMany(threads, () -> {
                for (int i = 0; i < rounds; i++) {
                    boolean attempted = Blocker.begin();
                    Jdk.parkCarrier(micros * 1_000);
                    Blocker.end(attempted);
                }
            }));
        }
    }

    @Test
    void theProcessorOfADeclaredBlockGoesToOthers() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Semaphore release = new Semaphore(0);
            Thread blocker = rig.startDeclaredBlock(release);
            rig.await(rig.goMany(100, Go::gosched));
            assertThat(rig.stats().blockedHandOffs()).isPositive();
            release.release();
            rig.join(blocker);
        }
    }

    /// The thread unmounts between `begin` and `end`, so `end` runs on another carrier. There another thread
    /// may be between its own `begin` and `end`.
    @Test
    void anEndOnAnotherCarrierDoesNoHarm() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Set<Thread> carriers = ConcurrentHashMap.newKeySet();
            rig.await(rig.startMany(16, () -> {
                for (int i = 0; i < 200 || carriers.size() < 2; i++) { // the second carrier has to be made first
                    boolean attempted = Blocker.begin();
                    if (i % 2 == 0) {
                        Thread.yield();
                    } else {
                        LockSupport.parkNanos(1_000);
                    }
                    carriers.add(Jdk.currentCarrierThread());
                    Blocker.end(attempted);
                    Blocker.end(attempted); // one too many does nothing
                }
            }));
        }
    }

    @Test
    void theJdksDeclaredOperationsWorkAmongOthers() throws InterruptedException {
        AtomicInteger files = new AtomicInteger();
        try (Rig rig = Rig.procs(2)) {
            CountDownLatch writers = rig.startMany(8, () -> {
                String name = "file" + files.incrementAndGet();
                try (RandomAccessFile file =
                                new RandomAccessFile(folder.resolve(name).toFile(), "rws");
                        FileChannel channel = FileChannel.open(
                                folder.resolve(name),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.DSYNC)) {
                    for (int i = 0; i < 5; i++) {
                        file.write(i);
                        file.getFD().sync();
                        channel.write(ByteBuffer.allocate(10));
                        channel.force(true);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            CountDownLatch others = rig.goMany(200, Go::gosched);
            rig.await(writers);
            rig.await(others);
        }
        assertThat(files.get()).isEqualTo(8);
    }

    /// Before the operation begins, and not when the monitor finds that it lasts: inside it the machine has none.
    @Test
    void goBlockingGivesTheProcessorAwayAtOnce() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicReference<Processor> inside = new AtomicReference<>();
            AtomicInteger state = new AtomicInteger();
            AtomicBoolean othersRan = new AtomicBoolean();
            CountDownLatch done = rig.startMany(
                    1,
                    () -> uninterruptedly(() -> {
                        Machine machine = (Machine) Jdk.currentCarrierThread();
                        inside.set(machine.p);
                        state.set(Word.state(machine.word()));
                        rig.start(() -> othersRan.set(true)); // there is one processor, and we still block the carrier
                        while (!othersRan.get()) {
                            Thread.onSpinWait();
                        }
                        return 0;
                    }));
            rig.await(done);
            assertThat(inside.get()).isNull();
            assertThat(state.get()).isEqualTo(Word.NONE);
        }
    }

    @Test
    void goBlockingReturnsAndThrowsWhatTheOperationDoes() throws Exception {
        assertThat(Go.blocking(() -> "from a platform thread")).isEqualTo("from a platform thread");
        assertThatThrownBy(() -> Go.blocking(() -> {
                    throw new IOException("as it is");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("as it is");
        try (Rig rig = Rig.procs(1)) {
            AtomicReference<Object> seen = new AtomicReference<>();
            rig.join(rig.start(() -> seen.set(uninterruptedly(() -> uninterruptedly(() -> "nested")))));
            assertThat(seen.get()).isEqualTo("nested");
            rig.join(rig.start(() -> {
                try {
                    Go.blocking(() -> {
                        throw new IOException("on a virtual one");
                    });
                } catch (Exception e) {
                    seen.set(e);
                }
            }));
            assertThat(seen.get()).isInstanceOf(IOException.class);
        }
    }

    /// The operation may park its thread after all, and come back on another carrier.
    @Test
    void anOperationOfGoBlockingMayUnmount() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.startMany(100, () -> {
                for (int i = 0; i < 20; i++) {
                    uninterruptedly(() -> {
                        LockSupport.parkNanos(1_000);
                        Thread.yield();
                        return 0;
                    });
                }
            }));
        }
    }

    /// N15: a thousand carriers come back at the same moment, and there are two processors.
    @Test
    void aThousandReleasedAtOnceAllGoOn() throws InterruptedException {
        int count = 1_000;
        try (Rig rig = Rig.procs(2)) {
            AtomicBoolean open = new AtomicBoolean();
            CountDownLatch blocked = new CountDownLatch(count);
            AtomicInteger after = new AtomicInteger();
            CountDownLatch done = rig.startMany(count, () -> {
                uninterruptedly(() -> {
                    blocked.countDown();
                    while (!open.get()) {
                        Jdk.parkCarrier(20_000_000);
                    }
                    return 0;
                });
                after.incrementAndGet();
                Thread.yield();
            });
            rig.await(blocked);
            assertThat(rig.stats().threads()).isGreaterThanOrEqualTo(count);
            open.set(true);
            rig.await(done);
            assertThat(after.get()).isEqualTo(count);
            await("idle carriers end")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(rig.stats().threads()).isLessThan(20));
        }
    }

    /// A thread that finds no processor when its operation ends waits for its turn; it does not go on without one.
    @Test
    void afterGoBlockingAThreadHasAProcessor() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            for (int round = 0; round < 10; round++) {
                AtomicBoolean computing = new AtomicBoolean();
                AtomicBoolean ended = new AtomicBoolean();
                AtomicReference<Processor> after = new AtomicReference<>();
                CountDownLatch done = rig.startMany(1, () -> {
                    uninterruptedly(() -> {
                        rig.start(() -> {
                            computing.set(true);
                            while (!ended.get()) {
                                Thread.onSpinWait(); // has the only processor, for at least one slice
                            }
                        });
                        while (!computing.get()) {
                            Thread.onSpinWait();
                        }
                        return 0;
                    });
                    after.set(((Machine) Jdk.currentCarrierThread()).p);
                    ended.set(true);
                });
                rig.await(done);
                assertThat(after.get()).isNotNull();
            }
        }
    }

    private static <T> T uninterruptedly(Callable<T> operation) {
        try {
            return Go.blocking(operation);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
