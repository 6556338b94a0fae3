package dev.heddle;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.kernel.WaitReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ContextTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void cancelReachesTheChildrenAndNotTheParent() throws Exception {
        var parent = Context.background().withCancel();
        var child = parent.withCancel();
        var key = new Context.Key<String>("name");
        var grandchild = child.withValue(key, "Ada").withTimeout(LONG);
        var sibling = parent.withCancel();
        child.cancel();
        assertThat(grandchild.done().receive()).isNull();
        assertThat(grandchild.err()).isInstanceOf(CancellationException.class).hasMessage("context canceled");
        assertThat(grandchild.value(key)).isEqualTo("Ada");
        assertThat(parent.err()).isNull();
        assertThat(sibling.err()).isNull();
        assertThat(parent.childCount()).isOne();
    }

    @Test
    void aSelectWakesWhenTheContextIsDone() throws Exception {
        var context = Context.background().withCancel();
        var selecting = Started.virtual(() -> {
                    var done = receive(context.done());
                    return select(receive(Chan.<String>make()), done) == done;
                })
                .parkedIn(WaitReason.SELECT);
        context.cancel();
        assertThat(selecting.get()).isTrue();
    }

    @Test
    void theDeadlinePasses() throws Exception {
        var context = Context.background().withTimeout(Duration.ofMillis(2));
        context.done().receive();
        assertThat(context.err()).isInstanceOf(TimeoutException.class).hasMessage("context deadline exceeded");
        assertThat(context.cause()).isSameAs(context.err());
        var reason = new IllegalStateException("too slow");
        var explained = Context.background().withTimeout(Duration.ZERO, reason);
        assertThat(explained.err()).isInstanceOf(TimeoutException.class);
        assertThat(explained.cause()).isSameAs(reason);
    }

    @Test
    void theFirstCauseStaysAndIsInherited() {
        var parent = Context.background().withCancel();
        var child = parent.withCancel();
        var cause = new IllegalStateException("first");
        assertThat(child.cause()).isNull();
        parent.cancel(cause);
        parent.cancel(new IllegalStateException("second"));
        assertThat(child.cause()).isSameAs(cause);
        assertThat(child.err()).isInstanceOf(CancellationException.class);
        assertThat(parent.withCancel().cause()).isSameAs(cause);
    }

    @Test
    void withoutCancelKeepsTheValuesOnly() {
        var key = new Context.Key<String>("name");
        var parent = Context.background().withValue(key, "Ada").withTimeout(LONG);
        var free = parent.withoutCancel();
        parent.cancel();
        assertThat(free.done()).isNull();
        assertThat(free.err()).isNull();
        assertThat(free.deadline()).isEmpty();
        assertThat(free.value(key)).isEqualTo("Ada");
        assertThat(free.withCancel().err()).isNull();
    }

    @Test
    void aBoundThreadIsInterruptedAndNotLonger() throws Exception {
        var context = Context.background().withCancel();
        Chan<String> never = Chan.make();
        var bound = Started.virtual(() -> {
                    assertThatThrownBy(() -> context.call(never::receive)).isInstanceOf(InterruptedException.class);
                    context.call(() -> "does not look");
                    return Thread.currentThread().isInterrupted();
                })
                .parkedIn(WaitReason.CHAN_RECEIVE);
        context.cancel();
        assertThat(bound.get()).isFalse();
        assertThat(context.childCount()).isZero();
    }

    @Test
    void afterFuncStartsWhenDoneUnlessStopped() throws Exception {
        var context = Context.background().withCancel();
        var ran = new CountDownLatch(1);
        var kept = context.afterFunc(ran::countDown);
        var stopped = context.afterFunc(() -> {
            throw new AssertionError("was stopped");
        });
        assertThat(stopped.stop()).isTrue();
        assertThat(stopped.stop()).isFalse();
        context.cancel();
        ran.await();
        assertThat(kept.stop()).isFalse();
        var late = new CountDownLatch(1);
        context.afterFunc(late::countDown);
        late.await();
    }

    @Test
    void anEarlierDeadlineOfTheParentWins() {
        var parent = Context.background().withTimeout(LONG);
        var child = parent.withTimeout(LONG.multipliedBy(2));
        assertThat(child.deadline()).isEqualTo(parent.deadline());
        assertThat(parent.withTimeout(Duration.ofMinutes(1)).deadline().orElseThrow())
                .isBefore(parent.deadline().orElseThrow());
    }

    @Test
    void childrenThatFinishFirstAreForgotten() {
        var parent = Context.background().withCancel();
        var children = new ArrayList<Cancellable>();
        for (int i = 0; i < 10; i++) {
            children.add(i % 2 == 0 ? parent.withCancel() : parent.withTimeout(LONG));
        }
        assertThat(parent.childCount()).isEqualTo(10);
        children.forEach(Cancellable::close);
        assertThat(parent.childCount()).isZero();
    }
}
