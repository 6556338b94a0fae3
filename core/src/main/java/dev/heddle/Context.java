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
/// A context is done when it is cancelled, when its deadline passes, or when its parent is done. A child that is done
/// does not affect its parent. Code that works for a context learns that it is done in one of three ways: the channel
/// [#done()] is closed, which wakes a select; [#call(Callable)] interrupts the thread that runs the code; [#err()] no
/// longer returns null.
///
/// Contexts are immutable, except that they become done. Any number of threads may use one.
public abstract sealed class Context permits Cancellable, Context.Root, Context.WithValue, Context.WithoutCancel {
    /// Go: context.Canceled and context.DeadlineExceeded.
    static final String CANCELED = "context canceled";

    static final String DEADLINE_EXCEEDED = "context deadline exceeded";

    private static final Context BACKGROUND = new Root();

    final @Nullable Context parent;

    Context(@Nullable Context parent) {
        this.parent = parent;
    }

    /// The root of all contexts: never done, no deadline, no values.
    /// Go: context.Background.
    public static Context background() {
        return BACKGROUND;
    }

    /// A child that can be cancelled.
    /// Go: context.WithCancel, context.WithCancelCause.
    public final Cancellable withCancel() {
        return new Cancellable(this, null);
    }

    /// A child that is done at `deadline` or earlier.
    /// Go: context.WithDeadline.
    public final Cancellable withDeadline(Instant deadline) {
        return Cancellable.withDeadline(this, deadline, null);
    }

    /// Like [#withDeadline(Instant)], and [#cause()] returns `cause` if the deadline passes.
    /// Go: context.WithDeadlineCause.
    public final Cancellable withDeadline(Instant deadline, Exception cause) {
        return Cancellable.withDeadline(this, deadline, Objects.requireNonNull(cause));
    }

    /// A child that is done after `timeout` or earlier.
    /// Go: context.WithTimeout.
    public final Cancellable withTimeout(Duration timeout) {
        return Cancellable.withDeadline(this, Durations.fromNow(timeout), null);
    }

    /// Like [#withTimeout(Duration)], and [#cause()] returns `cause` if the timeout passes.
    /// Go: context.WithTimeoutCause.
    public final Cancellable withTimeout(Duration timeout, Exception cause) {
        return Cancellable.withDeadline(this, Durations.fromNow(timeout), Objects.requireNonNull(cause));
    }

    /// A child in which `key` has `value`. Go: context.WithValue.
    ///
    /// @param <T> what the key stands for
    public final <T> Context withValue(Key<T> key, T value) {
        return new WithValue(this, key, Objects.requireNonNull(value, "a context has no null values"));
    }

    /// A child with the same values that is never done, even when this context is.
    /// Go: context.WithoutCancel.
    public final Context withoutCancel() {
        return new WithoutCancel(this);
    }

    /// Starts `body` in a goroutine when this context is done; at once if it already is.
    /// Go: context.AfterFunc.
    public final AfterFunc afterFunc(Go.Body body) {
        return AfterFunc.register(this, body);
    }

    /// A channel that is closed when this context is done; null if this context can never be done. A select accepts
    /// null: such a case is never ready.
    public @Nullable ReceiveChan<Void> done() {
        Cancellable canceller = canceller();
        return canceller == null ? null : canceller.done();
    }

    /// Why this context is done, as an exception; null until it is done. The result is a
    /// [java.util.concurrent.CancellationException] with the message `context canceled`, or a
    /// [java.util.concurrent.TimeoutException] with the message `context deadline exceeded`.
    public @Nullable Exception err() {
        Cancellable canceller = canceller();
        return canceller == null ? null : canceller.err();
    }

    /// The cause given to [Cancellable#cancel(Throwable)], [#withDeadline(Instant, Exception)] or
    /// [#withTimeout(Duration, Exception)], if that ended this context; else the same as [#err()].
    /// Go: context.Cause.
    public @Nullable Throwable cause() {
        Cancellable canceller = canceller();
        return canceller == null ? null : canceller.cause();
    }

    /// The time at which this context will be done at the latest, if it has a deadline.
    public Optional<Instant> deadline() {
        Cancellable canceller = canceller();
        return canceller == null ? Optional.empty() : canceller.deadline();
    }

    /// The value of `key` in this context or its nearest ancestor that has one; null if none has.
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

    /// Runs `body` on the calling thread, and interrupts that thread when this context is done; at once if it
    /// already is.
    ///
    /// An interrupt from the context is cleared before this call returns. If calls nest, the interrupt of an
    /// enclosing call's context stays. A thread has one interrupt status: an interrupt by other code that comes
    /// together with the context's is cleared with it.
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

    /// [#call(Callable)] for the body of a goroutine.
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
        ThreadBinding binding = ThreadBinding.begin();
        try {
            canceller.add(binding);
        } catch (Throwable failure) {
            binding.end();
            throw failure;
        }
        return binding;
    }

    private void unbind(@Nullable ThreadBinding binding) {
        if (binding != null) {
            Objects.requireNonNull(canceller()).remove(binding);
            binding.end();
        }
    }

    /// The nearest context that can be cancelled, this one or an ancestor; null if there is none. Takes
    /// constant time, because chains of contexts may be long.
    abstract @Nullable Cancellable canceller();

    /// The part of [#toString()] that this context adds to its parent's.
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

    /// The key of a value in a context. A key is equal only to itself.
    ///
    /// @param <T> what the key stands for
    public static final class Key<T> {
        private final String name;

        /// Makes a key. `name` is only for display.
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
