// healthy: A chat with 9,500 connections, or as many as file descriptors allow, in rooms of 20: about 300 messages a
//     second, each written to the whole room. Nearly all threads wait for their next message.

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** The server has a virtual thread for each connection. All clients are one platform thread with a selector. */
public final class Chat {

    private static final int LINE = 32;
    private static final int ROOM = 20;

    /** A connection, which one thread reads and the members of its room write. */
    record Member(OutputStream out, ReentrantLock turn) {
        void send(byte[] line) throws IOException {
            turn.lock();
            try {
                out.write(line);
            } finally {
                turn.unlock();
            }
        }
    }

    private static void serve(Socket socket, List<Member> room) {
        try (socket) {
            room.add(new Member(socket.getOutputStream(), new ReentrantLock()));
            InputStream in = socket.getInputStream();
            byte[] line = new byte[LINE];
            while (in.readNBytes(line, 0, LINE) == LINE) {
                for (Member member : room) {
                    member.send(line);
                }
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    private static void listen(ServerSocket listener) {
        List<Member> room = new CopyOnWriteArrayList<>();
        try {
            for (int n = 1; ; n++) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                List<Member> mine = room;
                Thread.startVirtualThread(() -> serve(socket, mine));
                if (n % ROOM == 0) {
                    room = new CopyOnWriteArrayList<>();
                }
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    /** Reads all that arrives, connects as long as there is room, and lets a random client speak every 3 ms. */
    private static void chat(int port, int connections) throws IOException {
        var selector = Selector.open();
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        List<SocketChannel> clients = new ArrayList<>();
        ByteBuffer heard = ByteBuffer.allocateDirect(64 << 10);
        ByteBuffer line = ByteBuffer.allocateDirect(LINE);
        var random = new Random(1);
        long next = System.nanoTime();
        while (true) {
            for (int i = 0; i < 20 && clients.size() < connections; i++) {
                var client = SocketChannel.open(address);
                client.configureBlocking(false);
                client.register(selector, SelectionKey.OP_READ);
                clients.add(client);
            }
            selector.select(key -> read((SocketChannel) key.channel(), heard), 1);
            if (System.nanoTime() >= next) {
                next = System.nanoTime() + 3_000_000;
                clients.get(random.nextInt(clients.size())).write(line.clear());
            }
        }
    }

    private static void read(SocketChannel client, ByteBuffer heard) {
        try {
            client.read(heard.clear());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        int connections = (int) Math.min(9_500, (system.getMaxFileDescriptorCount() - 500) / 2);
        var listener = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(() -> listen(listener));
        System.out.println(connections + " connections");
        chat(listener.getLocalPort(), connections);
    }
}
