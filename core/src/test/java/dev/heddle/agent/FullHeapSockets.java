package dev.heddle.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sockets become ready while the heap is full: their readers go on when there is memory again. Run without TLABs, so
/// that a full heap has no room for any thread.
final class FullHeapSockets {

    private static final int READERS = 60;

    /// The JDK keeps Integers up to here: the descriptors are to be larger.
    private static final int CACHED_INTEGERS = 128;

    private static final @Nullable Object[] ballast = new Object[1 << 20];

    private FullHeapSockets() {}

    public static void main(String[] args) throws Exception {
        List<FileInputStream> files = new ArrayList<>();
        for (int i = 0; i < CACHED_INTEGERS; i++) {
            files.add(new FileInputStream("/dev/null"));
        }
        CountDownLatch done = new CountDownLatch(READERS);
        List<Thread> readers = new ArrayList<>();
        SocketChannel[] writers = new SocketChannel[READERS];
        try (ServerSocket server = new ServerSocket(0, READERS, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < READERS; i++) {
                writers[i] = SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
                Socket socket = server.accept();
                readers.add(Thread.startVirtualThread(() -> read(socket, done)));
            }
        }
        while (!readers.stream().allMatch(it -> it.getState() == Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        writers[0].write(one); // what writing needs is loaded
        while (done.getCount() == READERS) {
            Thread.onSpinWait();
        }
        int used = fill();
        for (int i = 1; i < READERS; i++) {
            one.clear();
            write(writers[i], one);
        }
        // The machines find them now, while there is no memory; that they do is not for this thread to see.
        TimeUnit.MILLISECONDS.sleep(500);
        for (int i = 0; i < used; i++) {
            ballast[i] = null;
        }
        boolean all = done.await(30, TimeUnit.SECONDS);
        System.out.println(all ? "all readers went on" : done.getCount() + " readers wait for ever");
        System.exit(files.size() - CACHED_INTEGERS);
    }

    private static void read(Socket socket, CountDownLatch done) {
        try {
            int _ = socket.getInputStream().read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            done.countDown();
        }
    }

    private static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            try {
                channel.write(buffer);
            } catch (OutOfMemoryError _) {
                // again
            }
        }
    }

    /// Fills the heap to the last object, and returns how many entries of the ballast are in use.
    private static int fill() {
        int used = 0;
        for (int size = 1 << 20; ; size /= 2) {
            try {
                while (true) {
                    ballast[used] = new byte[size];
                    used++;
                }
            } catch (OutOfMemoryError _) {
                if (size == 0) {
                    return used;
                }
            }
        }
    }
}
