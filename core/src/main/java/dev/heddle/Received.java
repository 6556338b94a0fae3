package dev.heddle;

/// The result of [ReceiveChan#poll()].
///
/// ```java
/// switch (results.poll()) {
///     case Received.Value(var result) -> use(result);
///     case Received.Closed() -> finish();
///     case Received.Nothing() -> doSomethingElse();
/// }
/// ```
///
/// @param <T> what the channel carries
public sealed interface Received<T> {
    /// A received value.
    ///
    /// @param value never null
    /// @param <T> what the channel carries
    record Value<T>(T value) implements Received<T> {}

    /// The channel is closed and drained: there will never be another value.
    ///
    /// @param <T> what the channel carries
    record Closed<T>() implements Received<T> {
        static final Closed<?> INSTANCE = new Closed<>();
    }

    /// The channel is open and has no value now.
    ///
    /// @param <T> what the channel carries
    record Nothing<T>() implements Received<T> {
        static final Nothing<?> INSTANCE = new Nothing<>();
    }
}
