package dev.heddle.client;

import dev.heddle.internal.wire.PrivateDirectory;
import dev.heddle.internal.wire.SocketName;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Deletes the sockets that killed JVMs have left behind, and their directory if it is empty then.
final class StaleSockets {

    /// A JVM that is opening its socket refuses connections for some microseconds.
    private static final Duration YOUNG = Duration.ofSeconds(10);

    private StaleSockets() {}

    /// Deletes those of our user.
    static void delete() {
        int user = new TargetProcess(ProcessHandle.current()).user();
        for (Path parent : SocketName.PARENTS) {
            for (Path directory : SocketFinder.directoriesIn(parent)) {
                if (PrivateDirectory.isOf(user, directory)) {
                    deleteIn(directory);
                }
            }
        }
    }

    private static void deleteIn(Path directory) {
        boolean isOurs = false; // other programs may have directories whose names begin in the same way
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SocketName.SUFFIX)) {
            for (Path file : files) {
                if (isStale(file)) {
                    Files.deleteIfExists(file);
                    isOurs = true;
                }
            }
        } catch (IOException | DirectoryIteratorException _) {
            // another command is deleting them too
        }
        if (isOurs) {
            try {
                Files.delete(directory);
            } catch (IOException _) {
                // it has the sockets of other JVMs
            }
        }
    }

    /// Whether the socket's process is gone: nothing listens, and the process does not exist. A process of
    /// another PID namespace cannot be looked up by its number; then it counts that nothing listens and that
    /// the file is not new.
    static boolean isStale(Path file) throws IOException {
        SocketName name = SocketName.parse(String.valueOf(file.getFileName()));
        if (name == null || isListening(file)) {
            return false;
        }
        boolean isOurNamespace = name.namespace() == SocketName.namespaceOf(Path.of("/proc/self"));
        if (isOurNamespace && name.namespace() != 0) {
            return ProcessHandle.of(name.pid()).isEmpty();
        }
        Instant made =
                Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
        return made.isBefore(Instant.now().minus(YOUNG));
    }

    private static boolean isListening(Path file) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            return channel.isConnected();
        } catch (ConnectException _) {
            return false;
        } catch (IOException | RuntimeException _) {
            return true; // in doubt it stays
        }
    }
}
