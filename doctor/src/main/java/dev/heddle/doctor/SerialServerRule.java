package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One thread that takes requests and also serves them: it accepts a connection, selects a ready one or dispatches an
/// exchange, and then waits for something slow before it takes the next one. All other clients wait meanwhile.
///
/// A server with a thread for each client is in its `accept` nearly all the time.
final class SerialServerRule implements Rule {

    /// Share of the dumps in which the thread is inside a request: nearly all.
    private static final double SHARE = 0.8;

    private static final int DUMPS = 4;

    /// Share of these in which it waits there. If it computes, more threads help only as far as there are
    /// CPUs.
    private static final double WAITING = 0.5;

    /// Threads that wait for an answer of a peer, on average. A server for one client at a time has no others
    /// waiting.
    private static final double CLIENTS = 4;

    /// The executor of an `HttpServer` on which `setExecutor` was not called: it runs handlers on the
    /// dispatcher.
    private static final String HTTP_SERVER = "sun.net.httpserver.ServerImpl$DefaultExecutor";

    private static final Set<String> LISTENING = Set.of("accept", "select", "selectNow");

    /// One such thread in all dumps.
    private static final class Server {
        int serving;
        int waiting;

        @Nullable
        GoroutineSample last;

        @Nullable
        String listens;
    }

    @Override
    public Cause cause() {
        return Cause.SERIAL_SERVER;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        Map<Long, Server> servers = new HashMap<>();
        int clients = 0;
        for (Dump dump : seen.dumps()) {
            for (GoroutineStats thread : Locks.byId(dump).values()) {
                GoroutineSample sample = GoroutineSample.of(thread);
                String listens = listensAt(sample, code);
                if (listens != null) {
                    Server server = servers.computeIfAbsent(thread.id(), _ -> new Server());
                    server.serving++;
                    server.waiting += sample.isWaiting() ? 1 : 0;
                    server.last = sample.isWaiting() || server.last == null ? sample : server.last;
                    server.listens = listens;
                } else if (waitsForAnswer(sample)) {
                    clients++;
                }
            }
        }
        int dumps = seen.dumps().size();
        if (dumps < DUMPS || clients < CLIENTS * dumps) {
            return Optional.empty();
        }
        double each = (double) clients / dumps;
        return servers.values().stream()
                .filter(it -> it.serving >= SHARE * dumps && it.waiting >= WAITING * it.serving)
                .max((a, b) -> Integer.compare(a.waiting, b.waiting))
                .flatMap(it -> finding(it, each, dumps));
    }

    /// Where the thread takes requests, if it is inside one now; null otherwise.
    private static @Nullable String listensAt(GoroutineSample thread, CodeReader code) {
        List<Frame> frames = thread.frames();
        boolean isServing = false; // a frame of the program is above
        for (Frame frame : frames) {
            if (isServing && frame.is(HTTP_SERVER, "execute")) {
                return "HttpServer, whose dispatcher runs the handlers itself because setExecutor was not called";
            }
            if (LISTENING.contains(frame.method()) && isSocketClass(frame.className())) {
                return null; // it listens now
            }
            if (frame.isUsers()) {
                if (hasListeningLoop(frame, code)) {
                    return "the loop in %s.%s, which also takes the next request"
                            .formatted(frame.className(), frame.method());
                }
                isServing = true;
            }
        }
        return null;
    }

    /// Whether the frame is in a loop that listens itself: that calls `accept` or `select`.
    private static boolean hasListeningLoop(Frame frame, CodeReader code) {
        return code.loopCalls(frame).stream()
                .anyMatch(it -> LISTENING.contains(it.method()) && isSocketClass(it.owner()));
    }

    private static boolean isSocketClass(String name) {
        return name.equals("java.net.ServerSocket")
                || name.equals("javax.net.ssl.SSLServerSocket")
                || name.equals("java.nio.channels.ServerSocketChannel")
                || name.equals("java.nio.channels.Selector")
                || name.startsWith("sun.nio.ch.ServerSocket")
                || name.startsWith("sun.nio.ch.Selector");
    }

    /// Whether the thread waits for a connection or for an answer.
    private static boolean waitsForAnswer(GoroutineSample sample) {
        return sample.usersTop() != null
                && sample.isWaiting()
                && (sample.isIn("sun.nio.ch.NioSocketImpl", "read", "implRead", "connect")
                        || sample.isIn("sun.nio.ch.SocketChannelImpl", "read", "connect", "blockingConnect")
                        || sample.isIn("jdk.internal.net.http.HttpClientImpl", "send"));
    }

    private static Optional<Finding> finding(Server server, double clients, int dumps) {
        GoroutineSample thread = server.last;
        if (thread == null) {
            return Optional.empty();
        }
        List<String> evidence = new ArrayList<>();
        evidence.add("in %d of %d dumps one thread was inside a request, called by %s"
                .formatted(server.serving, dumps, server.listens));
        evidence.add("%.0f %% of the time it waited there, for example at %s (%s)"
                .formatted(100.0 * server.waiting / server.serving, thread.place(), thread.doing()));
        evidence.add("%.0f threads of this JVM waited for answers of a peer meanwhile".formatted(clients));
        boolean isHttp = server.listens != null && server.listens.startsWith("HttpServer");
        return Optional.of(new Finding(Cause.SERIAL_SERVER, evidence, 0, List.of())
                .at(thread)
                .toDo(
                        isHttp
                                ? "Call server.setExecutor(Executors.newVirtualThreadPerTaskExecutor()) before server.start(): then each request has a thread of its own, and what waits at %s delays only its own client."
                                        .formatted(thread.place())
                                : "Start a virtual thread for each request right after it is taken (Thread.startVirtualThread), so that what waits at %s delays only its own client."
                                        .formatted(thread.place())));
    }
}
