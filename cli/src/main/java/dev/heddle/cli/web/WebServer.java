package dev.heddle.cli.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The web server of a dashboard, on this machine only. Each request has a thread of its own, so that a slow client
/// delays no other; [Limits] bounds how many there are, and for how long.
final class WebServer implements AutoCloseable {

    /// Answers what has passed the [Gate].
    interface Handler {
        /// @param method `GET` or `POST`
        /// @param path   the part of the path below the token
        Reply answer(String method, String path, Query query) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Gate gate = new Gate(new SecureRandom());
    private final Handler handler;

    /// @param port 0 for any free one
    /// @throws IOException with one sentence, if it cannot listen there
    WebServer(int port, Handler handler) throws IOException {
        this.handler = handler;
        Limits.set();
        try {
            this.server =
                    HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), Limits.WAITING);
        } catch (BindException e) {
            boolean isForbidden = String.valueOf(e.getMessage()).contains("denied");
            throw new IOException(
                    isForbidden
                            ? "this user may not use port " + port + ": choose one above 1023 with --port."
                            : "port " + port + " is in use: choose another one with --port, or leave --port out.",
                    e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /// Where the page is, with the token.
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + gate.token() + "/";
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply =
                    gate.refusal(exchange.getRequestMethod(), exchange.getRequestURI(), exchange.getRequestHeaders());
            if (reply == null) {
                reply = replyTo(exchange);
            }
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", reply.type());
            headers.set("Content-Security-Policy", reply.policy());
            headers.set("Cache-Control", "no-store");
            headers.set("Referrer-Policy", "no-referrer"); // the address contains the token
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cross-Origin-Opener-Policy", "same-origin");
            if (reply.status() >= Reply.BAD_REQUEST) {
                headers.set("Connection", "close");
            }
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(reply.status(), /* none= */ -1);
                return;
            }
            exchange.sendResponseHeaders(reply.status(), reply.body().length);
            exchange.getResponseBody().write(reply.body());
        }
    }

    private Reply replyTo(HttpExchange exchange) {
        try {
            return handler.answer(
                    exchange.getRequestMethod(),
                    gate.pathOf(exchange.getRequestURI()),
                    new Query(exchange.getRequestURI().getRawQuery()));
        } catch (IllegalArgumentException e) {
            return Reply.sentence(Reply.BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Reply.sentence(Reply.UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            return Reply.sentence(Reply.UNAVAILABLE, "heddle web is ending.");
        }
    }

    /// Answers that have begun are still sent: one of them may tell a page that the observed JVM has ended.
    @Override
    public void close() {
        server.stop(Limits.LAST_ANSWERS_SECONDS);
        threads.shutdownNow();
    }
}
