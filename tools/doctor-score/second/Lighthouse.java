// problem: The accept loop reads the greeting of each client before it accepts the next one; one client connects and
//     says nothing, so no other client is served.
// place: Lighthouse.acceptAll
// place: Lighthouse.greeting
// remedy: Start the thread of a connection first and read the greeting there, with a read time-out.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Tells ships the state of the light. A ship greets with its name and gets one line. */
public final class Lighthouse {

    private static final int PATIENCE_MILLIS = 3_000;

    private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final LongAdder served = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder turns = new LongAdder();

    /** A port scanner, which connects and says nothing. The field keeps the connection open. */
    @SuppressWarnings("unused")
    private Socket scanner;

    private Lighthouse() throws IOException {}

    private void acceptAll() {
        try {
            while (true) {
                Socket ship = listener.accept();
                var in = new BufferedReader(new InputStreamReader(ship.getInputStream()));
                String name = greeting(in);
                Thread.startVirtualThread(() -> answer(ship, name));
            }
        } catch (IOException e) {
            System.err.println("the lighthouse is closed: " + e);
        }
    }

    private static String greeting(BufferedReader in) throws IOException {
        return in.readLine();
    }

    private void answer(Socket ship, String name) {
        try (ship;
                var out = new PrintWriter(ship.getOutputStream(), true)) {
            out.println(name + ": the light is on");
            served.increment();
        } catch (IOException e) {
            System.err.println("lost " + name + ": " + e);
        }
    }

    /** A ship asks. If the answer is late, the ship tries again. */
    private void sail(String name) throws InterruptedException {
        try (var socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()),
                    PATIENCE_MILLIS);
            new PrintWriter(socket.getOutputStream(), true).println(name);
            new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
        } catch (IOException e) {
            late.increment();
        }
        Thread.sleep(50);
    }

    public static void main(String[] args) throws Exception {
        var lighthouse = new Lighthouse();
        Thread.ofVirtual().name("acceptor").start(lighthouse::acceptAll);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                String name = "ship" + i;
                threads.submit(() -> {
                    while (true) {
                        lighthouse.sail(name);
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(10); // a lamp turns
                        lighthouse.turns.increment();
                    }
                });
            }
            Thread.sleep(200);
            lighthouse.scanner = new Socket(InetAddress.getLoopbackAddress(), lighthouse.listener.getLocalPort());
        }
    }
}
