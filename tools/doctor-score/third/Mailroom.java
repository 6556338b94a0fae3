// problem: The journal writes each line and its place in the index, and forces both files to the disk, while it
//     holds its lock. 60 clerks wait for it with each letter, and get what one disk can force, one line at a time.
// place: Journal.append
// remedy: Let one writer force many lines at once (group commit), outside the lock; or do not force each line.
// named: the journal's lock is held while its holder writes to or forces the disk, at the place
// half: the lock is contended or the disk is slow, without the other or without the place
// false: a deadlock, a lost unlock, CPU, too many threads
// shows: in the lock is above 80 % of the time, and waiting is mostly above 20
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

public class Mailroom {

    static final class Journal {
        private static final int SEGMENT = 4 << 20;
        private final ReentrantLock lock = new ReentrantLock();
        private final FileChannel file = newFile("mailroom");
        private final FileChannel index = newFile("mailroom-index");
        private final AtomicLong forces = new AtomicLong();
        private final AtomicLong nanos = new AtomicLong();
        private long position;

        Journal() throws IOException {}

        private static FileChannel newFile(String name) throws IOException {
            Path path = Files.createTempFile(Path.of("").toAbsolutePath(), name, ".journal");
            return FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }

        void append(String line) throws IOException {
            lock.lock();
            long start = System.nanoTime();
            try {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(line);
                long at = position;
                position = (at + file.write(bytes, at)) % SEGMENT;
                file.force(true);
                index.write(ByteBuffer.allocate(Long.BYTES).putLong(0, at), forces.get() % 10_000 * Long.BYTES);
                index.force(true);
                forces.incrementAndGet();
            } finally {
                nanos.addAndGet(System.nanoTime() - start);
                lock.unlock();
            }
        }
    }

    private static void clerk(Journal journal, int number, AtomicLong letters) {
        try {
            while (true) {
                long letter = letters.incrementAndGet();
                journal.append("letter %d, clerk %d, %s%n".formatted(letter, number, "stamp ".repeat(60)));
                Thread.sleep(5);
            }
        } catch (IOException e) {
            System.out.println("clerk " + number + " stops: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var journal = new Journal();
        var letters = new AtomicLong();
        for (int i = 0; i < 60; i++) {
            int number = i;
            Thread.ofVirtual().name("clerk-" + i).start(() -> clerk(journal, number, letters));
        }
        long before = 0;
        while (true) {
            Thread.sleep(1_000);
            long now = journal.nanos.get();
            System.out.printf(
                    "letters %d, forces %d, in the lock %d %% of the time, waiting %d%n",
                    letters.get(), journal.forces.get(), (now - before) / 10_000_000, journal.lock.getQueueLength());
            before = now;
        }
    }
}
