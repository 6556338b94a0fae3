package dev.heddle.client;

import dev.heddle.internal.wire.PrivateDirectory;
import dev.heddle.internal.wire.SocketName;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the socket of a process. Only a directory that belongs to the user of the process, and that no other user can
/// enter, is trusted: any user can make directories in `/tmp`.
final class SocketFinder {

    private SocketFinder() {}

    /// The path of the socket, as it can be used here; null if there is none.
    static @Nullable Path find(TargetProcess process) {
        String file = nameOf(process).file();
        List<Path> candidates = new ArrayList<>();
        for (Path parent : SocketName.PARENTS) {
            for (Path directory : directoriesIn(process.seenFromHere(parent))) {
                candidates.add(directory.resolve(file));
            }
        }
        for (Path bound : boundBy(process, file)) {
            candidates.add(process.seenFromHere(bound));
        }
        for (Path each : candidates) {
            Path directory = each.getParent();
            if (Files.exists(each, LinkOption.NOFOLLOW_LINKS)
                    && directory != null
                    && PrivateDirectory.isOf(process.user(), directory)) {
                return each;
            }
        }
        return null;
    }

    static SocketName nameOf(TargetProcess process) {
        return new SocketName(process.ownPid(), SocketName.namespaceOf(process.directory()));
    }

    /// The directories of all users in `parent`.
    static List<Path> directoriesIn(Path parent) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, SocketName.DIRECTORY_PREFIX + "*")) {
            all.forEach(found::add);
        } catch (IOException | DirectoryIteratorException _) {
            // cannot be read, so nothing is found there
        }
        return found;
    }

    /// The paths of sockets that the system knows in the process's network namespace: a setting may have put
    /// ours into another directory.
    private static List<Path> boundBy(TargetProcess process, String file) {
        try (var lines = Files.lines(process.directory().resolve("net").resolve("unix"))) {
            return lines.filter(it -> it.endsWith("/" + file))
                    .map(it -> Path.of(it.substring(it.indexOf('/'))))
                    .toList();
        } catch (IOException | RuntimeException _) {
            return List.of();
        }
    }
}
