// problem: The HTTP server has no executor, so its one dispatcher thread runs each handler, and the handler waits some
//     80 ms for the rates of a backend. All requests are served one after the other.
// place: Quotes.handle
// place: Rates.read
// remedy: Give the server an executor with a thread for each request (setExecutor with virtual threads) before start.
// named: the server's only thread (dispatcher, event loop) blocks in the handler's read, and requests queue, at the
//     place
// half: slow reads from a backend or from the server, without that one thread serves all
// false: a deadlock, a lock, a pool of connections, CPU, a peer that does not answer
// shows: quoted stays near twelve in a second with 40 traders
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Bourse {

    record Rates(int port) {
        double read(String paper) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                new DataOutputStream(socket.getOutputStream()).writeUTF(paper);
                return new DataInputStream(socket.getInputStream()).readDouble();
            }
        }

        static void serve(ServerSocket server) {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> answer(socket));
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        }

        private static void answer(Socket socket) {
            try (socket) {
                String paper = new DataInputStream(socket.getInputStream()).readUTF();
                Thread.sleep(ThreadLocalRandom.current().nextInt(60, 100));
                new DataOutputStream(socket.getOutputStream()).writeDouble(paper.length() * 1.7);
            } catch (IOException | InterruptedException e) {
                System.out.println(e);
            }
        }
    }

    record Quotes(Rates rates) implements HttpHandler {
        @Override
        public void handle(HttpExchange exchange) throws IOException {
            String paper = exchange.getRequestURI().getQuery();
            byte[] body = String.valueOf(rates.read(paper)).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }
    }

    record Trader(int port, LongAdder quoted) {
        void trade() {
            try {
                while (true) {
                    URI uri = URI.create("http://localhost:" + port + "/quote?steel");
                    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
                    connection.getInputStream().readAllBytes();
                    quoted.increment();
                    Thread.sleep(200);
                }
            } catch (IOException e) {
                System.out.println(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket backend = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("rates").start(() -> Rates.serve(backend));
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 100);
        server.createContext("/quote", new Quotes(new Rates(backend.getLocalPort())));
        server.start();
        LongAdder quoted = new LongAdder();
        int port = server.getAddress().getPort();
        for (int i = 0; i < 40; i++) {
            Thread.ofVirtual().name("trader-" + i).start(new Trader(port, quoted)::trade);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("quoted " + quoted.sumThenReset() + " in a second");
        }
    }
}
