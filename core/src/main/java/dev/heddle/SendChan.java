package dev.heddle;

/// The sending side of a channel. Go: `chan<- T`.
///
/// @param <T> what the channel carries; never null
public sealed interface SendChan<T> permits Chan {
    /// Sends `value`: waits until a receiver takes it or there is room in the buffer.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while it waits; then nothing was sent
    /// @throws IllegalStateException `send on closed channel`
    void send(T value) throws InterruptedException;

    /// Sends `value` if that is possible without waiting, and says whether it was.
    ///
    /// @throws IllegalStateException `send on closed channel`
    boolean trySend(T value);

    /// Says that nothing more will be sent. Receivers drain the buffer, and then get null; senders that wait, and
    /// everybody who sends later, get an exception.
    ///
    /// @throws IllegalStateException `close of closed channel`
    void close();

    /// The number of values in the buffer. Old when it is read.
    int len();

    /// The size of the buffer.
    int cap();
}
