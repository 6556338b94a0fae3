package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.Go;
import dev.heddle.internal.jdk.Jdk;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Carriers that are blocked without a word: real reads of pipes, and waiting with a frame on the stack that cannot be
/// unmounted.
@EnabledOnOs(OS.LINUX)
class BlockingUndeclaredTest {

    /// A thousand carriers are made one after the other: a second's work, and minutes on a full machine.
    private static final Duration PATIENCE = Duration.ofSeconds(200);

    private static final long SLEEP_MILLIS = 200;
    private static final int SLEEPERS = 64;

    @TempDir
    Path folder;

    @Test
    void aThousandReadsOfAPipeDoNotStopOthers() throws Exception {
        int count = 1_000;
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo here");
        try (Rig rig = Rig.procs(2);
                // for reading and writing: neither this nor the readers' open waits for anybody
                RandomAccessFile writer = new RandomAccessFile(pipe.toFile(), "rw")) {
            AtomicInteger opened = new AtomicInteger();
            AtomicInteger read = new AtomicInteger();
            CountDownLatch readers = rig.startMany(count, () -> {
                try (FileInputStream in = new FileInputStream(pipe.toFile())) {
                    opened.incrementAndGet();
                    if (in.read() == 'x') {
                        read.incrementAndGet();
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            await("all of them read").atMost(PATIENCE).until(() -> opened.get() == count);
            long begin = System.nanoTime();
            rig.await(rig.goMany(count, BlockingUndeclaredTest::compute));
            System.out.printf(
                    "%d tasks among %d blocked reads on 2 processors: %d ms, %s%n",
                    count, count, millisSince(begin), handOffs(rig));
            assertThat(read.get()).isZero();

            byte[] letters = new byte[count];
            Arrays.fill(letters, (byte) 'x');
            writer.write(letters);
            rig.await(readers);
            assertThat(read.get()).isEqualTo(count);
            await("idle carriers end")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(rig.stats().threads()).isLessThan(20));
        }
    }

    private static void compute() {
        long end = System.nanoTime() + 100_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /// The ways to wait with a frame on the stack that keeps the thread on its carrier.
    enum Pinned {
        PARK(i -> {
            Jdk.pin();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS));
            Jdk.unpin();
        }),
        SLEEP(i -> {
            Jdk.pin();
            sleep();
            Jdk.unpin();
        }),
        OBJECT_WAIT(i -> {
            Object monitor = new Object();
            Jdk.pin();
            synchronized (monitor) {
                try {
                    monitor.wait(SLEEP_MILLIS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            Jdk.unpin();
        }),
        CLASS_INITIALISER(i -> {
            try {
                Class.forName(Slow.class.getName(), true, new CopyingLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }),
        NATIVE_FRAME(i -> NativeSort.callBack());

        final IntConsumer way;

        Pinned(IntConsumer way) {
            this.way = way;
        }
    }

    /// The stock scheduler with 2 carriers lets two of them sleep at a time.
    @ParameterizedTest
    @EnumSource(Pinned.class)
    void pinnedSleepersSleepAtTheSameTime(Pinned pinned) throws Exception {
        NativeSort.link(); // outside the measured time
        try (Rig rig = Rig.procs(2)) {
            AtomicInteger asleep = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            long begin = System.nanoTime();
            rig.await(rig.startMany(SLEEPERS, () -> {
                most.accumulateAndGet(asleep.incrementAndGet(), Math::max);
                pinned.way.accept(0);
                asleep.decrementAndGet();
            }));
            System.out.printf(
                    "%d times %d ms, pinned by %s: %d ms, at most %d at a time, %s%n",
                    SLEEPERS, SLEEP_MILLIS, pinned, millisSince(begin), most.get(), handOffs(rig));
            assertThat(most.get()).isGreaterThan(2);
        }
    }

    /// Waiting for a monitor while pinned: the owner sleeps, so they come one after the other, but others go on.
    @Test
    void aContendedMonitorWhilePinnedDoesNotStopOthers() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Object monitor = new Object();
            AtomicInteger inside = new AtomicInteger();
            CountDownLatch entered = rig.startMany(8, () -> {
                Jdk.pin();
                synchronized (monitor) {
                    inside.incrementAndGet();
                    LockSupport.parkNanos(20_000_000);
                }
                Jdk.unpin();
            });
            rig.await(rig.goMany(200, Go::gosched));
            rig.await(entered);
            assertThat(inside.get()).isEqualTo(8);
        }
    }

    /// A thread that waits while another thread initialises a class is pinned as well.
    @Test
    void waitingForAClassInitialiserDoesNotStopOthers() throws Exception {
        try (Rig rig = Rig.procs(2)) {
            ClassLoader loader = new CopyingLoader();
            CountDownLatch initialised = rig.startMany(16, () -> {
                try {
                    Class.forName(Slow.class.getName(), true, loader);
                } catch (ClassNotFoundException e) {
                    throw new IllegalStateException(e);
                }
            });
            rig.await(rig.goMany(200, Go::gosched));
            rig.await(initialised);
        }
    }

    /// Whether a thread is blocked is known only after a look or two; one that blocks for moments keeps its
    /// processor.
    @Test
    void shortPinnedWaitsLoseNothing() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.startMany(16, () -> {
                for (int i = 0; i < 50; i++) {
                    Jdk.pin();
                    LockSupport.parkNanos(50_000 + i * 20_000L);
                    Jdk.unpin();
                    Thread.yield();
                }
            }));
        }
    }

    /// A thread that has been in user code for long, and sleeps for moments now and then, is not blocked for
    /// long: it keeps its processor while nothing waits. A round counts if none of the sleeps lasted long.
    @Test
    void manyShortSleepsAreNotOneLongBlock() throws InterruptedException {
        AtomicLong longest = new AtomicLong();
        long handOffs;
        do {
            longest.set(0);
            try (Rig rig = Rig.procs(2)) {
                rig.await(rig.startMany(1, () -> {
                    Jdk.pin();
                    for (int i = 0; i < 100; i++) {
                        long begin = System.nanoTime();
                        LockSupport.parkNanos(3_000_000);
                        longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
                    }
                    Jdk.unpin();
                }));
                handOffs = rig.stats().undeclaredHandOffs();
            }
        } while (longest.get() >= 10_000_000);
        assertThat(handOffs).isZero();
    }

    private static String handOffs(Rig rig) {
        return rig.stats().undeclaredHandOffs() + " hand-offs for blocking, "
                + rig.stats().hogHandOffs() + " for computing";
    }

    private static long millisSince(long begin) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    private static void sleep() {
        try {
            Thread.sleep(SLEEP_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A class whose initialiser takes its time.
    static final class Slow {
        static final long INITIALISED = slowly();

        private Slow() {}

        /// All of it here: its copies have another loader than this test, and no access to it.
        private static long slowly() {
            try {
                Thread.sleep(SLEEP_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return System.nanoTime();
        }
    }

    /// Defines its own copy of [Slow], so that it can be initialised once more.
    private static final class CopyingLoader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Slow.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                String resource = name.replace('.', '/') + ".class";
                try (var in = BlockingUndeclaredTest.class.getClassLoader().getResourceAsStream(resource)) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(
                            name, bytes, 0, bytes.length, BlockingUndeclaredTest.class.getProtectionDomain());
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    /// The C library's qsort, whose comparison calls back into Java and sleeps there: a frame of native code lies
    /// below.
    @SuppressWarnings("restricted") // a native frame is what it is for
    private static final class NativeSort {
        private static final AddressLayout ELEMENT = ValueLayout.ADDRESS;
        private static final MethodHandle SORT = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("qsort"),
                        FunctionDescriptor.ofVoid(ELEMENT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ELEMENT));
        private static final MemorySegment COMPARE = compare();

        private NativeSort() {}

        static void link() {
            assertThat(COMPARE.address()).isNotZero();
        }

        private static MemorySegment compare() {
            try {
                MethodHandle handle = MethodHandles.lookup()
                        .findStatic(
                                NativeSort.class,
                                "sleepThenCompare",
                                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
                return Linker.nativeLinker()
                        .upcallStub(
                                handle, FunctionDescriptor.of(ValueLayout.JAVA_INT, ELEMENT, ELEMENT), Arena.global());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        private static int sleepThenCompare(MemorySegment left, MemorySegment right) {
            sleep();
            return 0;
        }

        /// Sorts two bytes: one comparison.
        static void callBack() {
            try (Arena arena = Arena.ofConfined()) {
                SORT.invokeExact(arena.allocate(2), 2L, 1L, COMPARE);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
