package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.LinuxCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that compute without end and without a scheduling point do not keep other threads from running.
class HogTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(ints = {8, 32, 100})
    void aTickerGoesOnAmongHogs(int hogs) throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            CountDownLatch ended = rig.startHogs(hogs);
            CountDownLatch ticks = new CountDownLatch(50); // how late they are is a row of `heddle bench`
            rig.start(() -> {
                while (ticks.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000);
                    ticks.countDown();
                }
            });
            rig.await(ticks);
            rig.relax();
            rig.await(ended);
        }
    }

    @Test
    void newThreadsRunAmongHogs() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            rig.startHogs(4);
            rig.await(rig.goMany(500, () -> {}));
            rig.await(rig.startMany(500, Thread::yield));
        }
    }

    /// Hogs that end give their extra carriers back at once: a demoted thread cannot be used for anything else.
    @Test
    void extraCarriersAreGivenBack() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            CountDownLatch ended = rig.startHogs(12);
            rig.await(rig.goMany(100, () -> LockSupport.parkNanos(1_000_000)));
            assertThat(rig.stats().threads()).isGreaterThan(12);
            assertThat(rig.stats().hogHandOffs()).isGreaterThanOrEqualTo(10);
            rig.relax();
            rig.await(ended);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(rig.kernel().counters.freeHogs).isZero();
                assertThat(rig.stats().threads()).isLessThanOrEqualTo(6);
            });
        }
    }

    /// A machine that wakes up interrupts a hog because the hog's slice is longer.
    @Test
    @EnabledOnOs(OS.LINUX)
    void aHogGetsALongSliceWhenItsProcessorIsTaken() throws InterruptedException {
        LinuxCalls calls = LinuxCalls.load(Jdk::allowNativeAccess);
        boolean hasSlices = calls.slice(0) > 0; // Linux 6.12 and later
        try (Rig rig = Rig.procs(2)) {
            getReady(rig);
            rig.startHogs(2);
            rig.await(rig.goMany(1, () -> {})); // has to wait for a processor of theirs
            Machine hog = machineWithLongSlice(rig.kernel());
            assertThat(calls.slice(hog.probe.threadId())).isEqualTo(hasSlices ? Demoter.HOG_SLICE_NANOS : 0);
        }
    }

    /// The machine of a hog that was not demoted goes on after the turn, with the usual slice.
    @Test
    @EnabledOnOs(OS.LINUX)
    void theLongSliceEndsWithTheTurn() throws InterruptedException {
        LinuxCalls calls = LinuxCalls.load(Jdk::allowNativeAccess);
        long usual = calls.slice(0);
        try (Rig rig = Rig.procs(1)) {
            getReady(rig);
            List<Machine> machines = machines(rig.kernel());
            for (Machine machine : machines) {
                rig.kernel().monitor.demoter().lengthenSlice(machine);
                assertThat(calls.slice(machine.probe.threadId())).isEqualTo(usual > 0 ? Demoter.HOG_SLICE_NANOS : 0);
            }
            rig.await(rig.goMany(1, () -> {})); // on one of them
            await("the usual slice")
                    .atMost(PATIENCE)
                    .until(() -> machines.stream()
                            .anyMatch(it -> it.sliceLengthenedBy == null && calls.slice(it.probe.threadId()) == usual));
        }
    }

    private static void getReady(Rig rig) throws InterruptedException {
        rig.await(rig.goMany(1, () -> {}));
        await("ready for hogs")
                .atMost(PATIENCE)
                .until(() -> rig.kernel().monitor.demoter().ability() == Demoter.Ability.READY);
    }

    private static Machine machineWithLongSlice(Kernel kernel) {
        return machines(kernel).stream()
                .filter(it -> it.sliceLengthenedBy != null)
                .findAny()
                .orElseThrow();
    }

    private static List<Machine> machines(Kernel kernel) {
        List<Machine> machines = new ArrayList<>();
        for (Machine machine = kernel.allMachines.first(); machine != null; machine = machine.listNext) {
            machines.add(machine);
        }
        assertThat(machines).isNotEmpty();
        return machines;
    }

    @Test
    void aHogInsideSynchronizedDelaysOnlyThreadsThatWantItsMonitor() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Object monitor = new Object();
            CountDownLatch begun = new CountDownLatch(2);
            CountDownLatch entered = new CountDownLatch(1);
            for (Object lock : new Object[] {monitor, new Object()}) {
                rig.start(() -> {
                    synchronized (lock) {
                        begun.countDown();
                        rig.hog();
                    }
                });
            }
            rig.await(begun);
            rig.start(() -> {
                synchronized (monitor) {
                    entered.countDown();
                }
            });
            rig.await(rig.startMany(100, Thread::yield));
            assertThat(entered.getCount()).isOne();
            rig.relax();
            rig.await(entered);
        }
    }

    /// N11: with all processors idle the monitor sleeps for up to a minute. Two requests that then take both
    /// processors must not be alone.
    @Test
    void hogsArriveThroughSocketsAtASchedulerThatSlept() throws Exception {
        try (Rig rig = Rig.procs(2);
                ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CountDownLatch hogging = new CountDownLatch(2);
            CountDownLatch served = new CountDownLatch(3);
            rig.start(() -> acceptThree(rig, server, hogging, served));
            await("deep sleep of the monitor").atMost(PATIENCE).until(rig.kernel().monitor::isDeep);
            try (Socket first = connect(server);
                    Socket second = connect(server)) {
                first.getOutputStream().write('h');
                second.getOutputStream().write('h');
                rig.await(hogging);
                try (Socket third = connect(server)) {
                    third.getOutputStream().write('e');
                    assertThat(third.getInputStream().read()).isEqualTo('e');
                }
                rig.relax();
                assertThat(first.getInputStream().read()).isEqualTo('h');
                assertThat(second.getInputStream().read()).isEqualTo('h');
            }
            rig.await(served);
        }
    }

    private static void acceptThree(Rig rig, ServerSocket server, CountDownLatch hogging, CountDownLatch served) {
        for (int i = 0; i < 3; i++) {
            Socket socket = quietly(server::accept);
            rig.start(() -> {
                try (socket) {
                    int request = socket.getInputStream().read();
                    if (request == 'h') {
                        hogging.countDown();
                        rig.hog();
                    }
                    socket.getOutputStream().write(request);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                served.countDown();
            });
        }
    }

    /// A machine loses its processor to the system monitor, and then its thread waits for a socket. Some other
    /// machine must wait for that socket.
    @Test
    void aHogThatThenReadsASocketIsWoken() throws Exception {
        try (Rig rig = Rig.procs(1);
                ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Socket client = connect(server);
                Socket accepted = server.accept()) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch read = new CountDownLatch(1);
            AtomicBoolean alone = new AtomicBoolean();
            rig.start(() -> {
                begun.countDown();
                while (!alone.get()) {
                    Thread.onSpinWait();
                }
                int answer = quietly(() -> accepted.getInputStream().read());
                if (answer == 7) {
                    read.countDown();
                }
            });
            rig.await(begun);
            rig.await(rig.goMany(10, () -> {})); // they run: the hog has lost its processor
            // on a starved machine a hog may look as if it slept
            assertThat(rig.stats().hogHandOffs() + rig.stats().undeclaredHandOffs())
                    .isPositive();
            await("all others asleep").atMost(PATIENCE).until(() -> rig.stats().idleProcs() == 1);
            alone.set(true);
            Thread.ofPlatform()
                    .start(() -> quietly(() -> {
                        client.getOutputStream().write(7);
                        return 0;
                    }));
            rig.await(read);
        }
    }

    @Test
    void aHogThatThenSleepsIsWoken() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicBoolean others = new AtomicBoolean();
            CountDownLatch slept = rig.startMany(3, () -> {
                while (!others.get()) {
                    Thread.onSpinWait();
                }
                LockSupport.parkNanos(5_000_000);
            });
            rig.await(rig.goMany(10, () -> {}));
            await("all others asleep").atMost(PATIENCE).until(() -> rig.stats().idleProcs() == 1);
            others.set(true);
            rig.await(slept);
        }
    }

    @Test
    void processorsComeAndGoAmongHogs() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            rig.startHogs(6);
            for (int round = 0; round < 20; round++) {
                rig.scheduler().setProcs(8);
                rig.await(rig.goMany(20, () -> LockSupport.parkNanos(1_000)));
                rig.scheduler().setProcs(1);
                rig.await(rig.startMany(20, Thread::yield));
            }
            rig.scheduler().setProcs(2);
        }
    }

    /// N8: a pair that wakes each other inherits one time slice and keeps its tick for ever: it is no hog,
    /// and those behind it come to run.
    @Test
    void aPairThatWakesEachOtherIsNotStarvedAndDoesNotStarveOthers() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            int enoughTurns = 10_000; // of the pair: many slices' worth
            int othersEnough = 5;
            CountDownLatch done = new CountDownLatch(2);
            AtomicLong turn = new AtomicLong();
            AtomicLong othersTurns = new AtomicLong();
            Thread[] pair = new Thread[2];
            for (int i = 0; i < 2; i++) {
                int self = i;
                pair[i] = rig.scheduler().threadFactory().newThread(() -> {
                    while (turn.get() < enoughTurns || othersTurns.get() < othersEnough) {
                        while (turn.get() % 2 != self) {
                            LockSupport.parkNanos(100_000_000);
                        }
                        turn.incrementAndGet();
                        LockSupport.unpark(pair[1 - self]);
                    }
                    done.countDown(); // the last increment left the other its turn
                });
            }
            rig.start(() -> {
                while (done.getCount() > 0) {
                    othersTurns.incrementAndGet();
                    Thread.yield();
                }
            });
            pair[0].start();
            pair[1].start();
            rig.await(done);
            assertThat(rig.stats().hogHandOffs()).isZero();
        }
    }

    /// A thread that computes on and on, but comes to a scheduling point again and again, is asked to yield
    /// there and does.
    @Test
    void aThreadThatPassesSchedulingPointsIsNoHog() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicBoolean enough = new AtomicBoolean();
            CountDownLatch ended = rig.startMany(2, () -> {
                while (!enough.get()) {
                    Kernel.checkpoint();
                }
            });
            await("requests to yield").atMost(PATIENCE).until(() -> rig.stats().preemptions() > 20);
            enough.set(true);
            rig.await(ended);
            assertThat(rig.stats().hogHandOffs()).isZero();
        }
    }

    /// As many as there are processors, and more.
    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void threadsThatYieldForEverDoNotStarveNewOnes(int spinners) throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch ended = rig.startMany(spinners, () -> {
                while (!stop.get()) {
                    Thread.yield();
                }
            });
            rig.await(rig.startMany(300, Thread::yield));
            rig.await(rig.goMany(300, () -> LockSupport.parkNanos(1_000)));
            stop.set(true);
            rig.await(ended);
        }
    }

    private static Socket connect(ServerSocket server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    private interface Io<T> {
        T run() throws IOException;
    }

    private static <T> T quietly(Io<T> operation) {
        try {
            return operation.run();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
