package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
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

    /// As code does that was compiled from another language.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable, R> R fail(Throwable failure) throws E {
        throw (E) failure;
    }
}
