package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Without the agent the JDK's scheduler runs beside Heddle's. While all its carriers are taken, nothing of Heddle's
/// waits for it, whoever asked for it.
class BesideTheStockSchedulerTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    private final CountDownLatch taken = new CountDownLatch(Runtime.getRuntime().availableProcessors());
    private final CountDownLatch over = new CountDownLatch(1);
    private final ArrayList<Thread> hogs = new ArrayList<>();
    private Started<Context> made;
    private Started<Boolean> starving;

    @BeforeEach
    void takeAllCarriers() throws Exception {
        made = Started.virtual(() -> Context.background().withTimeout(Duration.ofSeconds(1)));
        made.get();
        for (long i = taken.getCount(); i > 0; i--) {
            hogs.add(Thread.startVirtualThread(() -> {
                Jdk.pin(); // it keeps its carrier while it waits
                try {
                    taken.countDown();
                    over.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                } finally {
                    Jdk.unpin();
                }
            }));
        }
        taken.await();
        starving = Started.virtual(() -> true);
    }

    @AfterEach
    void giveThemBack() throws Exception {
        assertThat(starving.isDone()).as("a carrier was left").isFalse();
        over.countDown();
        assertThat(starving.get()).isTrue();
        for (Thread hog : hogs) {
            hog.join();
        }
    }

    @Test
    void deadlinesPass() throws Exception {
        var context = Context.background().withTimeout(SHORT);
        var receiving = Started.platform(context.done()::receive);

        assertThat(receiving.get()).isNull();
        assertThat(context.err()).isInstanceOf(TimeoutException.class);
        assertThat(Started.platform(made.get().done()::receive).get()).isNull();
    }

    @Test
    void functionsAreStarted() throws Exception {
        var afterTime = new CompletableFuture<Scheduler>();
        var afterDeadline = new CompletableFuture<Scheduler>();
        Timer.afterFunc(SHORT, () -> afterTime.complete(Scheduler.current()));
        Context.background().withTimeout(SHORT).afterFunc(() -> afterDeadline.complete(Scheduler.current()));

        assertThat(afterTime.get(1, TimeUnit.MINUTES)).isSameAs(Scheduler.current());
        assertThat(afterDeadline.get(1, TimeUnit.MINUTES)).isSameAs(Scheduler.current());
    }
}
