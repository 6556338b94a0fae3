package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.jdk.Jdk;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// What a stack overflow leaves behind on a machine, or on the kernel's own list, is completed by the next kernel
/// entry or by the system monitor, once. The tests leave it behind themselves; [EntryDepthTest] lets stacks overflow.
class RescueTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static Machine here(Kernel kernel) {
        return Objects.requireNonNull(kernel.entries.machineHere());
    }

    /// An entry that is counted as started.
    private static Goroutine started(Kernel kernel, TestGoroutine.Body body) {
        kernel.counters.externalStarts.incrementAndGet();
        return new TestGoroutine(body);
    }

    /// The entry is that of a parked thread: the system monitor may queue it, too, and then it is ignored.
    @Test
    void theNextEntryQueuesWhatItsMachineKept() throws InterruptedException {
        try (Rig rig = Rig.procs(1).stacksMayEnd()) {
            Kernel kernel = rig.kernel();
            Thread parked = rig.start(LockSupport::park);
            await("it is parked").atMost(PATIENCE).until(() -> parked.getState() == Thread.State.WAITING);
            AtomicReference<Object> left = new AtomicReference<>();
            rig.await(rig.goMany(1, () -> {
                Jdk.pin();
                Machine machine = here(kernel);
                machine.rescue.entries = new Object[] {Jdk.resumeTaskOf(parked), null};
                kernel.schedule(() -> {}, 0);
                left.set(machine.rescue.entries);
                Jdk.unpin();
            }));
            assertThat(left.get()).isNull();
            assertThat(rig.stats().rescued()).isPositive();
            LockSupport.unpark(parked);
            rig.join(parked);
        }
    }

    /// A thread that stayed pinned would block its carrier whenever it waits.
    @Test
    void theNextEntryUndoesThePinsThatItsMachineOwes() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            AtomicInteger owed = new AtomicInteger(-1);
            AtomicReference<Throwable> notPinned = new AtomicReference<>();
            rig.await(rig.goMany(1, () -> {
                Jdk.pin();
                Jdk.pin();
                Machine machine = here(kernel);
                machine.rescue.pinsOwed = 2;
                kernel.schedule(() -> {}, 0);
                owed.set(machine.rescue.pinsOwed);
                try {
                    Jdk.unpin();
                } catch (IllegalStateException failure) {
                    notPinned.set(failure);
                }
            }));
            assertThat(owed.get()).isZero();
            assertThat(notPinned.get()).as("one unpin too many").isNotNull();
        }
    }

    /// The thread that runs on the machine makes no kernel entry until the list is empty.
    @Test
    void theSystemMonitorQueuesWhatAMachineKeptOnce() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            Kernel kernel = rig.kernel();
            AtomicInteger runs = new AtomicInteger();
            CountDownLatch ran = new CountDownLatch(1);
            rig.await(rig.goMany(1, () -> {
                Goroutine kept = started(kernel, () -> {
                    runs.incrementAndGet();
                    ran.countDown();
                });
                Machine machine = here(kernel);
                machine.rescue.entries = new Object[] {kept, null};
                while (ran.getCount() > 0 || machine.rescue.entries != null) {
                    Thread.onSpinWait();
                }
            }));
            assertThat(rig.stats().rescued()).isPositive();
            comesToRest(rig);
            assertThat(runs.get()).isOne();
        }
    }

    /// The machine and the system monitor may both queue an entry that was kept. A goroutine that was counted
    /// as ended twice would keep its scheduler from ever ending.
    @Test
    void aGoroutineThatIsQueuedTwiceRunsAndEndsOnce() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            AtomicInteger runs = new AtomicInteger();
            Goroutine twice = started(kernel, runs::incrementAndGet);
            kernel.submitter.injectPatiently(twice);
            kernel.submitter.injectPatiently(twice);
            rig.await(rig.goMany(1, () -> {})); // behind both, on one processor
            comesToRest(rig);
            assertThat(runs.get()).isOne();
            await("both are over")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(kernel.live()).isZero());
        }
    }

    /// The caller is a platform thread: it has no machine that could keep the entry.
    @Test
    void theSystemMonitorQueuesWhatTheKernelKeptOnce() throws InterruptedException {
        try (Rig rig = Rig.procs(2).stacksMayEnd()) {
            Kernel kernel = rig.kernel();
            Thread parked = rig.start(LockSupport::park);
            await("it is parked").atMost(PATIENCE).until(() -> parked.getState() == Thread.State.WAITING);
            await("deep sleep").atMost(PATIENCE).until(kernel.monitor::isDeep);
            Thread diver = new Thread(null, () -> unparkAtTheEnd(parked), "diver", 256 * 1024);
            diver.start();
            rig.join(diver);
            await("the monitor, which sleeps for a minute, was woken")
                    .atMost(PATIENCE)
                    .until(() -> !parked.isAlive());
            assertThat(rig.stats().rescued()).isPositive();
            comesToRest(rig);
        }
    }

    /// The machine has no processor, its thread makes no kernel entry, and the monitor sleeps for a minute.
    @Test
    void theMonitorIsWokenForWhatAMachineWithoutProcessorKept() throws InterruptedException {
        try (Rig rig = Rig.procs(1).stacksMayEnd()) {
            Kernel kernel = rig.kernel();
            Thread parked = rig.start(LockSupport::park);
            await("it is parked").atMost(PATIENCE).until(() -> parked.getState() == Thread.State.WAITING);
            AtomicBoolean ran = new AtomicBoolean();
            Thread diver = rig.start(() -> {
                Jdk.pin();
                Machine machine = here(kernel);
                while (Word.state(machine.word()) != Word.LOST || !kernel.monitor.isDeep()) {
                    Jdk.parkCarrier(50_000_000); // blocks the carrier, and so loses the processor
                }
                boolean _ = unparkAtTheEnd(parked);
                long since = System.nanoTime();
                while (parked.isAlive() && System.nanoTime() - since < PATIENCE.toNanos()) {
                    Thread.onSpinWait();
                }
                ran.set(!parked.isAlive());
                Jdk.unpin();
            });
            rig.join(diver);
            assertThat(ran.get()).as("ran while the machine was busy").isTrue();
            rig.join(parked);
        }
    }

    /// Unparks the thread with the least stack that is enough for it. The JDK's unpark may overflow the stack after
    /// it has noted that the thread is runnable, and the thread is lost then: so hand over its resume task, too.
    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static boolean unparkAtTheEnd(Thread parked) {
        boolean isDone = false;
        try {
            isDone = unparkAtTheEnd(parked);
        } catch (StackOverflowError _) {
            // here is the end
        }
        if (!isDone) {
            LockSupport.unpark(parked);
            Objects.requireNonNull(Jdk.poolOf(parked)).execute(Jdk.resumeTaskOf(parked));
        }
        return true;
    }

    /// An entry that stayed on a list would be queued at every sample, and nothing would ever be idle.
    private static void comesToRest(Rig rig) {
        await("deep sleep").atMost(PATIENCE).until(rig.kernel().monitor::isDeep);
        long rescued = rig.stats().rescued();
        long samples = rig.kernel().monitor.samples();
        rig.go(() -> {}); // wakes the monitor
        await("two more samples")
                .atMost(PATIENCE)
                .until(() -> rig.kernel().monitor.samples() > samples + 2);
        assertThat(rig.stats().rescued()).isEqualTo(rescued);
    }
}
