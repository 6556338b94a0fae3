package dev.heddle.internal.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The name of the socket of a JVM: `PID.NAMESPACE.sock`, in a directory `heddle-USER` of mode 700.
///
/// The number is the process's own, in its PID namespace. Containers may share a directory for temporary files and use
/// the same numbers, so the namespace is part of the name.
///
/// @param pid       the process, as it knows itself
/// @param namespace the number of its PID namespace; 0 where there are none
public record SocketName(long pid, long namespace) {

    /// How the name of the directory begins. The rest names the user, for people.
    public static final String DIRECTORY_PREFIX = "heddle-";

    /// How the name of a socket ends.
    public static final String SUFFIX = ".sock";

    /// Where the directory is, unless that is read-only. `/dev/shm` is writable in containers whose root is
    /// not.
    public static final List<Path> PARENTS = List.of(Path.of("/tmp"), Path.of("/dev/shm"));

    /// The longest path that every system takes as the name of a socket, in bytes.
    public static final int MAX_PATH_BYTES = 100;

    /// The name of the file.
    public String file() {
        return pid + "." + namespace + SUFFIX;
    }

    /// What a file is the socket of; null if it is none.
    public static @Nullable SocketName parse(String file) {
        String[] parts = file.split("\\.", -1);
        try {
            return parts.length == 3 && file.endsWith(SUFFIX)
                    ? new SocketName(Long.parseLong(parts[0]), Long.parseLong(parts[1]))
                    : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /// The number of the PID namespace of a process.
    ///
    /// @param process its directory under `/proc`
    /// @return 0 if it cannot be found out
    public static long namespaceOf(Path process) {
        try {
            String link =
                    Files.readSymbolicLink(process.resolve("ns").resolve("pid")).toString(); // pid:[4026531836]
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
        } catch (IOException | RuntimeException _) {
            return 0;
        }
    }
}
