package dev.heddle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Carries a deadline, a cancellation and values down a tree of calls, across goroutines.
///
/// ```java
/// try (var context = Context.background().withTimeout(Duration.ofSeconds(2))) {
///     Go.go(() -> search(context, query, results));
///     var result = receive(results);
///     if (select(result, receive(context.done())) == result) {
///         show(result.value());
///     }
/// }                                          // cancels what is still running
/// ```
///
/// A context is done when it is cancelled, when its deadline passes, or when its parent is done; the parent
/// does not notice its children. Who works for a context learns of it in one of three ways: [#done()] is
/// closed, so a select wakes; [#call(Callable)] runs code whose thread is interrupted; [#err()] answers when
/// asked.
///
/// Contexts are immutable but for becoming done, and may be used by any number of threads.
public abstract sealed class Context permits Cancellable, Context.Root, Context.WithValue, Context.WithoutCancel {
    /// Go: context.Canceled and context.DeadlineExceeded.
    static final String CANCELED = "context canceled";

    static final String DEADLINE_EXCEEDED = "context deadline exceeded";

    private static final Context BACKGROUND = new Root();

    final @Nullable Context parent;

    Context(@Nullable Context parent) {
        this.parent = parent;
    }

    /// The root of all contexts: never done, no deadline, no values. Go: context.Background.
    public static Context background() {
        return BACKGROUND;
    }

    /// A child that can be cancelled. Go: context.WithCancel, context.WithCancelCause.
    public final Cancellable withCancel() {
        return new Cancellable(this, null);
    }

    /// A child that is done at `deadline`, unless it is before. Go: context.WithDeadline.
    public final Cancellable withDeadline(Instant deadline) {
        return Cancellable.withDeadline(this, deadline, null);
    }

    /// Like [#withDeadline(Instant)]; [#cause()] says `cause` when the deadline passes.
    /// Go: context.WithDeadlineCause.
    public final Cancellable withDeadline(Instant deadline, Exception cause) {
        return Cancellable.withDeadline(this, deadline, Objects.requireNonNull(cause));
    }

    /// A child that is done after `timeout`, unless it is before. Go: context.WithTimeout.
    public final Cancellable withTimeout(Duration timeout) {
        return Cancellable.withDeadline(this, Durations.fromNow(timeout), null);
    }

    /// Like [#withTimeout(Duration)]; [#cause()] says `cause` when the time is up. Go:
    /// context.WithTimeoutCause.
    public final Cancellable withTimeout(Duration timeout, Exception cause) {
        return Cancellable.withDeadline(this, Durations.fromNow(timeout), Objects.requireNonNull(cause));
    }

    /// A child in which `key` has `value`. Go: context.WithValue.
    ///
    /// @param <T> what the key stands for
    public final <T> Context withValue(Key<T> key, T value) {
        return new WithValue(this, key, Objects.requireNonNull(value, "a context has no null values"));
    }

    /// A child with the same values that is not done when this context is. Go: context.WithoutCancel.
    public final Context withoutCancel() {
        return new WithoutCancel(this);
    }

    /// Starts `body` in a goroutine when this context is done; at once if it is. Go: context.AfterFunc.
    public final AfterFunc afterFunc(Go.Body body) {
        return AfterFunc.register(this, body);
    }

    /// A channel that is closed when this context is done; null if that will never be, as a select likes it.
    public @Nullable ReceiveChan<Void> done() {
        Cancellable canceller = canceller();
        return canceller == null ? null : canceller.done();
    }

    /// Null until this context is done; then a [CancellationException] that says `context canceled`, or a
    /// [TimeoutException] that says `context deadline exceeded`.
    public @Nullable Exception err() {
        Cancellable canceller = canceller();
        return canceller == null ? null : canceller.err();
    }

    /// Why this context is done: what was given to [Cancellable#cancel(Throwable)], or else [#err()].
    /// Go: context.Cause.
    public @Nullable Throwable cause() {
        Cancellable canceller = canceller();
        return canceller == null ? null : canceller.cause();
    }

    /// When this context will be done at the latest, if there is such a time.
    public Optional<Instant> deadline() {
        Cancellable canceller = canceller();
        return canceller == null ? Optional.empty() : canceller.deadline();
    }

    /// The value of `key` here, or null.
    ///
    /// @param <T> what the key stands for
    @SuppressWarnings("unchecked") // withValue took a T for a Key<T>, and keys are equal only to themselves
    public final <T> @Nullable T value(Key<T> key) {
        for (Context at = this; at != null; at = at.parent) {
            if (at instanceof WithValue here && here.key == key) {
                return (T) here.value;
            }
        }
        return null;
    }

    /// Runs `body` on this thread, and interrupts it when this context is done: at once if it is.
    ///
    /// An interrupt that comes from the context does not outlive this call.
    ///
    /// @param <T> the result of the body
    public final <T> T call(Callable<T> body) throws Exception {
        ThreadBinding binding = bind();
        try {
            return body.call();
        } finally {
            unbind(binding);
        }
    }

    /// [#call(Callable)] for what a goroutine runs.
    final void callBody(Go.Body body) throws Throwable {
        ThreadBinding binding = bind();
        try {
            body.run();
        } finally {
            unbind(binding);
        }
    }

    private @Nullable ThreadBinding bind() {
        Cancellable canceller = canceller();
        if (canceller == null) {
            return null;
        }
        var binding = new ThreadBinding();
        canceller.add(binding);
        return binding;
    }

    private void unbind(@Nullable ThreadBinding binding) {
        if (binding != null) {
            Objects.requireNonNull(canceller()).remove(binding);
            binding.end();
        }
    }

    /// The nearest context from here up that can be cancelled; null if there is none. Takes constant time:
    /// chains may be long.
    abstract @Nullable Cancellable canceller();

    /// How this context differs from its parent, for [#toString()].
    abstract String suffix();

    /// How this context was made, from the root down.
    @Override
    public final String toString() {
        var path = new ArrayDeque<Context>();
        for (Context at = this; at != null; at = at.parent) {
            path.push(at);
        }
        var text = new StringBuilder();
        for (Context each : path) {
            text.append(each.suffix());
        }
        return text.toString();
    }

    /// What a value is filed under: a key is equal only to itself.
    ///
    /// @param <T> what the key stands for
    public static final class Key<T> {
        private final String name;

        /// Makes a key with a name for people to read.
        public Key(String name) {
            this.name = Objects.requireNonNull(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final class Root extends Context {
        Root() {
            super(null);
        }

        @Override
        @Nullable
        Cancellable canceller() {
            return null;
        }

        @Override
        String suffix() {
            return "context.Background";
        }
    }

    private static final class WithValue extends Context {
        private final Key<?> key;
        private final Object value;
        private final @Nullable Cancellable canceller;

        WithValue(Context parent, Key<?> key, Object value) {
            super(parent);
            this.key = key;
            this.value = value;
            canceller = parent.canceller();
        }

        @Override
        @Nullable
        Cancellable canceller() {
            return canceller;
        }

        @Override
        String suffix() {
            return ".WithValue(" + key + ")";
        }
    }

    private static final class WithoutCancel extends Context {
        WithoutCancel(Context parent) {
            super(parent);
        }

        @Override
        @Nullable
        Cancellable canceller() {
            return null;
        }

        @Override
        String suffix() {
            return ".WithoutCancel";
        }
    }
}
