package dev.heddle;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs an action exactly once: the first caller runs it, and concurrent callers wait until it has finished.
/// Go: sync.Once.
///
/// ```java
/// Supplier<Config> config = Once.value(Config::load);
/// ```
///
/// What the body did happens before every call of [#run] returns.
public final class Once {

    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean done;

    /// Creates a Once whose action has not run yet.
    public Once() {}

    /// Runs `body` if this is the first call. The action counts as done even if `body` throws; only this caller
    /// gets the exception. Any thread. Go: Once.Do.
    ///
    /// @throws IllegalStateException if the body calls this method again, which would wait for itself
    public void run(Runnable body) {
        Objects.requireNonNull(body, "once of nil func value");
        if (done) {
            return;
        }
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("sync: a Once that waits for its own body");
        }
        lock.lock();
        try {
            if (!done) {
                try {
                    body.run();
                } finally {
                    done = true;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// A function that runs `body` on its first call. If `body` throws, every call throws the same exception.
    /// Go: OnceFunc.
    public static Runnable func(Runnable body) {
        Objects.requireNonNull(body, "once of nil func value");
        Supplier<Boolean> ran = value(() -> {
            body.run();
            return true;
        });
        return () -> {
            boolean _ = ran.get();
        };
    }

    /// A function that calls `supplier` on its first call and returns that result, null included, from every
    /// call. If the supplier throws, every call throws the same exception object. Go: OnceValue.
    ///
    /// @param <T> what is supplied
    public static <T extends @Nullable Object> Supplier<T> value(Supplier<T> supplier) {
        return new Value<>(Objects.requireNonNull(supplier, "once of nil func value"));
    }

    private static final class Value<T extends @Nullable Object> implements Supplier<T> {
        private final Once once = new Once();
        private @Nullable Supplier<T> supplier; // null after its call, so that it can be collected
        private @Nullable T value;
        private @Nullable Throwable failure;

        Value(Supplier<T> supplier) {
            this.supplier = supplier;
        }

        @Override
        @SuppressWarnings("NullAway") // null only if the supplier, whose T this is, gave null
        public T get() {
            once.run(this::ask);
            if (failure != null) {
                throw Value.<RuntimeException>asUnchecked(failure);
            }
            return value;
        }

        /// Keeps any Throwable: through an unchecked cast a supplier can throw checked exceptions too.
        private void ask() {
            try {
                value = Objects.requireNonNull(supplier).get();
            } catch (Throwable e) {
                failure = e;
            } finally {
                supplier = null;
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // rethrows without wrapping
        private static <E extends Throwable> E asUnchecked(Throwable failure) throws E {
            throw (E) failure;
        }
    }
}
