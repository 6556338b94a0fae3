package dev.heddle.internal.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Lines of UTF-8 over a socket, with limits on their length and on the time that the other side may take.
///
/// For one thread. The channel does not block: each wait is a wait of the selector, which has a time limit.
public final class LineChannel implements Closeable {

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private byte[] buffer = new byte[8192];
    private int filled;

    /// Takes over a connected channel, which is closed with this one.
    public LineChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        try {
            channel.configureBlocking(false);
            this.selector = Selector.open();
            this.key = channel.register(selector, 0);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Waits until there is something to read, or the other side has closed its end.
    public void awaitInput() throws IOException {
        if (filled == 0) {
            await(SelectionKey.OP_READ, Long.MAX_VALUE);
        }
    }

    /// The next line, without its end; null if the other side has closed its end.
    ///
    /// @throws SocketTimeoutException if it does not arrive in time
    /// @throws IOException if it has more than `maxBytes` bytes
    public @Nullable String readLine(int maxBytes, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        int searched = 0;
        while (true) {
            for (; searched < filled; searched++) {
                if (buffer[searched] == '\n') {
                    return take(searched);
                }
            }
            if (filled > maxBytes) {
                throw new IOException("a line has more than " + maxBytes + " bytes");
            }
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * filled);
            }
            int count = channel.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled));
            if (count < 0) {
                return null;
            }
            if (count == 0) {
                await(SelectionKey.OP_READ, deadline);
            }
            filled += count;
        }
    }

    private String take(int end) {
        String line = new String(buffer, 0, end, StandardCharsets.UTF_8);
        filled -= end + 1;
        System.arraycopy(buffer, end + 1, buffer, 0, filled);
        return line;
    }

    /// Writes a line.
    ///
    /// @throws SocketTimeoutException if the other side does not take it in time
    public void writeLine(String line, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, deadline);
            }
        }
    }

    /// Whether the other side has closed its end. Does not wait; keeps what it finds for [#readLine].
    public boolean isClosedByPeer() {
        try {
            if (filled == buffer.length) {
                return false;
            }
            int count = channel.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled));
            filled += Math.max(0, count);
            return count < 0;
        } catch (IOException _) {
            return true;
        }
    }

    private void await(int operation, long deadline) throws IOException {
        key.interestOps(operation);
        while (selector.selectNow() == 0) {
            long millis = deadline == Long.MAX_VALUE ? 0 : (deadline - System.nanoTime()) / 1_000_000 + 1;
            if (deadline != Long.MAX_VALUE && millis <= 0) {
                throw new SocketTimeoutException("no answer in time");
            }
            if (Thread.interrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            if (selector.select(millis) > 0) {
                break;
            }
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
