package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.Go;
import dev.heddle.internal.jdk.Jdk;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A machine that lost its processor while its thread blocked is watched on: threads that "read a file, then parse it".
@EnabledOnOs(OS.LINUX)
class DetachedMachinesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aThreadThatComputesAfterItBlockedIsAHog() throws Exception {
        try (Rig rig = Rig.procs(1);
                Blocked reader = new Blocked(rig, folder, () -> {})) {
            Kernel kernel = rig.kernel();
            await("counted as a hog").atMost(PATIENCE).until(() -> kernel.counters.detachedHogs.get() == 1);
            await("demoted").atMost(PATIENCE).until(() -> rig.stats().demoted() == 1);
            assertThat(kernel.counters.freeHogs).isOne();
            assertThat(rig.stats().hogHandOffs()).isZero();
            rig.relax();
            rig.await(reader.ended);
            await("forgotten").atMost(PATIENCE).until(() -> kernel.counters.freeHogs == 0);
        }
    }

    /// At its first scheduling point it waits its turn like any other, and goes on with a processor.
    @Test
    void aThreadWithoutProcessorYieldsAtItsFirstSchedulingPoint() throws Exception {
        AtomicInteger before = new AtomicInteger();
        AtomicInteger after = new AtomicInteger();
        try (Rig rig = Rig.procs(1);
                Blocked reader = new Blocked(rig, folder, () -> {
                    before.set(stateHere());
                    Kernel.checkpoint();
                    after.set(stateHere());
                })) {
            rig.relax();
            rig.await(reader.ended);
            assertThat(before).hasValue(Word.LOST);
            assertThat(after).hasValue(Word.USER);
        }
    }

    /// No other machine can run a locked thread, but another machine can bring it a processor.
    @Test
    void aLockedThreadWithoutProcessorYieldsToo() throws Exception {
        AtomicInteger after = new AtomicInteger();
        try (Rig rig = Rig.procs(1);
                Blocked reader = new Blocked(rig, folder, () -> {
                    Go.lockOSThread();
                    Kernel.checkpoint();
                    after.set(stateHere());
                    Go.unlockOSThread();
                })) {
            rig.relax();
            rig.await(reader.ended);
            assertThat(after).hasValue(Word.USER);
        }
    }

    /// The thread goes to the global queue, because its block cost it the processor. Its machine is in the idle list
    /// then, once, until the hog has lost the processor.
    @Test
    void aMachineThatLostItsProcessorParksWhileNoneIsIdle() throws Exception {
        try (Rig rig = Rig.procs(1)) {
            Semaphore release = new Semaphore(0);
            Thread blocker = rig.startDeclaredBlock(release);
            CountDownLatch ended = rig.startHogs(1);
            release.release();
            rig.join(blocker);
            assertThat(rig.stats().idleThreads())
                    .isLessThanOrEqualTo(rig.stats().threads());
            rig.relax();
            rig.await(ended);
        }
    }

    private static int stateHere() {
        return Word.state(((Machine) Jdk.currentCarrierThread()).word());
    }

    /// A virtual thread that reads a pipe until it has lost its processor, then runs `next`, then computes.
    private static final class Blocked implements AutoCloseable {
        final CountDownLatch ended;
        private final RandomAccessFile writer;

        Blocked(Rig rig, Path folder, Runnable next) throws Exception {
            Path pipe = folder.resolve("pipe");
            assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo here");
            writer = new RandomAccessFile(pipe.toFile(), "rw"); // for both: neither side's open waits
            AtomicBoolean opened = new AtomicBoolean();
            ended = rig.startMany(1, () -> {
                try (FileInputStream in = new FileInputStream(pipe.toFile())) {
                    opened.set(true);
                    in.read();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                next.run();
                rig.hog();
            });
            await("reads").atMost(PATIENCE).until(opened::get);
            await("lost its processor").atMost(PATIENCE).until(() -> rig.stats().undeclaredHandOffs() > 0);
            rig.start(() -> {
                while (ended.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000); // others want the CPU: the monitor does not sleep
                }
            });
            writer.write('x');
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
