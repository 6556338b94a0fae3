package dev.heddle.client;

import dev.heddle.internal.wire.LineChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// Connects to the socket of a process, which opens it on request.
final class SocketOpener {

    private static final long PAUSE_MILLIS = 20;

    private SocketOpener() {}

    /// @throws IOException with one sentence, if the process does not open its socket in time
    static LineChannel open(TargetProcess process, Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        SocketChannel channel = connect(process);
        if (channel == null) {
            Kill.wake(process.pid());
        }
        while (channel == null) {
            if (!process.isAlive()) {
                throw new IOException("process " + process.pid() + " has ended.");
            }
            if (System.nanoTime() > end) {
                throw new IOException("process " + process.pid() + " does not answer: it is stopped or very busy, or it"
                        + " finds no directory for its socket, which the setting observe=DIRECTORY can name.");
            }
            Pause.millis(PAUSE_MILLIS);
            channel = connect(process);
        }
        return new LineChannel(channel);
    }

    /// Null if no process listens.
    private static @Nullable SocketChannel connect(TargetProcess process) throws IOException {
        Path file = SocketFinder.find(process);
        if (file == null) {
            return null;
        }
        SocketChannel channel;
        try {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(file));
        } catch (IOException _) {
            return null; // left behind by a process of the same number, or not open yet
        }
        boolean isExpected = false;
        try {
            UserPrincipal user =
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            isExpected = user.equals(Files.getOwner(file.getParent()));
        } finally {
            if (!isExpected) {
                channel.close();
            }
        }
        if (!isExpected) {
            throw new IOException("the socket " + file + " belongs to another user than its directory.");
        }
        return channel;
    }
}
