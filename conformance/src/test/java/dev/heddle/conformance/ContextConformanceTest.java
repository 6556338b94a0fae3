package dev.heddle.conformance;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.Cancellable;
import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.Go;
import dev.heddle.Received;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

class ContextConformanceTest {
    private static final String FILE = "context";
    private static final Duration LONG = Duration.ofHours(1);
    private static final Context.Key<String> KEY = new Context.Key<>("key");

    @GoTest(file = FILE, value = "TestParentFinishesChild")
    void testParentFinishesChild() throws Exception {
        var parent = Context.background().withCancel();
        var cancelChild = parent.withCancel();
        var valueChild = parent.withValue(KEY, "value");
        var timerChild = valueChild.withTimeout(LONG);
        var stopped = parent.afterFunc(() -> {
            throw new AssertionError("was stopped");
        });
        assertThat(stopped.stop()).isTrue();
        assertThat(stillOpen(cancelChild) && stillOpen(timerChild) && stillOpen(valueChild))
                .isTrue();
        parent.cancel();
        for (Context each : new Context[] {parent, cancelChild, valueChild, timerChild}) {
            assertThat(each.done().receive()).isNull();
            assertThat(each.err()).isInstanceOf(CancellationException.class).hasMessage("context canceled");
        }
        assertThat(parent.withCancel().err()).isInstanceOf(CancellationException.class);
    }

    private static boolean stillOpen(Context context) {
        return context.err() == null && context.done().poll() instanceof Received.Nothing<?>;
    }

    @GoTest(file = FILE, value = "TestChildFinishesFirst")
    void testChildFinishesFirst() throws Exception {
        for (Context parent :
                new Context[] {Context.background(), Context.background().withCancel()}) {
            var child = parent.withCancel();
            child.cancel();
            assertThat(child.done().receive()).isNull();
            assertThat(parent.err()).isNull();
        }
    }

    @GoTest(
            file = FILE,
            value = {"TestCancelRemoves"},
            adapted = "the parent's list is private: seen in core's ContextTest")
    void testCancelRemoves() throws Exception {
        var parent = Context.background().withCancel();
        for (int i = 0; i < 1000; i++) {
            parent.withCancel().cancel();
            parent.withTimeout(LONG).close();
            parent.afterFunc(() -> {}).stop();
        }
        assertThat(parent.err()).isNull();
    }

    @GoTest(
            file = FILE,
            value = {"TestDeadline", "TestTimeout"})
    void testDeadline() throws Exception {
        Duration brief = Duration.ofMillis(3);
        assertTimesOut(Context.background().withDeadline(Instant.now().plus(brief)));
        assertTimesOut(Context.background().withTimeout(brief));
        assertTimesOut(Context.background().withTimeout(brief).withTimeout(LONG));
        assertTimesOut(Context.background().withTimeout(brief).withCancel().withTimeout(LONG));
        assertTimesOut(Context.background().withDeadline(Instant.now().minus(LONG)));
    }

    private static void assertTimesOut(Context context) throws Exception {
        var done = receive(context.done());
        assertThat(select(done, timeout(Duration.ofSeconds(30)))).isSameAs(done);
        assertThat(context.err()).isInstanceOf(TimeoutException.class).hasMessage("context deadline exceeded");
    }

    @GoTest(file = FILE, value = "TestCanceledTimeout")
    void testCanceledTimeout() throws Exception {
        var context = Context.background().withTimeout(LONG).withTimeout(LONG.multipliedBy(2));
        context.cancel();
        assertThat(context.done().receive()).isNull();
        assertThat(context.err()).isInstanceOf(CancellationException.class);
    }

    @GoTest(
            file = FILE,
            value = {"TestValues", "TestSimplifiedValues"})
    void testValues() {
        var other = new Context.Key<String>("key"); // the same name, another key
        Context one = Context.background().withValue(KEY, "one");
        Context two = one.withCancel().withValue(other, "other");
        Context three = two.withTimeout(LONG).withValue(KEY, "three");
        assertThat(one.value(KEY)).isEqualTo("one");
        assertThat(one.value(other)).isNull();
        assertThat(two.value(KEY)).isEqualTo("one");
        assertThat(three.value(KEY)).isEqualTo("three");
        assertThat(three.value(other)).isEqualTo("other");
    }

    @GoTest(file = FILE, value = "TestSimultaneousCancels")
    void testSimultaneousCancels() throws Exception {
        var root = Context.background().withCancel();
        var all = new ArrayList<Cancellable>();
        all.add(root);
        for (int i = 0; all.size() < 100; i++) { // a tree
            all.add(all.get(i).withCancel());
            all.add(all.get(i).withCancel());
        }
        for (Cancellable each : all) {
            Go.go(each::cancel);
        }
        for (Cancellable each : all) {
            assertThat(each.done().receive()).isNull();
        }
    }

    @GoTest(file = FILE, value = "TestInterlockedCancels")
    void testInterlockedCancels() throws Exception {
        var parent = Context.background().withCancel();
        var child = parent.withCancel();
        Go.go(() -> {
            parent.done().receive();
            child.cancel();
        });
        Go.go(parent::cancel);
        child.done().receive();
    }

    @GoTest(file = FILE, value = "TestLayersCancel")
    void testLayersCancel() throws Exception {
        var cancels = new ArrayList<Cancellable>();
        Context context = Context.background();
        for (int i = 0; i < 200; i++) {
            switch (i % 4) {
                case 0 -> context = context.withValue(new Context.Key<Integer>("k" + i), i);
                case 1, 2 -> {
                    var next = context.withCancel();
                    cancels.add(next);
                    context = next;
                }
                default -> {
                    var next = context.withTimeout(LONG);
                    cancels.add(next);
                    context = next;
                }
            }
        }
        assertThat(context.err()).isNull();
        cancels.get(cancels.size() / 2).cancel();
        assertThat(context.done().receive()).isNull();
        assertThat(cancels.getFirst().err()).isNull();
    }

    @GoTest(file = FILE, value = "TestWithCancelCause")
    void testWithCancelCause() {
        var parent = Context.background().withCancel();
        var child = parent.withCancel();
        var childCause = new IllegalStateException("child");
        var parentCause = new IllegalStateException("parent");
        child.cancel(childCause);
        parent.cancel(parentCause);
        assertThat(child.cause()).isSameAs(childCause);
        assertThat(parent.cause()).isSameAs(parentCause);
        assertThat(child.err()).isInstanceOf(CancellationException.class);
    }

    @GoTest(file = FILE, value = "TestCause")
    void testCause() throws Exception {
        var cause = new IllegalStateException("cause");
        assertThat(Context.background().cause()).isNull();
        var plain = Context.background().withCancel();
        plain.cancel();
        assertThat(plain.cause()).isSameAs(plain.err());
        var parent = Context.background().withCancel();
        var timer = parent.withTimeout(LONG, new IllegalStateException("too late"));
        parent.cancel(cause);
        assertThat(timer.cause()).isSameAs(cause);
        var late = Context.background().withTimeout(Duration.ofMillis(1), cause);
        late.done().receive();
        assertThat(late.cause()).isSameAs(cause);
        assertThat(late.err()).isInstanceOf(TimeoutException.class);
    }

    @GoTest(file = FILE, value = "TestCauseRace")
    void testCauseRace() throws Exception {
        var cause = new IllegalStateException("TestCauseRace");
        var context = Context.background().withCancel();
        Go.go(() -> context.cancel(cause));
        while (context.cause() == null) {
            Go.gosched();
        }
        assertThat(context.cause()).isSameAs(cause);
        assertThat(context.err()).isNotNull();
    }

    @GoTest(file = FILE, value = "TestWithoutCancel")
    void testWithoutCancel() {
        var parent = Context.background().withValue(KEY, "value").withCancel();
        var free = parent.withoutCancel();
        parent.cancel();
        assertThat(free.done()).isNull();
        assertThat(free.err()).isNull();
        assertThat(free.cause()).isNull();
        assertThat(free.value(KEY)).isEqualTo("value");
    }

    @GoTest(
            file = FILE,
            value = {"TestAfterFuncCalledAfterCancel", "TestAfterFuncCalledAfterTimeout"})
    void testAfterFuncCalled() throws Exception {
        for (Cancellable context : new Cancellable[] {
            Context.background().withCancel(), Context.background().withTimeout(Duration.ofMillis(2))
        }) {
            Chan<Boolean> called = Chan.make();
            var stop = context.afterFunc(called::close);
            if (context.deadline().isEmpty()) {
                context.cancel();
            }
            called.receive();
            assertThat(stop.stop()).isFalse();
        }
    }

    @GoTest(
            file = FILE,
            value = {"TestAfterFuncCalledImmediately", "TestAfterFuncCalledAsynchronously"})
    void testAfterFuncCalledImmediately() throws Exception {
        var context = Context.background().withCancel();
        context.cancel();
        Chan<Boolean> called = Chan.make();
        context.afterFunc(() -> called.send(true)); // would hang here if it ran on this stack
        assertThat(called.receive()).isTrue();
    }

    @GoTest(
            file = FILE,
            value = {"TestAfterFuncNotCalledAfterStop", "TestAfterFuncCancel"})
    void testAfterFuncNotCalledAfterStop() throws Exception {
        var context = Context.background().withCancel();
        var ran = new AtomicInteger();
        var stop = context.afterFunc(ran::incrementAndGet);
        assertThat(stop.stop()).isTrue();
        context.cancel();
        var last = new WaitGroup();
        last.add(1);
        context.afterFunc(last::done);
        last.await();
        assertThat(ran).hasValue(0);
        assertThat(stop.stop()).isFalse();
    }

    @GoTest(file = FILE, value = "TestInvalidDerivedFail", adapted = "what is null is a NullPointerException")
    void testInvalidDerivedFail() {
        assertThatThrownBy(() -> Context.background().withValue(KEY, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Context.background().withDeadline(null)).isInstanceOf(NullPointerException.class);
    }

    @GoTest(
            file = FILE,
            value = "TestDeadlineExceededSupportsTimeout",
            adapted = "it is a java.util.concurrent.TimeoutException")
    void testDeadlineExceededSupportsTimeout() {
        assertThat(Context.background().withTimeout(Duration.ZERO).err()).isInstanceOf(TimeoutException.class);
    }
}
