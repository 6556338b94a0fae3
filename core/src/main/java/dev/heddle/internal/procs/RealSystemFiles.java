package dev.heddle.internal.procs;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The machine's own files, opened anew at each read: a file kept open would not follow a process that is moved to
/// another cgroup. `FileInputStream` and not `Files`: the JVM has loaded it before any agent runs.
final class RealSystemFiles implements SystemFiles {
    static final RealSystemFiles INSTANCE = new RealSystemFiles(
            new Opener() { // no lambda: the agent's start waits
                @Override
                public InputStream open(String path) throws IOException {
                    return new FileInputStream(path);
                }
            });

    private static final int FIRST_READ = 4096; // all but mountinfo fit; FileInputStream's own stack buffer has 8192
    private static final int MAX_LENGTH = 64 << 20; // ten thousand overlay mounts need a few megabytes

    private final Opener opener;

    RealSystemFiles(Opener opener) {
        this.opener = opener;
    }

    @Override
    public @Nullable String read(String path) throws IOException {
        byte[] bytes = new byte[FIRST_READ];
        int length = 0;
        try (InputStream in = opener.open(path)) {
            for (int n; (n = in.read(bytes, length, bytes.length - length)) >= 0; ) {
                length += n;
                if (length == bytes.length) {
                    if (length >= MAX_LENGTH) {
                        throw new IOException("longer than " + MAX_LENGTH + " bytes");
                    }
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
            }
        } catch (FileNotFoundException e) {
            // Thrown for every failed open(2); only the message, in the machine's language, tells them apart.
            if (!new File(path).exists()) {
                return null;
            }
            throw unreadable(path, e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static IOException unreadable(String path, IOException cause) {
        String why = cause.getMessage();
        if (why == null) {
            why = cause.getClass().getName();
        } else if (why.startsWith(path)) { // "/path (Permission denied)"
            why = why.substring(path.length()).strip();
        }
        return new IOException(path + " cannot be read: " + why, cause);
    }
}
