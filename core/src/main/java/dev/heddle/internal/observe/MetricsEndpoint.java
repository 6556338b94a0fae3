package dev.heddle.internal.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Serves the metrics to Prometheus, on this machine only: `http://localhost:PORT/metrics`.
///
/// Runs on a platform thread, with the JDK's own small server, so it answers even when every processor is stuck.
final class MetricsEndpoint implements AutoCloseable {

    private final HttpServer server;

    private MetricsEndpoint(HttpServer server) {
        this.server = server;
    }

    static MetricsEndpoint start(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/metrics", MetricsEndpoint::answer);
        startAsDaemon(server);
        return new MetricsEndpoint(server);
    }

    /// The server's thread is a daemon only if the thread that starts it is; otherwise it would keep the JVM alive.
    private static void startAsDaemon(HttpServer server) {
        Thread starter = Thread.ofPlatform().daemon().name("heddle-metrics").start(server::start);
        boolean interrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] text = text(exchange.getRequestMethod());
            if (text == null) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
        }
    }

    private static byte @Nullable [] text(String method) {
        return method.equals("GET")
                ? PrometheusText.of(SchedulerReader.snapshots()).getBytes(StandardCharsets.UTF_8)
                : null;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
