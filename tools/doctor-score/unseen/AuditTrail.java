// problem: Every request appends to one audit file and forces it to disk while it holds the file's lock, so the
//     requests queue for the disk.
// place: Trail.append
// remedy: Let one writer thread take entries from a queue and force once for a batch, or force outside the lock.

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** A payment service: every payment leaves a line that the auditors read. */
public final class AuditTrail {

    static final class Trail {
        private static final int LIMIT = 4 << 20;

        private final ReentrantLock order = new ReentrantLock();
        private final FileChannel file;

        Trail(Path path) throws IOException {
            file = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        }

        void append(String entry) {
            ByteBuffer line = StandardCharsets.UTF_8.encode(Instant.now() + " " + entry + "\n");
            order.lock();
            try {
                if (file.position() > LIMIT) {
                    file.position(0);
                }
                while (line.hasRemaining()) {
                    file.write(line);
                }
                file.force(true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                order.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path path = Files.createTempFile("audit", ".log");
        path.toFile().deleteOnExit();
        var trail = new Trail(path);
        var payments = new LongAdder();
        try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 250; i++) {
                int till = i;
                requests.submit(() -> {
                    for (long n = 0; ; n++) {
                        trail.append("till " + till + " payment " + n + " amount " + n * 31 % 997);
                        payments.increment();
                        Thread.sleep(2);
                    }
                });
            }
        }
    }
}
