package dev.heddle;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.event.WaitReason;
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

    /// The outer context interrupts the thread for both calls, and the end of the inner call clears the status.
    @Test
    void theEndOfAnInnerCallLeavesTheInterruptOfTheOuterOne() throws Exception {
        var outer = Context.background().withCancel();
        var inner = outer.withCancel();
        var entered = new CountDownLatch(1);
        var cancelled = new CountDownLatch(1);
        Chan<String> never = Chan.make();
        var bound = Started.virtual(() -> {
            assertThatThrownBy(() -> outer.call(() -> {
                        inner.call(() -> {
                            entered.countDown();
                            while (cancelled.getCount() > 0) {
                                Thread.onSpinWait(); // computes, and does not notice the interrupt
                            }
                            return null;
                        });
                        return never.receive();
                    }))
                    .isInstanceOf(InterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        entered.await();
        outer.cancel();
        cancelled.countDown();
        assertThat(bound.get()).isFalse();
    }

    /// Only the inner context is done: the outer call goes on undisturbed.
    @Test
    void theInterruptOfAnInnerCallEndsWithIt() throws Exception {
        var outer = Context.background().withCancel();
        var inner = outer.withCancel();
        var bound = Started.virtual(() -> outer.call(() -> {
            inner.cancel();
            inner.call(() -> "does not notice");
            return Thread.currentThread().isInterrupted();
        }));
        assertThat(bound.get()).isFalse();
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

    @Test
    void aMillionContextsBelowEachOtherAreCancelledAtOnce() throws Exception {
        var all = new ArrayList<Cancellable>();
        var root = Context.background().withCancel();
        for (Cancellable each = root; all.size() < 1_000_000; each = each.withCancel()) {
            all.add(each);
        }
        var last = all.getLast();
        var ran = new CountDownLatch(1);
        last.afterFunc(ran::countDown);
        var done = last.done();
        var cause = new IllegalStateException("the root's");

        root.cancel(cause);

        assertThat(done.receive()).isNull();
        ran.await();
        assertThat(all).allMatch(it -> it.cause() == cause && it.childCount() == 0);
    }

    @Test
    void questionsAreAnsweredHoweverDeepTheContextIs() {
        var key = new Context.Key<String>("name");
        var other = new Context.Key<String>("other");
        Context deep = Context.background().withValue(key, "Ada");
        for (int i = 0; i < 100_000; i++) {
            deep = switch (i % 3) {
                case 0 -> deep.withCancel();
                case 1 -> deep.withValue(other, "Bob");
                default -> deep.withoutCancel();
            };
        }
        var parent = deep.withTimeout(LONG);
        var child = parent;
        for (int i = 0; i < 100_000; i++) {
            child = i % 2 == 0 ? child.withCancel() : child.withTimeout(LONG.multipliedBy(2));
        }

        assertThat(child.value(key)).isEqualTo("Ada");
        assertThat(child.value(new Context.Key<String>("name"))).isNull();
        assertThat(child.deadline()).isEqualTo(parent.deadline()).isPresent();
        assertThat(child.toString())
                .startsWith("context.Background.WithValue(name).WithCancel.WithValue(other).WithoutCancel.WithCancel")
                .endsWith(".WithDeadline(" + parent.deadline().orElseThrow() + ")" + ".WithCancel".repeat(100_000));
        parent.cancel();
        assertThat(child.err()).hasMessage("context canceled");
    }

    /// A child that cannot be told.
    private static final class Refusing extends Cancellation.Child {
        final Error why = new OutOfMemoryError("says the test");

        @Override
        void parentIsDone(Cancellation cancellation) {
            throw why;
        }
    }

    @Test
    void aRefusalIsThrownAfterAllOthersHaveBeenTold() throws Exception {
        var root = Context.background().withCancel();
        var parent = root.withCancel();
        var ran = new CountDownLatch(3);
        var contexts = new ArrayList<Cancellable>();
        var refusing = new ArrayList<Refusing>();
        for (int i = 0; i < 3; i++) {
            refusing.add(new Refusing());
            parent.add(refusing.get(i));
            contexts.add(parent.withCancel());
            contexts.getLast().afterFunc(ran::countDown);
        }

        assertThatThrownBy(parent::cancel)
                .isSameAs(refusing.get(0).why)
                .satisfies(
                        it -> assertThat(it.getSuppressed()).containsExactly(refusing.get(1).why, refusing.get(2).why));

        ran.await();
        assertThat(contexts).allMatch(it -> it.err() != null);
        assertThat(root.childCount()).isZero();
        parent.cancel(); // does nothing, and so throws nothing
    }

    @Test
    void aFunctionThatCanNeverStartIsStoppedOnce() {
        var function = Context.background().afterFunc(() -> {});
        assertThat(function.stop()).isTrue();
        assertThat(function.stop()).isFalse();
    }
}
