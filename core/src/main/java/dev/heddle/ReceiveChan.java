package dev.heddle;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The receiving side of a channel. Go: `<-chan T`.
///
/// @param <T> what the channel carries; never null
public sealed interface ReceiveChan<T> extends Iterable<T> permits Chan {
    /// Waits for a value: the next one sent, or null when the channel is closed and everything in it was received.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while it waits; nothing was received
    @Nullable
    T receive() throws InterruptedException;

    /// Receives a value if one is ready now, else returns null. [#poll()] tells an empty channel from a closed one.
    @Nullable
    T tryReceive();

    /// Receives what is ready now: a value, the news that the channel is closed and drained, or nothing yet.
    Received<T> poll();

    /// The number of values in the buffer. Old when it is read.
    int len();

    /// The size of the buffer.
    int cap();

    /// Receives until the channel is closed and drained, as Go's `for v := range c`.
    ///
    /// The iterator belongs to one thread. If that is interrupted, `hasNext` throws
    /// [java.util.concurrent.CancellationException] and the interrupt status stays set; nothing is lost.
    @Override
    Iterator<T> iterator();
}
