package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.concurrent.ForkJoinWorkerThread;
import org.junit.jupiter.api.Test;

/// Virtual threads that hand something over park at once on Heddle, as goroutines do.
final class NoSpinTest {

    /// What SynchronousQueue, LinkedTransferQueue and Exchanger ask before they spin.
    @Test
    void handOffsOfTheJdkAreToldThatOthersWaitToRun() throws Exception {
        Method hasKnownQueuedWork = ForkJoinWorkerThread.class.getDeclaredMethod("hasKnownQueuedWork");
        hasKnownQueuedWork.setAccessible(true);
        try (Scheduler scheduler = Scheduler.builder().procs(1).build();
                var executor = scheduler.executor()) {
            assertThat(executor.submit(() -> hasKnownQueuedWork.invoke(null)).get())
                    .isEqualTo(true);
        }
    }
}
