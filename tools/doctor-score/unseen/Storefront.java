// problem: Every page waits for one of 4 permits that guard a slow recommendation call, so the pages queue at the
//     limit.
// place: Suggestions.forCustomer
// remedy: Raise the limit to what the backend can take, shorten the call, or answer without suggestions after a short
//     wait.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A shop's front page: cart, greeting and suggestions for 80 customers who click all the time. */
public final class Storefront {

    public static void main(String[] args) throws Exception {
        int model = Model.start();
        var suggestions = new Suggestions(model);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/page/", exchange -> page(exchange, suggestions));
        server.createContext("/health", exchange -> answer(exchange, "up"));
        server.start();
        int port = server.getAddress().getPort();
        for (int i = 0; i < 80; i++) {
            int customer = i;
            Thread.ofPlatform().daemon().start(() -> browse(port, customer));
        }
        Thread.currentThread().join();
    }

    private static void page(HttpExchange exchange, Suggestions suggestions) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int customer = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
        String cart = "cart of " + customer + ": " + customer % 7 + " items";
        answer(exchange, cart + "\n" + suggestions.forCustomer(customer));
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void browse(int port, int customer) {
        while (true) {
            try (InputStream in =
                    URI.create("http://localhost:" + port + "/page/" + customer).toURL().openStream()) {
                in.readAllBytes();
            } catch (IOException e) {
                System.err.println(e);
            }
        }
    }

    /** Asks the model, at most 4 times at once: so it was agreed with the team that runs it. */
    static final class Suggestions {
        private final Semaphore agreed = new Semaphore(4);
        private final int port;

        Suggestions(int port) {
            this.port = port;
        }

        String forCustomer(int customer) throws IOException {
            agreed.acquireUninterruptibly();
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(customer);
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } finally {
                agreed.release();
            }
        }
    }

    /** The other team's service: 350 ms for an answer. It runs on threads of its own, as if in another process. */
    static final class Model {
        static int start() throws IOException {
            var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            var workers = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
            workers.execute(() -> {
                while (true) {
                    try {
                        Socket socket = listener.accept();
                        workers.execute(() -> serve(socket));
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            return listener.getLocalPort();
        }

        private static void serve(Socket socket) {
            try (socket) {
                int customer = socket.getInputStream().read();
                Thread.sleep(350);
                socket.getOutputStream().write(("try item " + customer * 31).getBytes(StandardCharsets.UTF_8));
            } catch (IOException | InterruptedException e) {
                System.err.println(e);
            }
        }
    }
}
