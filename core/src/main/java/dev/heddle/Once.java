package dev.heddle;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Does something once, whoever asks first; who asks meanwhile waits until it is done. Go: sync.Once.
///
/// ```java
/// Supplier<Config> config = Once.value(Config::load);
/// ```
///
/// What the body did happens before the return of every [#run].
public final class Once {

    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean done;

    /// Creates one that has done nothing yet.
    public Once() {}

    /// Runs `body` if this is the first call; it counts as done however it ends, and its failure goes to this
    /// caller only.
    /// Any thread. Go: Once.Do.
    ///
    /// @throws IllegalStateException if the body calls this again: it would wait for itself
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

    /// A function that runs `body` at its first call; if that fails, every call throws what it threw.
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

    /// A function that asks `supplier` at its first call and gives that answer, null included, ever after. If
    /// the supplier fails, every call throws what it threw: the same object. Go: OnceValue.
    ///
    /// @param <T> what is supplied
    public static <T extends @Nullable Object> Supplier<T> value(Supplier<T> supplier) {
        return new Value<>(Objects.requireNonNull(supplier, "once of nil func value"));
    }

    private static final class Value<T extends @Nullable Object> implements Supplier<T> {
        private final Once once = new Once();
        private @Nullable Supplier<T> supplier; // null once it has been asked: it may hold much
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

        /// Whatever it throws is kept: a supplier may throw checked exceptions too, though the compiler forbids
        /// it.
        private void ask() {
            try {
                value = Objects.requireNonNull(supplier).get();
            } catch (Throwable e) {
                failure = e;
            } finally {
                supplier = null;
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // throws it as it is
        private static <E extends Throwable> E asUnchecked(Throwable failure) throws E {
            throw (E) failure;
        }
    }
}
