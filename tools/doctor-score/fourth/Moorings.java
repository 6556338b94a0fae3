// problem: The thread that accepts boats also reads the first line of each before it hands the connection over. One
//     boat connects and says nothing, so the accepting thread waits in the read, and nobody else gets in.
// place: Pier.greet
// place: Pier.listen
// remedy: Hand the connection over directly after accept and read in a thread of its own, with a timeout.
// named: the thread that accepts connections waits in a read from a peer that is silent, at the place
// half: a read without a timeout from a silent peer, or clients that wait for a server, without the accepting thread
// false: a deadlock, a lock, a pool, CPU, a lost signal
// shows: moored stays the same
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Moorings {

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void write(Socket socket, String line) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static final class Pier {
        private final ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        private final LongAdder moored = new LongAdder();

        Pier() throws IOException {}

        int port() {
            return server.getLocalPort();
        }

        void listen() {
            while (true) {
                try {
                    Socket socket = server.accept();
                    BufferedReader in = reader(socket);
                    String name = greet(in);
                    Thread.ofVirtual().name("berth of " + name).start(() -> moor(socket, in));
                } catch (IOException e) {
                    System.out.println(e);
                }
            }
        }

        private String greet(BufferedReader in) throws IOException {
            String line = in.readLine();
            if (line == null) {
                throw new IOException("left without a word");
            }
            return line;
        }

        private void moor(Socket socket, BufferedReader in) {
            try (socket) {
                for (int i = 0; i < 3; i++) {
                    write(socket, "berth " + i);
                    in.readLine();
                }
                moored.increment();
            } catch (IOException e) {
                System.out.println(e);
            }
        }
    }

    record Boat(String name, int port) {
        void sail() {
            try {
                while (true) {
                    call();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(30, 90));
                }
            } catch (IOException e) {
                System.out.println(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void call() throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                BufferedReader in = reader(socket);
                write(socket, name);
                while (in.readLine() != null) {
                    write(socket, "thanks");
                }
            } catch (SocketException e) {
                return; // the berth was closed first
            }
        }
    }

    private static void patrol(LongAdder rounds) {
        try {
            while (true) {
                Thread.sleep(50);
                rounds.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Pier pier = new Pier();
        LongAdder rounds = new LongAdder();
        Thread.ofVirtual().name("pier").start(pier::listen);
        for (int i = 0; i < 40; i++) {
            Thread.ofVirtual().name("boat-" + i).start(new Boat("boat " + i, pier.port())::sail);
        }
        Thread.ofVirtual().name("patrol").start(() -> patrol(rounds));
        Thread.sleep(400);
        Socket fog = new Socket(InetAddress.getLoopbackAddress(), pier.port());
        while (true) {
            Thread.sleep(1_000);
            System.out.println(
                    "moored " + pier.moored + ", rounds " + rounds + (fog.isClosed() ? ", fog has lifted" : ""));
        }
    }
}
