package dev.heddle.cli.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// When the observed program is asked, and when it is left alone.
final class ViewersTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicLong clock = new AtomicLong();
    private final Viewers viewers = new Viewers(clock::get);

    @Test
    void theLastOneThatLeavesEndsThePause() throws InterruptedException {
        viewers.came("a", "one");
        viewers.came("b", "two");
        viewers.came("a", "three");
        assertThat(viewers.schedulers()).containsExactlyInAnyOrder("two", "three");
        Thread leaving = Thread.startVirtualThread(() -> {
            viewers.left("a");
            viewers.left("b");
        });

        viewers.pause(LONG);

        assertThat(viewers.isAny()).isFalse();
        leaving.join();
        viewers.awaitNone(LONG);
    }

    @Test
    void aPageThatSaysNothingHasLeft() {
        viewers.came("a", "");
        clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
        viewers.came("b", "");
        assertThat(viewers.isAny()).isTrue();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
        assertThat(viewers.isAny()).isTrue();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
        assertThat(viewers.isAny()).isFalse();
    }

    @Test
    void theEndOfTheDashboardWakesAll() throws InterruptedException {
        Thread ending = Thread.startVirtualThread(viewers::end);

        assertThat(viewers.awaitAny()).isFalse();
        viewers.came("a", "");
        viewers.pause(LONG);
        ending.join();
    }

    @Test
    void theirNumberIsBounded() {
        for (int i = 0; i < 100; i++) {
            viewers.came("page " + i, "");
        }
        viewers.came("page 7", "");
        assertThatThrownBy(() -> viewers.came("one more", ""))
                .hasMessage("100 pages look at this dashboard, which is the limit.");
    }
}
