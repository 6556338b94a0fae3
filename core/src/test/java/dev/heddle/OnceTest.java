package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnceTest {

    @Test
    void nullIsAValueLikeAnyOther() {
        var calls = new AtomicInteger();
        Supplier<@Nullable String> value = Once.value(() -> {
            calls.incrementAndGet();
            return null;
        });

        assertThat(value.get()).isNull();
        assertThat(value.get()).isNull();
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class, IOException.class, Throwable.class})
    void everyCallThrowsTheSameObject(Class<? extends Throwable> kind) throws ReflectiveOperationException {
        Throwable failure = kind.getDeclaredConstructor().newInstance();
        Supplier<String> value = Once.value(() -> OnceTest.<RuntimeException, String>fail(failure));
        Runnable function = Once.func(() -> OnceTest.<RuntimeException, String>fail(failure));

        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(value::get)).isSameAs(failure);
            assertThat(catchThrowable(function::run)).isSameAs(failure);
        }
    }

    @Test
    void aWaitingCallerIgnoresInterrupts() throws Exception {
        var once = new Once();
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var first = Started.virtual(() -> {
            once.run(() -> {
                begun.countDown();
                awaitUninterruptibly(end);
            });
            return null;
        });
        begun.await();
        var second = Started.virtual(() -> {
            once.run(() -> {
                throw new AssertionError("ran twice");
            });
            return Thread.currentThread().isInterrupted();
        });
        await().until(() -> second.thread.getState() == Thread.State.WAITING);

        second.thread.interrupt();
        end.countDown();

        assertThat(second.get()).as("the interrupt status stays set").isTrue();
        first.get();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// As code does that was compiled from another language.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable, R> R fail(Throwable failure) throws E {
        throw (E) failure;
    }
}
