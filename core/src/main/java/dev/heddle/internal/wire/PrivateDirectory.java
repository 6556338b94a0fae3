package dev.heddle.internal.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Checks directories in places where every user can make some, such as `/tmp`.
public final class PrivateDirectory {

    // Bits of a mode, as in stat(2).
    private static final int OTHERS = 077;
    private static final int TYPE = 0170_000;
    private static final int DIRECTORY = 040_000;

    private PrivateDirectory() {}

    /// Whether this is a directory, not a link to one, that belongs to the user with this number and that no
    /// other user can enter.
    public static boolean isOf(int user, Path directory) {
        try {
            return userOf(directory) == user && isDirectoryForOwnerOnly(directory);
        } catch (IOException | UnsupportedOperationException _) {
            return false; // it does not exist, or this file system has no users
        }
    }

    /// The number of the user that a file belongs to.
    public static int userOf(Path file) throws IOException {
        return attribute(file, "unix:uid");
    }

    private static boolean isDirectoryForOwnerOnly(Path directory) throws IOException {
        int mode = attribute(directory, "unix:mode");
        return (mode & TYPE) == DIRECTORY && (mode & OTHERS) == 0;
    }

    private static int attribute(Path file, String name) throws IOException {
        return (Integer) Files.getAttribute(file, name, LinkOption.NOFOLLOW_LINKS);
    }
}
