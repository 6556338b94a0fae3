package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever happens to its threads, the scheduler loses nothing and goes on. (That it never asks the wall clock, whose
/// steps would matter, is a rule of ArchitectureTest.)
class FaultTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// The JVM's own complaints about memory go to standard output otherwise.
    private static final String[] SMALL_AND_QUIET = {"-Xmx24m", "-Xlog:disable"};

    @TempDir
    private Path folder;

    private static final class Custom extends Error {
        private static final long serialVersionUID = 1;
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    @SuppressWarnings("removal")
    private static Throwable anything(int number) {
        return switch (number % 6) {
            case 0 -> new OutOfMemoryError("a test");
            case 1 -> new StackOverflowError("a test");
            case 2 -> new ThreadDeath();
            case 3 -> new Custom();
            case 4 -> new InterruptedException("a test");
            default -> new IllegalStateException("a test");
        };
    }

    @Test
    void tasksMayThrowAnything() throws InterruptedException {
        int count = 600;
        AtomicInteger caught = new AtomicInteger();
        Thread.UncaughtExceptionHandler counting = (_, _) -> caught.incrementAndGet();
        Scheduler scheduler =
                Scheduler.builder().procs(2).uncaughtExceptionHandler(counting).build();
        try (Rig rig = Rig.of(scheduler)) {
            for (int i = 0; i < count; i++) {
                int number = i;
                rig.go(() -> {
                    if (number % 2 == 0) {
                        Go.gosched();
                    }
                    throw anything(number);
                });
                Thread thread = scheduler.threadFactory().newThread(() -> {
                    Thread.yield();
                    throw FaultTest.<RuntimeException>sneaky(anything(number));
                });
                thread.setUncaughtExceptionHandler(counting);
                thread.start();
            }
            await().atMost(PATIENCE).until(() -> caught.get() == 2 * count);
        }
    }

    /// A handler that throws affects no other goroutine.
    @Test
    void handlersMayThrowToo() throws InterruptedException {
        AtomicInteger called = new AtomicInteger();
        Scheduler scheduler = Scheduler.builder()
                .procs(1)
                .uncaughtExceptionHandler((_, failure) -> {
                    called.incrementAndGet();
                    throw new IllegalStateException(failure);
                })
                .build();
        try (Rig rig = Rig.of(scheduler)) {
            for (int i = 0; i < 50; i++) {
                rig.go(() -> {
                    throw new Custom();
                });
            }
            await().atMost(PATIENCE).until(() -> called.get() == 50);
        }
    }

    /// N6: stacks that end inside the kernel, at every depth. This program ends the stock scheduler within moments.
    @Test
    void stacksMayEndInsideTheKernel() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            AtomicBoolean stop = new AtomicBoolean();
            List<Thread> parked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                parked.add(rig.start(() -> {
                    while (!stop.get()) {
                        LockSupport.park();
                    }
                }));
            }
            AtomicInteger overflows = new AtomicInteger();
            rig.await(rig.startMany(20, () -> {
                try {
                    descend(parked, 0);
                } catch (StackOverflowError _) {
                    overflows.incrementAndGet();
                }
            }));
            assertThat(overflows.get()).isPositive();
            stop.set(true);
            for (Thread thread : parked) {
                LockSupport.unpark(thread);
                rig.join(thread);
            }
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static int descend(List<Thread> parked, int depth) {
        LockSupport.unpark(parked.get(depth % parked.size()));
        return 1 + descend(parked, depth + 1);
    }

    private static volatile boolean woken;
    private static boolean hasUnparked;

    /// A thread that is unparked where the stack has no room for it is kept for its machine, and the machine's
    /// thread goes on with something that takes long: others bring it.
    @Test
    void whatWasRescuedDoesNotWaitForItsMachine() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            woken = false;
            hasUnparked = false;
            Thread parked = rig.start(() -> {
                while (!woken) {
                    LockSupport.park();
                    woken = true;
                }
            });
            await().atMost(PATIENCE).until(() -> parked.getState() == Thread.State.WAITING);
            Thread diver = rig.start(() -> {
                Jdk.pin();
                unparkAtTheEnd(parked);
                Jdk.unpin();
            });
            rig.join(diver);
            rig.join(parked);
            assertThat(rig.stats().rescued()).isPositive();
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static void unparkAtTheEnd(Thread parked) {
        try {
            unparkAtTheEnd(parked);
        } catch (StackOverflowError _) {
            // here is the end
        }
        if (!hasUnparked) {
            try {
                rescue(parked);
                hasUnparked = true;
                while (!woken) {
                    // without a call, let alone an entry
                }
            } catch (StackOverflowError _) {
                // a little higher, then
            }
        }
    }

    /// As the JDK does after it has noted that the thread is runnable; not by its unpark, in which a thread can be
    /// lost.
    private static void rescue(Thread parked) {
        LockSupport.unpark(parked);
        if (!woken) {
            Jdk.poolOf(parked).execute(Jdk.resumeTaskOf(parked));
        }
    }

    /// Stacks that end while goroutines are started: each either starts or its spawner gets the error.
    @Test
    void stacksMayEndInGo() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger started = new AtomicInteger();
            rig.await(rig.startMany(10, () -> {
                Jdk.pin(); // a yield would move the stack to the heap, and it would never end
                try {
                    spawnDescending(rig, started, ran);
                } catch (StackOverflowError _) {
                    // that one has not started
                } finally {
                    Jdk.unpin();
                }
            }));
            await().atMost(PATIENCE).until(() -> rig.stats().live() == 0);
            assertThat(ran.get()).isEqualTo(started.get());
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static int spawnDescending(Rig rig, AtomicInteger started, AtomicInteger ran) {
        rig.go(ran::incrementAndGet);
        started.incrementAndGet();
        return 1 + spawnDescending(rig, started, ran);
    }

    /// Stack overflows inside yields, with no other goroutine to yield to: the processor's word must not stay
    /// in state KERNEL.
    @Test
    void stacksMayEndInGosched() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            AtomicInteger overflows = new AtomicInteger();
            for (int round = 0; round < 10; round++) {
                rig.await(rig.startMany(1, () -> {
                    Jdk.pin();
                    try {
                        yieldDescending();
                    } catch (StackOverflowError _) {
                        overflows.incrementAndGet();
                    } finally {
                        Jdk.unpin();
                    }
                }));
            }
            assertThat(overflows.get()).isEqualTo(10);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static int yieldDescending() {
        Go.gosched();
        return 1 + yieldDescending();
    }

    /// Each thread interrupts random other threads, and also their carriers, which any code can find.
    @Test
    void interruptsFromAllSides() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger interrupted = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                threads.add(rig.start(() -> {
                    for (int round = 0; !stop.get(); round++) {
                        try {
                            switch (round % 3) {
                                case 0 -> Thread.sleep(1);
                                case 1 -> Thread.yield();
                                default -> {
                                    Jdk.pin();
                                    LockSupport.parkNanos(100_000);
                                    Jdk.unpin();
                                }
                            }
                        } catch (InterruptedException _) {
                            interrupted.incrementAndGet();
                        }
                        boolean _ = Thread.interrupted();
                    }
                }));
            }
            long end = System.nanoTime() + 500_000_000;
            while (System.nanoTime() < end) {
                threads.forEach(Thread::interrupt);
                for (Thread platform : Thread.getAllStackTraces().keySet()) {
                    if (platform.getName().startsWith(rig.scheduler().name() + "-")) {
                        platform.interrupt();
                    }
                }
            }
            stop.set(true);
            for (Thread thread : threads) {
                rig.join(thread);
            }
            assertThat(interrupted.get()).isPositive();
        }
    }

    /// N9: every pause makes all ticks look old and all carriers asleep.
    @Test
    void garbageCollectionsAndSafepointsAreNotMistakenForBlocking() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger rounds = new AtomicInteger();
            CountDownLatch done = rig.startMany(4, () -> {
                while (!stop.get()) {
                    rounds.incrementAndGet();
                    Thread.yield();
                    LockSupport.parkNanos(1_000);
                }
            });
            long end = System.nanoTime() + 500_000_000;
            while (System.nanoTime() < end || rounds.get() == 0) { // on a busy computer the threads may start late
                System.gc();
                assertThat(Thread.getAllStackTraces()).isNotEmpty();
            }
            stop.set(true);
            rig.await(done);
            assertThat(rig.stats().threads()).isLessThan(30);
        }
    }

    private static LiveJvm start(String program, String... options) throws IOException {
        return ChildJvm.of(FaultPrograms.class, program)
                .option("-XX:+UseSerialGC")
                .option(options)
                .start();
    }

    @Test
    void aStoppedProcessGoesOn() throws Exception {
        try (LiveJvm jvm = start("work")) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            for (int i = 0; i < 10; i++) {
                jvm.signal("STOP");
                Thread.sleep(20 + 10 * i);
                jvm.signal("CONT");
                Thread.sleep(10);
            }
            jvm.send("stop");
            assertThat(jvm.readLine()).isEqualTo("sound");
        }
    }

    /// The JDK's process reaper has a stack of 128 KB, most of it reserved. It unparks the thread that waits
    /// for the process, here in a JVM that has not linked the kernel's code yet.
    @Test
    void threadsWithLittleStackMayUnpark() throws Exception {
        try (LiveJvm jvm = start("littleStack")) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("sound");
        }
    }

    @Test
    void memoryMayRunOutWhileThreadsAreStarted() throws Exception {
        try (LiveJvm jvm = start("spawnWithoutMemory", SMALL_AND_QUIET)) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("sound");
        }
    }

    @Test
    void memoryMayRunOutWhileThreadsRun() throws Exception {
        try (LiveJvm jvm = start("runWithoutMemory", SMALL_AND_QUIET)) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("sound");
        }
    }

    /// Events may be dropped, and are counted then; the file ends well, or one sentence says why not.
    @ParameterizedTest
    @ValueSource(strings = {"spawnWithoutMemory", "runWithoutMemory"})
    void memoryMayRunOutWhileEventsAreRecorded(String program) throws Exception {
        Path file = folder.resolve("a.trace");
        String errors;
        try (LiveJvm jvm =
                start(program, "-Xmx32m", "-Xlog:disable", "-Dheddle.trace=" + file, "-Dheddle.stacks=every:3")) {
            assertThat(jvm.readLine()).as(jvm.err()).isEqualTo("sound");
            assertThat(jvm.waitFor()).as(jvm.err()).isZero();
            errors = jvm.err();
        }
        List<String> lines = errors.lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(1);
        if (lines.isEmpty() || lines.getFirst().startsWith("heddle: the trace " + file + " lacks ")) {
            TestRecording.Content content = TestRecording.decode(Files.readAllBytes(file));
            assertThat(content.end()).isPositive();
            assertThat(content.dropped() > 0).isEqualTo(!lines.isEmpty());
            if (content.dropped() == 0) {
                TraceCheck.check(content);
            }
        } else {
            assertThat(errors).startsWith("heddle: the trace cannot be written to " + file);
        }
    }
}
