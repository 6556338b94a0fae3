// healthy: Entries are forced to the disk in groups by one writer, and 30 guards wait for their group, some tens of
//     milliseconds. Four attempts in a hundred fail and are repeated after a pause. A guard hashes a key now and then.
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

public class Strongbox {

    record Entry(String text, CompletableFuture<Void> isSafe) {}

    static final class Journal {
        private final BlockingQueue<Entry> entries = new LinkedBlockingQueue<>(500);
        private final LongAdder forces = new LongAdder();
        private final LongAdder written = new LongAdder();

        CompletableFuture<Void> append(String text) throws InterruptedException {
            var entry = new Entry(text, new CompletableFuture<>());
            entries.put(entry);
            return entry.isSafe();
        }

        void write() throws IOException, InterruptedException {
            Path path = Files.createTempFile("strongbox", ".journal");
            try (var file = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
                List<Entry> group = new ArrayList<>();
                while (true) {
                    group.add(entries.take());
                    entries.drainTo(group, 100);
                    for (Entry entry : group) {
                        file.write(ByteBuffer.wrap(entry.text().getBytes(StandardCharsets.UTF_8)));
                    }
                    file.force(false);
                    group.forEach(it -> it.isSafe().complete(null));
                    forces.increment();
                    written.add(group.size());
                    group.clear();
                    if (file.position() > 4 << 20) {
                        file.position(0);
                    }
                    Thread.sleep(30); // lets the next group grow
                }
            }
        }
    }

    private static void guard(Journal journal, int number) {
        var random = ThreadLocalRandom.current();
        try {
            for (int round = 0; ; round++) {
                for (int attempt = 0; random.nextInt(100) < 4; attempt++) {
                    Thread.sleep(50L << Math.min(attempt, 4)); // the door was busy
                }
                journal.append("guard " + number + " round " + round + "\n").join();
                if (round % 200 == number) {
                    SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(new PBEKeySpec("sesame".toCharArray(), new byte[16], 5_000, 256));
                }
                Thread.sleep(random.nextInt(100, 300));
            }
        } catch (GeneralSecurityException e) {
            System.out.println("guard " + number + " stops: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var journal = new Journal();
        Thread.ofVirtual().name("writer").start(() -> {
            try {
                journal.write();
            } catch (IOException | InterruptedException e) {
                System.out.println("the journal stops: " + e.getMessage());
            }
        });
        for (int i = 0; i < 30; i++) {
            int number = i;
            Thread.ofVirtual().name("guard-" + i).start(() -> guard(journal, number));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("written %d, forces %d%n", journal.written.sum(), journal.forces.sum());
        }
    }
}
