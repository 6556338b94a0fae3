// problem: The HTTP server has no executor, so its one dispatcher thread runs every handler, and the requests are
//     served one after the other.
// place: Kiosk.timetable
// place: Kiosk.ask
// remedy: Call setExecutor with a virtual-thread-per-task executor before the server starts.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** The displays of a station ask the timetable service, which is part of the same program. */
public final class Kiosk {

    private static final LongAdder shown = new LongAdder();

    private static void timetable(HttpExchange exchange) throws IOException {
        try (exchange) {
            Thread.sleep(25); // the query
            byte[] body = ("next train in " + System.nanoTime() % 9 + " minutes").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String ask(HttpClient http, URI uri) throws IOException, InterruptedException {
        String text = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        shown.increment();
        return text;
    }

    public static void main(String[] args) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/next", Kiosk::timetable);
        server.start();
        var uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/next");
        var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (var displays = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                displays.submit(() -> {
                    while (true) {
                        if (ask(http, uri).isEmpty()) {
                            throw new IllegalStateException("empty display");
                        }
                        Thread.sleep(40);
                    }
                });
            }
        }
    }
}
