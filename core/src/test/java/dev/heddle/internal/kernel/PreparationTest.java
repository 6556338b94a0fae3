package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// An idle scheduler gets ready for hogs, so that relief does not compete with them.
class PreparationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aMachineIsKeptForTheNextHandOff() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            useAndRest(rig);
            rig.startHogs(2);
            // Not "and no processor is idle": a hog that sleeps briefly at a safepoint loses its processor.
            await("a spare machine beside those of both hogs")
                    .atMost(PATIENCE)
                    .until(() -> kernel.idle.idleMachines() >= 1);
        }
    }

    /// The hog runs on the machine that was spare until now.
    @Test
    void aSpareMachineThatIsUsedIsReplaced() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            useAndRest(rig);
            await("only a spare machine")
                    .atMost(PATIENCE)
                    .until(() -> kernel.machineCounts.machines() == 1 && kernel.idle.idleMachines() == 1);
            rig.startHogs(1); // nothing waits for its processor, so that no hand-off asks for spares
            await("another spare machine").atMost(PATIENCE).until(() -> kernel.idle.idleMachines() >= 1);
        }
    }

    /// And not before it has been used: a program without virtual threads pays nothing.
    @Test
    void theDemoterBeginsWhileTheSchedulerIsIdle() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            await("asleep").atMost(PATIENCE).until(kernel.monitor::isDeep);
            assertThat(kernel.monitor.demoter().getState()).isEqualTo(Thread.State.NEW);
            useAndRest(rig);
        }
    }

    /// The first hog may be suspected when the heap is full. An error that left the thread would be printed by
    /// the JVM, and printing without memory can break classes of the JDK for good.
    @Test
    void aDemoterWithoutMemoryTriesAgain() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicInteger attempts = new AtomicInteger();
            AtomicReference<Throwable> escaped = new AtomicReference<>();
            Demoter demoter = new Demoter(rig.kernel(), () -> {
                if (attempts.incrementAndGet() < 3) {
                    throw new OutOfMemoryError("no memory to link with");
                }
                return null;
            });
            demoter.setUncaughtExceptionHandler((_, failure) -> escaped.set(failure));
            demoter.prepare();
            demoter.join(PATIENCE);
            assertThat(escaped.get()).isNull();
            assertThat(attempts.get()).isEqualTo(3);
            assertThat(demoter.ability()).isEqualTo(Demoter.Ability.IMPOSSIBLE);
        }
    }

    /// A class of the JDK that could not be initialised is lost. Hogs keep their priority then, and nothing else
    /// fails.
    @Test
    void aDemoterThatCannotBeLinkedGivesUp() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            AtomicReference<Throwable> escaped = new AtomicReference<>();
            Demoter demoter = new Demoter(rig.kernel(), () -> {
                throw new NoClassDefFoundError("Could not initialize class");
            });
            demoter.setUncaughtExceptionHandler((_, failure) -> escaped.set(failure));
            demoter.prepare();
            demoter.join(PATIENCE);
            assertThat(escaped.get()).isNull();
            assertThat(demoter.ability()).isEqualTo(Demoter.Ability.IMPOSSIBLE);
        }
    }

    private static void useAndRest(Rig rig) throws InterruptedException {
        rig.await(rig.goMany(1, () -> {}));
        Kernel kernel = rig.kernel();
        await("the demoter is ready")
                .atMost(PATIENCE)
                .until(() -> kernel.monitor.demoter().ability() != Demoter.Ability.LOADING);
    }
}
