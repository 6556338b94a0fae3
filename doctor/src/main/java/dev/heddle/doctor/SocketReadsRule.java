package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Many goroutines that have asked the same peer and wait for its answer without a timeout.
///
/// The operating system knows when a connection last sent and received data. A connection that received last is not
/// waited for by a question: a chat client that only listens, a subscriber. And on a server the peers of its
/// connections all differ.
final class SocketReadsRule implements Rule {

    /// Goroutines that wait for one peer. A few slow answers are normal.
    private static final int READERS = 10;

    /// Share of that peer's readers that have no answer yet: if it has answered others, it works.
    private static final double SHARE = 0.8;

    /// Threads that make no progress in a read of a datagram. A datagram may be lost, and then no answer comes
    /// at all; but one or two may wait for a slow peer.
    private static final int DATAGRAMS = 5;

    /// How many callers of the read are searched for the question.
    private static final int CALLERS = 2;

    private static final String DATAGRAM_CHANNEL = "sun.nio.ch.DatagramChannelImpl";

    private static final Set<String> ASKING = Set.of("send", "write");

    /// A second is long for an answer, and a read timeout is usually longer.
    private static final int MILLIS = 1_000;

    @Override
    public Cause cause() {
        return Cause.SOCKET_READS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        if (seen.dumps().isEmpty()) {
            return Optional.empty();
        }
        Dump last = seen.dumps().getLast();
        Map<Long, GoroutineStats> goroutines = Locks.byId(last);
        Map<String, List<WaitDetail>> byPeer = new HashMap<>();
        for (WaitDetail wait : last.surroundings().waits()) {
            GoroutineStats reader = goroutines.get(wait.thread());
            if (wait.peer() != null && reader != null && readsWithoutTimeout(GoroutineSample.of(reader))) {
                byPeer.computeIfAbsent(wait.peer(), _ -> new ArrayList<>()).add(wait);
            }
        }
        return byPeer.values().stream()
                .filter(SocketReadsRule::isPile)
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .map(it -> finding(it, goroutines, seen))
                .or(() -> ofHttpClient(seen))
                .or(() -> ofDatagrams(seen))
                .or(() -> ofConnections(seen));
    }

    /// Connections that are not accepted: the peer's list of them is full, or nothing answers at all. The system gives
    /// up after minutes; with a limit of the program's own the wait would have ended.
    private static Optional<Finding> ofConnections(Observation seen) {
        return mostAtOnePlace(
                        seen,
                        it -> it.isIn("sun.nio.ch.NioSocketImpl", "connect")
                                || it.isIn("sun.nio.ch.SocketChannelImpl", "connect"))
                .map(it -> Finding.of(
                                Cause.SOCKET_READS,
                                "%d goroutines wait for a connection to be accepted at %s"
                                        .formatted(it.size(), it.getFirst().place()),
                                "none of them got one in %.1f s or more, and none has a time limit"
                                        .formatted(Standing.leastSeconds(seen)))
                        .at(it.getFirst())
                        .toDo(
                                "Limit the time at %s: Socket.connect(address, 2_000) instead of the constructor that connects, HttpClient.newBuilder().connectTimeout. Then look at why the peer does not accept: it accepts in one slow thread, or its list of waiting connections is too short."
                                        .formatted(it.getFirst().place())));
    }

    /// The requests of the JDK's HTTP client wait for a future and not for a socket. With a timeout of the
    /// request the wait would end; a thread that has stood still for as long as this has none, or a very long
    /// one.
    private static Optional<Finding> ofHttpClient(Observation seen) {
        List<GoroutineSample> senders = Standing.in(seen).threads().values().stream()
                .filter(it -> it.isIn("jdk.internal.net.http.HttpClientImpl", "send") && it.usersTop() != null)
                .toList();
        return senders.size() < READERS
                ? Optional.empty()
                : Optional.of(Finding.of(
                                Cause.SOCKET_READS,
                                "%d goroutines wait in HttpClient.send, for example at %s"
                                        .formatted(
                                                senders.size(),
                                                senders.getFirst().place()),
                                "none of them had an answer for %.1f s or more".formatted(Standing.leastSeconds(seen)))
                        .at(senders.getFirst())
                        .toDo(
                                "Set a limit for each request at %s: HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)), and HttpClient.newBuilder().connectTimeout. Limit how many ask that peer at once, for example by a Semaphore."
                                        .formatted(senders.getFirst().place())));
    }

    /// Datagrams get lost, and the operating system knows no peer for a socket that is not connected. So the
    /// code has to show that the thread has asked: it sends before it receives. A server receives first.
    private static Optional<Finding> ofDatagrams(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        return mostAtOnePlace(
                        seen,
                        it -> it.isIn(DATAGRAM_CHANNEL, "receive", "blockingReceive", "read") && hasSent(it, code))
                .map(it -> Finding.of(
                                Cause.SOCKET_READS,
                                "%d goroutines have sent a datagram and wait for the answer at %s"
                                        .formatted(it.size(), it.getFirst().place()),
                                "none of them had one for %.1f s or more, and none has a time limit"
                                        .formatted(Standing.leastSeconds(seen)))
                        .at(it.getFirst())
                        .toDo(
                                "A datagram may be lost, and then no answer comes. Call DatagramSocket.setSoTimeout before the receive at %s, and send the question again when the time is over, a limited number of times."
                                        .formatted(it.getFirst().place())));
    }

    /// Of the threads that stand still in such a wait, those of the place where most do, if they are enough.
    private static Optional<List<GoroutineSample>> mostAtOnePlace(Observation seen, Predicate<GoroutineSample> waits) {
        return Standing.in(seen).threads().values().stream()
                .filter(waits)
                .collect(Collectors.groupingBy(GoroutineSample::place))
                .values()
                .stream()
                .filter(it -> it.size() >= DATAGRAMS)
                .max(Comparator.comparingInt(List::size));
    }

    private static boolean hasSent(GoroutineSample reader, CodeReader code) {
        return reader.users(CALLERS).stream()
                .anyMatch(frame -> new CodePosition(code, frame)
                        .hasCalled(it -> ASKING.contains(it.call().method())
                                && it.call().owner().startsWith("java.n")
                                && it.call().owner().contains("Datagram")));
    }

    private static boolean isPile(List<WaitDetail> readers) {
        long unanswered =
                readers.stream().filter(it -> it.millisWithoutAnswer() >= 0).count();
        long longOnes = readers.stream()
                .filter(it -> it.millisWithoutAnswer() >= MILLIS)
                .count();
        return longOnes >= READERS && unanswered >= SHARE * readers.size();
    }

    private static Finding finding(List<WaitDetail> readers, Map<Long, GoroutineStats> goroutines, Observation seen) {
        WaitDetail longest = readers.stream()
                .max((a, b) -> Integer.compare(a.millisWithoutAnswer(), b.millisWithoutAnswer()))
                .orElseThrow();
        GoroutineStats reader = goroutines.get(longest.thread());
        if (reader == null) {
            throw new IllegalStateException("goroutine " + longest.thread() + " is in no dump");
        }
        long before = seen.dumps().getFirst().surroundings().waits().stream()
                .filter(it -> longest.peer() != null && longest.peer().equals(it.peer()))
                .count();
        return Finding.of(
                        Cause.SOCKET_READS,
                        "%d goroutines wait for an answer of %s, and their sockets have no read timeout"
                                .formatted(readers.size(), longest.peer()),
                        "the longest asked %.1f s ago; %d waited %.1f s earlier"
                                .formatted(longest.millisWithoutAnswer() / 1e3, before, seen.seconds()))
                .at(GoroutineSample.of(reader));
    }

    /// Whether it waits in a read of a socket on which `setSoTimeout` was not called. A channel has no such
    /// timeout.
    private static boolean readsWithoutTimeout(GoroutineSample reader) {
        boolean reads = false;
        for (Frame frame : reader.frames()) {
            if (frame.is("sun.nio.ch.NioSocketImpl", "timedRead")) {
                return false;
            }
            reads |= frame.is("sun.nio.ch.NioSocketImpl", "implRead")
                    || frame.is("sun.nio.ch.SocketChannelImpl", "read");
        }
        return reads;
    }
}
