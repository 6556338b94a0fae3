// problem: A message goes to all members while the lobby's lock is held; one member does not read, its socket is
//     full, and the write blocks everybody.
// place: Lobby.broadcast
// remedy: Give each member an outgoing queue with a writer of its own, write outside the lock, and drop members that
//     do not read.

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A games lobby with 40 players: what one says, all hear. */
public final class Lobby {

    private final ReentrantLock members = new ReentrantLock();
    private final List<OutputStream> outputs = new ArrayList<>();

    private void serve(Socket socket) {
        try (socket) {
            join(socket.getOutputStream());
            InputStream in = socket.getInputStream();
            byte[] line = new byte[1_024];
            while (in.readNBytes(line, 0, line.length) == line.length) {
                broadcast(line);
            }
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    private void join(OutputStream out) {
        members.lock();
        try {
            outputs.add(out);
        } finally {
            members.unlock();
        }
    }

    private void broadcast(byte[] line) throws IOException {
        members.lock();
        try {
            for (OutputStream out : outputs) {
                out.write(line);
            }
        } finally {
            members.unlock();
        }
    }

    private static void play(int port, boolean reads) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            if (reads) {
                Thread.ofPlatform().daemon().start(() -> drain(socket));
            }
            byte[] line = new byte[1_024];
            while (true) {
                socket.getOutputStream().write(line);
                Thread.sleep(reads ? 3 : 1_000);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }

    private static void drain(Socket socket) {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        var listener = new ServerSocket();
        listener.setReceiveBufferSize(16 << 10);
        listener.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var lobby = new Lobby();
        for (int i = 0; i < 40; i++) {
            boolean reads = i != 17;
            Thread.ofPlatform().daemon().start(() -> play(listener.getLocalPort(), reads));
        }
        while (true) {
            Socket socket = listener.accept();
            socket.setSendBufferSize(16 << 10);
            Thread.startVirtualThread(() -> lobby.serve(socket));
        }
    }
}
