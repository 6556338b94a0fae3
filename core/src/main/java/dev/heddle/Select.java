package dev.heddle;

import dev.heddle.internal.runtime.Parking;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Waits until one of several channel operations can go ahead, and does that one. Go: `select`.
///
/// ```java
/// import static dev.heddle.Select.*;
///
/// select(
///         receive(messages, message -> show(message)),
///         send(heartbeats, "alive", () -> beats++),
///         timeout(Duration.ofSeconds(1), () -> show("nothing new")));
/// ```
///
/// If several can go ahead, each is chosen with the same probability. `orElse` goes ahead when no other case can. The
/// chosen case is also the result, so a loop can check which one it was and what it received:
///
/// ```java
/// var job = receive(jobs);
/// var stop = receive(context.done());
/// while (select(job, stop) != stop) {
///     work(job.value());
/// }
/// ```
///
/// A case may be used any number of times, by one thread at a time. A case whose channel is null is never ready. A
/// receive from a closed channel is always ready; once the channel is drained, it gives null. The same channel may
/// occur in several cases.
public final class Select {
    private Select() {}

    /// Waits until one of `cases` can go ahead, does it, runs its handler, and returns it. Without cases it
    /// waits until the thread is interrupted.  Any thread.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while it waits, and then no operation
    ///     was done; or if a handler throws it
    /// @throws IllegalStateException `send on closed channel`, if the chosen case sends on a closed channel
    public static Case select(Case... cases) throws InterruptedException {
        Parking.checkpoint();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Case chosen = SelectPasses.trySeeminglyReady(cases);
        if (chosen == null) {
            chosen = new SelectPasses(cases).run();
        }
        chosen.runHandler();
        return chosen;
    }

    /// A case that receives from `chan`.
    ///
    /// @param <T> what the channel carries
    public static <T> Receive<T> receive(@Nullable ReceiveChan<T> chan) {
        return new Receive<>((Chan<T>) chan, null);
    }

    /// A case that receives from `chan` and passes the value to `handler`, or null if the channel is closed and
    /// drained.
    ///
    /// @param <T> what the channel carries
    public static <T> Receive<T> receive(@Nullable ReceiveChan<T> chan, ReceiveHandler<? super T> handler) {
        return new Receive<>((Chan<T>) chan, Objects.requireNonNull(handler));
    }

    /// A case that sends `value` on `chan`.
    ///
    /// @param <T> what the channel carries
    public static <T> Send<T> send(@Nullable SendChan<T> chan, T value) {
        return new Send<>((Chan<T>) chan, value, null);
    }

    /// A case that sends `value` on `chan`, and then runs `handler`.
    ///
    /// @param <T> what the channel carries
    public static <T> Send<T> send(@Nullable SendChan<T> chan, T value, Handler handler) {
        return new Send<>((Chan<T>) chan, value, Objects.requireNonNull(handler));
    }

    /// A case that goes ahead when no other case could within `duration`.
    public static Case timeout(Duration duration) {
        return new Timeout(Durations.saturatedNanos(duration), null);
    }

    /// A case that goes ahead, and runs `handler`, when no other case could within `duration`.
    public static Case timeout(Duration duration, Handler handler) {
        return new Timeout(Durations.saturatedNanos(duration), Objects.requireNonNull(handler));
    }

    /// A case that goes ahead at once if no other can.
    /// Go: `default`.
    public static Case orElse() {
        return new Timeout(0, null);
    }

    /// A case that goes ahead at once, and runs `handler`, if no other can.
    /// Go: `default`.
    public static Case orElse(Handler handler) {
        return new Timeout(0, Objects.requireNonNull(handler));
    }

    /// The code to run after a case went ahead.
    @FunctionalInterface
    public interface Handler {
        /// Runs after the operation is complete, with no lock held.
        void run() throws InterruptedException;
    }

    /// The code to run with a received value.
    ///
    /// @param <T> what the channel carries
    @FunctionalInterface
    public interface ReceiveHandler<T> {
        /// Runs after the operation is complete, with no lock held. `value` is null if the channel is
        /// closed and drained.
        void accept(@Nullable T value) throws InterruptedException;
    }

    /// One of the operations of a select. Made by the factory methods of [Select].
    public abstract static sealed class Case {
        final @Nullable Chan<?> chan;

        Case(@Nullable Chan<?> chan) {
            this.chan = chan;
        }

        /// Whether the case seemed able to go ahead at the moment of the check.  Any thread.
        abstract boolean looksReady();

        /// Does the operation if that is possible without waiting. Returns the result of
        /// [Chan#sendLocked(Object)] or [Chan#receiveLocked()], or null if it would block. Holds the
        /// channel's lock.
        abstract @Nullable Object attemptLocked();

        /// Completes an operation that [#attemptLocked()] did. No lock is held.
        abstract void finish(Object answer);

        /// Completes an operation that a partner did while this case's waiter was queued. No lock is held.
        abstract void finishWaiting(Waiter waiter);

        abstract WaitQueue queue();

        abstract @Nullable Object element();

        abstract void runHandler() throws InterruptedException;
    }

    /// A case that receives.
    ///
    /// @param <T> what the channel carries
    public static final class Receive<T> extends Case {
        private final @Nullable Chan<T> from;
        private final @Nullable ReceiveHandler<? super T> handler;
        private @Nullable T value;

        Receive(@Nullable Chan<T> from, @Nullable ReceiveHandler<? super T> handler) {
            super(from);
            this.from = from;
            this.handler = handler;
        }

        /// The value received when this case was last chosen; null if the channel was closed and drained.
        public @Nullable T value() {
            return value;
        }

        private Chan<T> from() {
            return Objects.requireNonNull(from);
        }

        @Override
        boolean looksReady() {
            return from != null && (!from.looksEmpty() || from.isClosed());
        }

        @Override
        @Nullable
        Object attemptLocked() {
            return from().receiveLocked();
        }

        @Override
        void finish(Object answer) {
            value = from().finishReceive(answer);
        }

        @Override
        @SuppressWarnings("unchecked") // only values of T get into the channel
        void finishWaiting(Waiter waiter) {
            value = (T) waiter.element;
        }

        @Override
        WaitQueue queue() {
            return from().receivers;
        }

        @Override
        @Nullable
        Object element() {
            return null;
        }

        @Override
        void runHandler() throws InterruptedException {
            if (handler != null) {
                handler.accept(value);
            }
        }
    }

    /// A case that sends.
    ///
    /// @param <T> what the channel carries
    public static final class Send<T> extends Case {
        private final @Nullable Chan<T> to;
        private final T value;
        private final @Nullable Handler handler;

        Send(@Nullable Chan<T> to, T value, @Nullable Handler handler) {
            super(to);
            this.to = to;
            this.value = Objects.requireNonNull(value, "a channel carries no null");
            this.handler = handler;
        }

        private Chan<T> to() {
            return Objects.requireNonNull(to);
        }

        @Override
        boolean looksReady() {
            return to != null && (!to.looksFull() || to.isClosed());
        }

        @Override
        @Nullable
        Object attemptLocked() {
            return to().sendLocked(Objects.requireNonNull(value));
        }

        @Override
        void finish(Object answer) {
            Chan.finishSend(answer);
        }

        @Override
        void finishWaiting(Waiter waiter) {
            if (waiter.closed) {
                Chan.finishSend(Chan.CLOSED);
            }
        }

        @Override
        WaitQueue queue() {
            return to().senders;
        }

        @Override
        @Nullable
        Object element() {
            return value;
        }

        @Override
        void runHandler() throws InterruptedException {
            if (handler != null) {
                handler.run();
            }
        }
    }

    /// A case that goes ahead when no other case can within its time limit.
    static final class Timeout extends Case {
        final long nanos;
        private final @Nullable Handler handler;

        Timeout(long nanos, @Nullable Handler handler) {
            super(null);
            this.nanos = nanos;
            this.handler = handler;
        }

        @Override
        boolean looksReady() {
            return false;
        }

        @Override
        Object attemptLocked() {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        void finish(Object answer) {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        void finishWaiting(Waiter waiter) {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        WaitQueue queue() {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        @Nullable
        Object element() {
            return null;
        }

        @Override
        void runHandler() throws InterruptedException {
            if (handler != null) {
                handler.run();
            }
        }
    }
}
