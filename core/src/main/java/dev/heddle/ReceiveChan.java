package dev.heddle;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The receiving side of a channel. Go: `<-chan T`.
///
/// @param <T> what the channel carries; never null
public sealed interface ReceiveChan<T> extends Iterable<T> permits Chan {
    /// Waits for the next value and returns it; returns null once the channel is closed and drained.  Any thread.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while it waits; then nothing was
    /// received
    @Nullable
    T receive() throws InterruptedException;

    /// Receives a value if one is ready now, else returns null. [#poll()] tells an empty channel from a closed one.
    /// Any thread.
    @Nullable
    T tryReceive();

    /// Receives without waiting. The result is a value, or that the channel is closed and drained, or that it
    /// is open and has no value now. Any thread.
    Received<T> poll();

    /// The number of values in the buffer. May be stale when the caller uses it.
    int len();

    /// The size of the buffer.
    int cap();

    /// Iterates over received values until the channel is closed and drained, as Go's `for v := range c`.
    ///
    /// Only one thread may use the iterator. If that thread is interrupted, `hasNext` throws
    /// [java.util.concurrent.CancellationException] and the interrupt status stays set. No value is lost.
    @Override
    Iterator<T> iterator();
}
