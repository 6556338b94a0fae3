package dev.heddle.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Figures of this process from Linux.
public final class Proc {

    private static final Path STATUS = Path.of("/proc/self/status");

    private Proc() {}

    private static final byte[] EMPTY = {};
    private static final int YOUNG_BYTES = 1 << 30; // more than the young generation of any peer

    private static final int CHUNK_BYTES = 64 << 10;

    /// Objects that survive: enough to touch the survivor spaces, too few for the old generation.
    private static final byte[][] SURVIVORS = new byte[500][];

    /// The resident memory in bytes, after a collection. The young generation is filled first, so that its
    /// pages are always resident. So the difference of two results is the memory that is retained.
    public static long residentBytes() throws IOException {
        for (int i = 0; i < YOUNG_BYTES / CHUNK_BYTES; i++) {
            SURVIVORS[i % SURVIVORS.length] = new byte[CHUNK_BYTES];
        }
        Arrays.fill(SURVIVORS, EMPTY);
        System.gc();
        return 1024 * number("VmRSS:"); // in kB
    }

    /// The number of operating system threads.
    public static long threads() throws IOException {
        return number("Threads:");
    }

    private static long number(String key) throws IOException {
        if (!Files.exists(STATUS)) {
            throw new IOException("this needs Linux, for " + STATUS);
        }
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(key)) {
                return Long.parseLong(
                        line.substring(key.length()).replace("kB", "").strip());
            }
        }
        throw new IOException(STATUS + " has no " + key);
    }
}
