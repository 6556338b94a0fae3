package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ErrGroupTest {
    @Test
    void theFirstFailureIsThrown() throws Exception {
        var group = new ErrGroup();
        var first = new IllegalStateException("first");
        var failed = new WaitGroup();
        failed.add(1);
        group.go(() -> {
            try {
                throw first;
            } finally {
                failed.done();
            }
        });
        failed.await();
        group.go(() -> {});
        assertThatThrownBy(group::await).isInstanceOf(ExecutionException.class).hasCause(first);
    }

    @Test
    void aFailureInterruptsTheOthers() throws Exception {
        var group = ErrGroup.withContext(Context.background());
        Chan<String> never = Chan.make();
        var interrupted = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            group.go(() -> {
                try {
                    never.receive();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                    throw e;
                }
            });
        }
        var failure = new IllegalArgumentException("bad");
        group.go(() -> {
            throw failure;
        });
        assertThatThrownBy(group::await).hasCause(failure);
        assertThat(interrupted).hasValue(5);
        assertThat(group.context().cause()).isSameAs(failure);
    }

    @Test
    void noMoreThanTheLimitRunAtOnce() throws Exception {
        var group = new ErrGroup();
        group.setLimit(3);
        var running = new AtomicInteger();
        var peak = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            group.go(() -> {
                peak.accumulateAndGet(running.incrementAndGet(), Math::max);
                Go.gosched();
                running.decrementAndGet();
            });
        }
        group.await();
        assertThat(peak.get()).isBetween(1, 3);
    }

    @Test
    void tryGoRefusesAboveTheLimitAndTheLimitIsFixedWhileRunning() throws Exception {
        var group = new ErrGroup();
        group.setLimit(1);
        Chan<String> gate = Chan.make();
        assertThat(group.tryGo(gate::receive)).isTrue();
        assertThat(group.tryGo(() -> {})).isFalse();
        assertThatThrownBy(() -> group.setLimit(2))
                .hasMessage("errgroup: modify limit while 1 goroutines in the group are still active");
        gate.send("go on");
        group.await();
        group.setLimit(2);
    }

    @Test
    void theContextIsDoneWhenAwaitReturns() throws Exception {
        var group = ErrGroup.withContext(Context.background());
        group.go(() -> {});
        group.await();
        assertThat(group.context().err()).isInstanceOf(CancellationException.class);
    }
}
