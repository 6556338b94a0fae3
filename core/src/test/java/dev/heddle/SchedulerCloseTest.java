package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// What [Scheduler#close] promises in `docs/specification.md`.
class SchedulerCloseTest {

    private static final int ROUNDS = 50;
    private static final int GOROUTINES = 20;

    /// Every goroutine writes plain fields, and only the close orders the reads that follow.
    @Test
    void whatGoroutinesDidIsVisibleAfterwards() {
        for (int round = 0; round < ROUNDS; round++) {
            int[] written = new int[GOROUTINES];
            try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
                for (int i = 0; i < GOROUTINES; i++) {
                    int mine = i;
                    scheduler.go(() -> {
                        Go.gosched();
                        written[mine] = mine + 1;
                    });
                }
            }
            for (int i = 0; i < GOROUTINES; i++) {
                assertThat(written[i]).as("goroutine %d of round %d", i, round).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void anInterruptDoesNotEndTheWait() throws Exception {
        Scheduler scheduler = Scheduler.builder().procs(1).build();
        Chan<Boolean> end = Chan.make();
        scheduler.go(end::receive);
        var closing = Started.platform(() -> {
            scheduler.close();
            return Thread.currentThread().isInterrupted();
        });
        await().until(() -> closing.thread.getState() == Thread.State.TIMED_WAITING);

        closing.thread.interrupt();
        await().until(() -> closing.thread.getState() == Thread.State.TIMED_WAITING && !closing.thread.isInterrupted());
        assertThat(closing.isDone()).isFalse();

        end.send(true);
        assertThat(closing.get()).as("the interrupt status is set again").isTrue();
    }

    /// It would wait for itself.
    @Test
    void aGoroutineCannotCloseItsOwnScheduler() throws Exception {
        try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
            Chan<Boolean> refused = Chan.make(1);
            scheduler.go(() -> {
                assertThatExceptionOfType(IllegalStateException.class).isThrownBy(scheduler::close);
                refused.send(true);
            });
            assertThat(refused.receive()).isTrue();
        }
    }

    @Test
    void refusesStartsAfterwards() {
        Scheduler scheduler = Scheduler.builder().procs(1).build();
        scheduler.close();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> scheduler.go(() -> {}));
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> scheduler.threadFactory().newThread(() -> {}).start());
    }
}
