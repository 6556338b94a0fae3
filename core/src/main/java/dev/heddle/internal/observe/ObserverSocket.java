package dev.heddle.internal.observe;

import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.wire.PrivateDirectory;
import dev.heddle.internal.wire.SocketName;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// The listening socket of this JVM, in a directory that only its user can enter.
///
/// File and directory are deleted when the JVM ends, the directory unless another JVM of the user has its socket there.
final class ObserverSocket implements Closeable {

    private static final EnumSet<PosixFilePermission> USER_ONLY = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /// Commands that may wait until one before them was accepted.
    private static final int BACKLOG = 64;

    /// Another JVM of the user may end and delete the directory just before our socket is bound.
    private static final int TRIES = 10;

    private final ServerSocketChannel channel;
    private final Path file;
    private final UserPrincipal own;
    private final UserPrincipal root;

    private ObserverSocket(ServerSocketChannel channel, Path file) throws IOException {
        this.channel = channel;
        this.file = file;
        this.own = Files.getOwner(file);
        this.root = file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("0");
    }

    /// Opens the socket in the first directory that can be used; null if there is none.
    ///
    /// @param observe the setting: `on` or a directory
    static @Nullable ObserverSocket open(String observe) {
        for (Path parent : parents(observe)) {
            try {
                return openIn(parent);
            } catch (IOException | RuntimeException _) {
                // read-only, full, or another user's: the next one
            }
        }
        return null;
    }

    private static List<Path> parents(String observe) {
        String directory = Settings.directoryOf(observe);
        if (directory != null) {
            return List.of(Path.of(directory));
        }
        List<Path> parents = new ArrayList<>(SocketName.PARENTS);
        parents.add(Path.of(Settings.fact("java.io.tmpdir")));
        String session = Settings.runtimeDirectory();
        if (session != null) {
            parents.add(Path.of(session));
        }
        return parents;
    }

    private static ObserverSocket openIn(Path parent) throws IOException {
        Path self = Path.of("/proc/self");
        SocketName name = new SocketName(ProcessHandle.current().pid(), SocketName.namespaceOf(self));
        int user = ownUser(self);
        Path directory = parent.resolve(SocketName.DIRECTORY_PREFIX + user);
        Path file = directory.resolve(name.file());
        if (file.toString().getBytes(StandardCharsets.UTF_8).length > SocketName.MAX_PATH_BYTES) {
            throw new IOException("the path is too long: " + file);
        }
        for (int left = TRIES; ; left--) {
            ensureOwn(directory, user);
            try {
                return bind(directory, file);
            } catch (IOException e) {
                if (left == 0 || Files.exists(directory)) {
                    throw e;
                }
            }
        }
    }

    /// The number of the user that this process acts for.
    private static int ownUser(Path self) throws IOException {
        Path status = self.resolve("status");
        if (Files.isReadable(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("Uid:")) {
                    return Integer.parseInt(line.split("\\s+", -1)[2]); // real, effective, saved, file system
                }
            }
        }
        return PrivateDirectory.userOf(Path.of(Settings.fact("user.home"))); // not Linux
    }

    /// Another user must not be able to put a directory of its own in our place.
    private static void ensureOwn(Path directory, int user) throws IOException {
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(USER_ONLY));
        } catch (FileAlreadyExistsException _) {
            // by an earlier JVM, or by another user
        }
        if (!PrivateDirectory.isOf(user, directory) && Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is not a directory of this user alone");
        }
    }

    private static ObserverSocket bind(Path directory, Path file) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) { // of an earlier process with our number
            refuseIfInUse(address);
            Files.delete(file);
        }
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(address, BACKLOG);
            directory.toFile().deleteOnExit(); // the last one is deleted first
            file.toFile().deleteOnExit();
            return new ObserverSocket(channel, file);
        } catch (IOException | RuntimeException e) { // of the latter: the JVM is ending
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /// Another Heddle of this JVM, in another class loader, may have this socket.
    private static void refuseIfInUse(UnixDomainSocketAddress address) throws IOException {
        try (SocketChannel _ = SocketChannel.open(address)) {
            throw new IllegalStateException(address + " is in use");
        } catch (IOException _) {
            // nothing listens there
        }
    }

    /// Whether commands can find the socket.
    boolean isInPlace() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Waits for a command; null if it is not of our user or of root.
    @Nullable
    SocketChannel accept() throws IOException {
        SocketChannel client = channel.accept();
        boolean isAllowed = false;
        try {
            UserPrincipal user =
                    client.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            isAllowed = user.equals(own) || user.equals(root);
        } finally {
            if (!isAllowed) {
                client.close();
            }
        }
        return isAllowed ? client : null;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // the JVM ends, and the socket with it
        }
    }
}
