package dev.heddle.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Map;

/// The client of the echo servers of all peers: one thread and a selector, in its own process. Each connection sends a
/// message, waits until it has come back, and sends the next.
public final class EchoClient implements Idiom {

    private static final int MESSAGE_BYTES = 64;

    @Override
    public void run(Program program, Job job) throws Exception {
        program.run(job);
    }

    @Override
    public Map<String, Program> programs() {
        return Map.of("echo", EchoClient::talk, "busyecho", EchoClient::talkForAWhile);
    }

    /// Sends as many messages as the job's size, over as many connections as its width.
    private static void talk(Job job) throws IOException {
        try (Selector selector = connect(job)) {
            long start = System.nanoTime();
            int open = job.width();
            for (SelectionKey key : selector.keys()) {
                ((Connection) key.attachment()).send(job.size() / job.width());
            }
            while (open > 0) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (((Connection) key.attachment()).receive()) {
                        open--;
                    }
                }
                selector.selectedKeys().clear();
            }
            job.figure("echo", (double) (System.nanoTime() - start));
            hangUp(selector);
        }
    }

    /// Sends messages for as many milliseconds as the job's size. A message that has not come back by then
    /// counts with the time that it has taken so far.
    private static void talkForAWhile(Job job) throws IOException {
        try (Selector selector = connect(job)) {
            Percentiles latencies = new Percentiles();
            long end = System.nanoTime() + job.size() * 1_000_000L;
            for (SelectionKey key : selector.keys()) {
                ((Connection) key.attachment()).send(Integer.MAX_VALUE);
            }
            for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
                selector.select(Math.max(1, (end - now) / 1_000_000));
                for (SelectionKey key : selector.selectedKeys()) {
                    Connection connection = (Connection) key.attachment();
                    long sent = connection.sentAt;
                    boolean _ = connection.receive();
                    if (connection.sentAt != sent) {
                        latencies.add(System.nanoTime() - sent);
                    }
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                latencies.add(System.nanoTime() - ((Connection) key.attachment()).sentAt);
            }
            latencies.report(job);
            hangUp(selector);
        }
    }

    private static Selector connect(Job job) throws IOException {
        int port = Integer.parseInt(job.ask("port"));
        Selector selector = Selector.open();
        for (int i = 0; i < job.width(); i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
        }
        return selector;
    }

    private static void hangUp(Selector selector) throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
    }

    private static final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer out = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        private final ByteBuffer in = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        private int left;
        long sentAt;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void send(int messages) throws IOException {
            left = messages;
            sentAt = System.nanoTime();
            out.clear().putInt(0, messages);
            while (out.hasRemaining()) {
                if (channel.write(out) < 0) {
                    throw new IOException("the server hung up");
                }
            }
        }

        /// Reads the available bytes, and sends the next message when one is complete; true after the last.
        boolean receive() throws IOException {
            if (channel.read(in) < 0) {
                throw new IOException("the server hung up");
            }
            if (in.hasRemaining()) {
                return false;
            }
            in.clear();
            if (in.getInt(0) != left) {
                throw new IOException("the server sent back something else");
            }
            if (left == 1) {
                return true;
            }
            send(left - 1);
            return false;
        }
    }
}
