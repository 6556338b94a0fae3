package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.event.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// What a goroutine has made goes on when its scheduler has been closed: it belongs to the default scheduler then.
class OutlivedSchedulerTest {
    /// Long enough for a scheduler to be closed meanwhile. Should that take longer, the test proves less.
    private static final Duration AFTER_THE_CLOSE = Duration.ofMillis(500);

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// What `body` gives, on a scheduler that has ended since.
    private static <R> R onAScheduler(Callable<R> body) throws Exception {
        var task = new FutureTask<>(body);
        try (var scheduler = Scheduler.builder().procs(1).build()) {
            scheduler.go(task::run);
        }
        return task.get();
    }

    @Test
    void aDeadlinePasses() throws Exception {
        var context = onAScheduler(() -> Context.background().withTimeout(AFTER_THE_CLOSE));
        var waiting = Started.platform(context.done()::receive);
        assertThat(waiting.get()).isNull();
        assertThat(context.err()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aDeadlineMadeByAGoroutineOfAClosedSchedulerPasses() throws Exception {
        var mayGoOn = new CompletableFuture<Void>();
        var made = new CompletableFuture<Cancellable>();
        try (var scheduler = Scheduler.builder().procs(1).build()) {
            scheduler.go(() -> {
                mayGoOn.join();
                made.complete(Context.background().withTimeout(AFTER_THE_CLOSE));
            });
            Started.platform(() -> {
                scheduler.close();
                return null;
            });
            await().atMost(PATIENCE).until(scheduler.kernel()::isClosed);
            mayGoOn.complete(null);
        }
        assertThat(Started.platform(made.get().done()::receive).get()).isNull();
    }

    @Test
    void aTimerIsDeliveredToTheThreadsOfOtherSchedulers() throws Exception {
        try (var other = Scheduler.builder().procs(1).build()) {
            var timer = Timer.make(AFTER_THE_CLOSE);
            Started<Instant> waiting;
            try (var closed = Scheduler.builder().procs(1).build()) {
                var leaves = Started.of(closed.threadFactory(), timer.c()::receive)
                        .parkedIn(WaitReason.CHAN_RECEIVE); // puts the timer into its scheduler's heap
                waiting = Started.of(other.threadFactory(), timer.c()::receive).parkedIn(WaitReason.CHAN_RECEIVE);
                leaves.thread.interrupt();
            }
            try {
                assertThat(waiting.get()).isNotNull();
            } finally {
                waiting.thread.interrupt(); // or its scheduler could not be closed
            }
        }
    }

    @Test
    void functionsAreStartedOnTheDefaultScheduler() throws Exception {
        var root = Context.background().withCancel();
        var afterCancel = new CompletableFuture<Scheduler>();
        var afterTime = new CompletableFuture<Scheduler>();
        onAScheduler(() -> {
            root.afterFunc(() -> afterCancel.complete(Scheduler.current()));
            return Timer.afterFunc(AFTER_THE_CLOSE, () -> afterTime.complete(Scheduler.current()));
        });
        var sibling = root.withCancel();

        root.cancel();

        assertThat(sibling.err()).isNotNull();
        assertThat(afterCancel.get(1, TimeUnit.MINUTES)).isSameAs(Scheduler.current());
        assertThat(afterTime.get(1, TimeUnit.MINUTES)).isSameAs(Scheduler.current());
    }

    /// The heir is another scheduler of this test, so that its timers can be counted.
    @Test
    void whatWasCancelledDoesNotMove() throws Exception {
        try (var heir = Scheduler.builder().procs(1).build()) {
            var scheduler = Scheduler.builder().procs(1).build();
            scheduler.kernel().setHeir(heir::kernel);
            var kept = new CompletableFuture<Cancellable>();
            scheduler.go(() -> {
                Context.background().withTimeout(LONG).cancel();
                kept.complete(Context.background().withTimeout(LONG));
            });
            scheduler.close();

            await().atMost(PATIENCE).until(() -> heir.stats().timers() > 0);
            assertThat(heir.stats().timers()).isOne();
            assertThat(kept.get().err()).isNull();
            kept.get().cancel();
            assertThat(kept.get().err()).hasMessage("context canceled");
        }
    }

    @Test
    void theDefaultSchedulerCannotBeClosed() {
        assertThatThrownBy(Scheduler.current()::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("default scheduler");
    }
}
