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

    /// A function that runs `body` at its first call; if that fails, every call fails in the same way. Go:
    /// OnceFunc.
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

    /// A function that asks `supplier` at its first call and gives that answer ever after; if it fails,
    /// every call fails in the same way. Go: OnceValue.
    ///
    /// @param <T> what is supplied
    public static <T> Supplier<T> value(Supplier<T> supplier) {
        return new Value<>(Objects.requireNonNull(supplier, "once of nil func value"));
    }

    private static final class Value<T> implements Supplier<T> {
        private final Once once = new Once();
        private @Nullable Supplier<T> supplier; // null once it has been asked: it may hold much
        private @Nullable T value;
        private @Nullable Throwable failure;

        Value(Supplier<T> supplier) {
            this.supplier = supplier;
        }

        @Override
        public T get() {
            once.run(this::ask);
            Throwable failed = failure;
            if (failed instanceof Error error) {
                throw error;
            }
            if (failed instanceof RuntimeException exception) {
                throw exception;
            }
            return Objects.requireNonNull(value, "once: the supplier gave null");
        }

        private void ask() {
            try {
                value = Objects.requireNonNull(supplier).get();
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                supplier = null;
            }
        }
    }
}
