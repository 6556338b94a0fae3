package dev.heddle.testing;

import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.JsonReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A connection to a browser in the DevTools protocol: requests with answers, and the events of each page.
///
/// A page is a *session* of the connection. Requests may come from any thread; an event is handed to the listener of
/// its session by the thread that reads the connection, before anything that arrives later is read.
final class DevTools implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    /// The session of the browser itself.
    static final String BROWSER = "";

    private final Map<Long, CompletableFuture<Map<?, ?>>> asked = new ConcurrentHashMap<>();
    private final Map<String, Queue<Event>> events = new ConcurrentHashMap<>();
    private final Map<String, Consumer<Event>> listeners = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private long lastId; // guarded by this object's monitor

    /// @param method such as `Page.loadEventFired`
    record Event(String method, Map<?, ?> parameters) {}

    /// A request that the browser refused, with its reason.
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message);
        }
    }

    DevTools(URI address) {
        this.socket = client.newWebSocketBuilder()
                .buildAsync(address, new Messages())
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /// Hands the events of a session to a listener, beginning with the events that have come already.
    void listen(String session, Consumer<Event> listener) {
        Queue<Event> early = events.computeIfAbsent(session, _ -> new ConcurrentLinkedQueue<>());
        synchronized (early) {
            early.forEach(listener);
            early.clear();
            listeners.put(session, listener);
        }
    }

    /// Asks the browser, or a page, and waits for the answer.
    Map<?, ?> ask(String session, String method, Map<String, ?> parameters) throws InterruptedException {
        CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        synchronized (this) {
            long id = ++lastId;
            asked.put(id, answer);
            Map<String, Object> request = new LinkedHashMap<>();
            request.put("id", id);
            request.put("method", method);
            request.put("params", parameters);
            if (!session.equals(BROWSER)) {
                request.put("sessionId", session);
            }
            socket.sendText(Json.of(request), /* last= */ true).join();
        }
        return await(answer, method);
    }

    /// Waits for what the browser is expected to do.
    static <T> T await(CompletableFuture<T> expected, String what) throws InterruptedException {
        try {
            return expected.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the browser did not answer in " + PATIENCE_SECONDS + " s: " + what, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refusal refusal) {
                throw new Refusal(what + ": " + refusal.getMessage());
            }
            throw new AssertionError("the browser failed: " + what, e);
        }
    }

    private void take(Map<?, ?> message) {
        if (message.get("id") instanceof Long id) {
            CompletableFuture<Map<?, ?>> answer = asked.remove(id);
            if (answer != null && message.get("error") instanceof Map<?, ?> error) {
                answer.completeExceptionally(new Refusal(String.valueOf(error.get("message"))));
            } else if (answer != null) {
                answer.complete((Map<?, ?>) message.get("result"));
            }
            return;
        }
        String session = message.get("sessionId") instanceof String id ? id : BROWSER;
        Event event = new Event(String.valueOf(message.get("method")), (Map<?, ?>) message.get("params"));
        Queue<Event> early = events.computeIfAbsent(session, _ -> new ConcurrentLinkedQueue<>());
        synchronized (early) {
            Consumer<Event> listener = listeners.get(session);
            if (listener == null) {
                early.add(event);
            } else {
                listener.accept(event);
            }
        }
    }

    private void fail(Throwable cause) {
        asked.values().forEach(it -> it.completeExceptionally(cause));
    }

    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                take((Map<?, ?>) JsonReader.read(message));
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
            fail(new IllegalStateException("the browser has closed the connection"));
            return null;
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            fail(error);
        }
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
    }
}
