package dev.heddle.doctor;

import java.util.List;
import java.util.Optional;

/// Many threads that make no progress in a write to a socket: the buffers of the connection are full, because
/// its peer does not read. A socket has no timeout for writes.
///
/// One slow peer at a time is ordinary, and its thread goes on whenever the peer has read something.
final class SocketWritesRule implements Rule {

    /// Fewer peers may have been suspended.
    private static final int WRITERS = 5;

    @Override
    public Cause cause() {
        return Cause.SOCKET_WRITES;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<GoroutineSample> writers = Standing.in(seen).threads().values().stream()
                .filter(it -> it.isIn("sun.nio.ch.NioSocketImpl", "implWrite", "write")
                        || it.isIn("sun.nio.ch.SocketChannelImpl", "write"))
                .filter(it -> it.usersTop() != null)
                .toList();
        if (writers.size() < WRITERS) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                        Cause.SOCKET_WRITES,
                        "%d threads make no progress in a write to a socket, for example at %s"
                                .formatted(writers.size(), writers.getFirst().place()),
                        "none of them could send anything in %.1f s or more: their peers do not read"
                                .formatted(Standing.leastSeconds(seen)))
                .at(writers.getFirst()));
    }
}
