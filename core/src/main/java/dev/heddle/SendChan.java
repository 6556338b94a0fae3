package dev.heddle;

/// The sending side of a channel. Go: `chan<- T`.
///
/// @param <T> what the channel carries; never null
public sealed interface SendChan<T> permits Chan {
    /// Sends `value`. Waits until a receiver takes it or there is room in the buffer.  Any thread.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while it waits; then nothing was sent
    /// @throws IllegalStateException `send on closed channel`
    void send(T value) throws InterruptedException;

    /// Sends `value` if that is possible without waiting; returns whether it was sent.  Any thread.
    ///
    /// @throws IllegalStateException `send on closed channel`
    boolean trySend(T value);

    /// Closes the channel: nothing more can be sent. Receivers drain the buffer and then get null. Waiting
    /// senders, and all later sends, get an IllegalStateException. Any thread.
    ///
    /// @throws IllegalStateException `close of closed channel`
    void close();

    /// The number of values in the buffer. May be stale when the caller uses it.
    int len();

    /// The size of the buffer.
    int cap();
}
