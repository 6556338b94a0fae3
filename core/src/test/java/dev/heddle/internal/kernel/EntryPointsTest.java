package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.jdk.Jdk;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What the one way into the kernel refuses, and what a section that fails leaves behind.
class EntryPointsTest {

    /// What a machine looks like to its thread, which is pinned: state, depth, processor.
    private static String lookOf(Machine machine) {
        return Word.state(machine.word()) + " " + machine.depth + " " + machine.p;
    }

    /// A failure in a section is a bug, or memory is exhausted. Its thread must be able to enter again.
    @Test
    @SuppressWarnings("NullAway") // the failure
    void aSectionThatFailsLeavesItsMachineAsItWas() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicReference<String> before = new AtomicReference<>();
            AtomicReference<String> after = new AtomicReference<>();
            rig.await(rig.goMany(1, () -> {
                Jdk.pin();
                Machine machine = Objects.requireNonNull(kernel.entries.machineHere());
                before.set(lookOf(machine));
                try {
                    kernel.entries.addTimer(null);
                } catch (NullPointerException thrown) {
                    failure.set(thrown);
                }
                after.set(lookOf(machine));
                kernel.schedule(() -> {}, 0);
                Jdk.unpin();
            }));
            assertThat(failure.get()).isNotNull();
            assertThat(after.get()).isEqualTo(before.get());
        }
    }

    @Test
    @SuppressWarnings("NullAway") // not read
    void aSectionOfMachinesIsABugElsewhere() {
        Kernel kernel = DrivenMachine.kernel(1);
        try {
            assertThatThrownBy(() -> kernel.entries.nextForShell(null))
                    .isInstanceOf(SchedulerBug.class)
                    .hasMessageContaining("entered from a foreign carrier");
        } finally {
            DrivenMachine.end(kernel);
        }
    }
}
