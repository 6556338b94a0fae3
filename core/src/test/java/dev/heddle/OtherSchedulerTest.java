package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The API on a scheduler that is not Heddle's kernel, as a test tool has one: the API asks the current thread's pool,
/// not the kernel. [OneCarrierScheduler] runs its threads in the order in which they became runnable.
class OtherSchedulerTest {

    private final OneCarrierScheduler other = new OneCarrierScheduler();

    @AfterEach
    void end() {
        other.end();
    }

    private void run(Go.Body body) throws Throwable {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = other.newThread(() -> {
            try {
                body.run();
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        });
        thread.start();
        assertThat(thread.join(Duration.ofSeconds(60))).as("the thread ended").isTrue();
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    @Test
    void everyThreadHasTheSameScheduler() throws Throwable {
        run(() -> {
            Scheduler scheduler = Scheduler.current();
            assertThat(scheduler.name()).isEqualTo("one carrier");
            Chan<Scheduler> seen = Chan.make();
            Go.go(() -> seen.send(Scheduler.current()));
            assertThat(seen.receive()).isSameAs(scheduler);
            Thread child = scheduler.threadFactory().newThread(() -> {
                try {
                    seen.send(Scheduler.current());
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            child.start();
            assertThat(seen.receive()).isSameAs(scheduler);
        });
    }

    @Test
    void goroutinesRunInTheOrderOfTheOtherScheduler() throws Throwable {
        List<Integer> order = new ArrayList<>(); // there is one carrier
        run(() -> {
            WaitGroup group = new WaitGroup();
            for (int i = 0; i < 5; i++) {
                int number = i;
                group.go(() -> {
                    order.add(number);
                    Go.gosched();
                    order.add(10 + number);
                });
            }
            group.await();
        });
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 10, 11, 12, 13, 14);
    }

    @Test
    void timersFire() throws Throwable {
        run(() -> {
            assertThat(Timer.after(Duration.ofMillis(2)).receive()).isNotNull();
            try (var context = Context.background().withTimeout(Duration.ofMillis(2))) {
                context.done().receive();
                assertThat(context.err()).isNotNull();
            }
            Thread.sleep(1);
        });
    }

    /// Each of these waits has a timer there. They do not end by themselves: a wait of milliseconds may be over before
    /// it begins.
    @Test
    void everyWaitWithALimitHasATimerOfTheOtherScheduler() throws InterruptedException {
        Duration hour = Duration.ofHours(1);
        hasTimer(() -> Timer.after(hour).receive());
        hasTimer(() -> {
            try (var context = Context.background().withTimeout(hour)) {
                context.done().receive();
            }
        });
        hasTimer(() -> Thread.sleep(hour));
    }

    private void hasTimer(Go.Body waits) throws InterruptedException {
        int before = other.timers.get();
        Thread thread = other.newThread(() -> {
            try {
                waits.run();
            } catch (InterruptedException _) {
                // the end of the test
            } catch (Throwable failure) {
                throw new AssertionError(failure);
            }
        });
        thread.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> other.timers.get() > before);
        thread.interrupt();
        assertThat(thread.join(Duration.ofSeconds(60))).as("the thread ended").isTrue();
    }

    @Test
    void processorsAreThoseOfTheOtherScheduler() throws Throwable {
        run(() -> {
            assertThat(Go.gomaxprocs(0)).isOne();
            assertThat(Go.numGoroutine()).isOne();
            assertThatThrownBy(() -> Go.main(() -> {})).hasMessageContaining("main thread");
        });
    }
}
