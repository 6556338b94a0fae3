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

/// Who talks to the echo servers of all peers: one thread and a selector, in a process of its own. Each
/// connection sends a message, waits until it has come back, and sends the next.
public final class EchoClient implements Idiom {

    private static final int MESSAGE_BYTES = 64;

    @Override
    public void run(Program program, Job job) throws Exception {
        program.run(job);
    }

    @Override
    public Map<String, Program> programs() {
        return Map.of("echo", EchoClient::talk);
    }

    /// Sends as many messages as the job's size, over as many connections as its width.
    private static void talk(Job job) throws IOException {
        int port = Integer.parseInt(job.ask("port"));
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < job.width(); i++) {
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
            }
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
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }

    private static final class Connection {
        private final SocketChannel channel;
        private final ByteBuffer out = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        private final ByteBuffer in = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        private int left;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void send(int messages) throws IOException {
            left = messages;
            out.clear().putInt(0, messages);
            while (out.hasRemaining()) {
                if (channel.write(out) < 0) {
                    throw new IOException("the server hung up");
                }
            }
        }

        /// Takes what has come, and sends the next message when one is complete; true after the last.
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
