package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutlivedTimersTest {
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    @Test
    void aSuccessorIsCancelledWithItsTimerWhicheverComesFirst() throws Exception {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            KernelTimer moved = kernel.schedule(() -> {}, LONG);
            KernelTimer late = kernel.schedule(() -> {}, LONG);
            moved.continueAs(late);
            assertThat(moved.withdraw()).isTrue();
            assertThat(late.isCancelled()).isTrue();

            KernelTimer cancelled = kernel.schedule(() -> {}, LONG);
            KernelTimer later = kernel.schedule(() -> {}, LONG);
            assertThat(cancelled.withdraw()).isTrue();
            assertThat(cancelled.withdraw()).isFalse();
            cancelled.continueAs(later);
            assertThat(later.isCancelled()).isTrue();
        }
    }
}
