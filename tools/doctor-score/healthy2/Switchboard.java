// healthy: 400 clients keep their connections open and send a request every 2 to 10 seconds. Between the requests, each
//     server thread waits in a read that ends after a minute of silence, so most threads wait for a socket.

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Connects telephones, which keep a connection to the switchboard. */
public final class Switchboard {

    private static final int IDLE_MILLIS = 60_000;

    private final LongAdder answered = new LongAdder();

    private void serve(Socket phone) {
        try (phone) {
            phone.setSoTimeout(IDLE_MILLIS);
            var in = new DataInputStream(phone.getInputStream());
            var out = new DataOutputStream(phone.getOutputStream());
            while (true) {
                int number = in.readInt();
                out.writeInt(number + 1);
                answered.increment();
            }
        } catch (IOException e) {
            System.err.println("a phone has left: " + e);
        }
    }

    private static void call(int port) throws IOException, InterruptedException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(IDLE_MILLIS);
            var in = new DataInputStream(socket.getInputStream());
            var out = new DataOutputStream(socket.getOutputStream());
            for (int number = 0; ; number++) {
                out.writeInt(number);
                if (in.readInt() != number + 1) {
                    throw new IOException("wrong number after " + number);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2_000, 10_000));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        var board = new Switchboard();
        try (var listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 400; i++) {
                threads.submit(() -> {
                    call(listener.getLocalPort());
                    return null;
                });
            }
            while (true) {
                Socket phone = listener.accept();
                threads.submit(() -> board.serve(phone));
            }
        }
    }
}
