// problem: The thread that writes the journal to its file reports a record that is too long through the same journal.
//     The journal's queue is bounded and full, so its only consumer waits for room, and with it all who write.
// place: Journal.drain
// place: Journal.note
// remedy: Never let the writer use its own queue (write its own messages directly or drop them), or drop records when
//     the queue is full.
// named: the only consumer of a full queue waits to put into the same queue, at the place
// half: producers wait for a full queue whose consumer is stuck or gone, without that it waits for its own queue
// false: slow file I/O, a lock, a deadlock of locks, CPU, a queue that is only too small
// shows: written stays the same
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Abbey {

    record Line(String who, String text) {}

    static final class Journal {
        private static final int LONGEST = 120;

        private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(64);
        private final FileChannel file;
        private final LongAdder written = new LongAdder();

        Journal(Path path) throws IOException {
            file = FileChannel.open(path, StandardOpenOption.WRITE);
            Files.delete(path); // the file lives as long as the channel
        }

        void note(String who, String text) throws InterruptedException {
            lines.put(new Line(who, text));
        }

        void drain() {
            try {
                while (true) {
                    Line line = lines.take();
                    int length = line.text().length();
                    append(new Line(line.who(), line.text().substring(0, Math.min(length, LONGEST))));
                    if (length > LONGEST) {
                        note("journal", "cut a line of " + line.who());
                    }
                }
            } catch (IOException e) {
                System.out.println(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void append(Line line) throws IOException, InterruptedException {
            String text = line.who() + ": " + line.text() + "\n";
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), (written.sum() % 1_000) * 160);
            if (written.sum() % 20 == 0) {
                file.force(false);
                Thread.sleep(5); // the disk's share
            }
            written.increment();
        }
    }

    record Monk(String name, Journal journal, LongAdder prayed) {
        void live() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                while (true) {
                    for (int i = 0; i < 4; i++) {
                        journal.note(name, "page " + "of the book ".repeat(random.nextInt(1, 12)));
                    }
                    prayed.increment();
                    Thread.sleep(random.nextInt(10, 40));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void ring(LongAdder bells) {
        try {
            while (true) {
                Thread.sleep(50);
                bells.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Journal journal = new Journal(Files.createTempFile("journal", ".txt"));
        LongAdder prayed = new LongAdder();
        LongAdder bells = new LongAdder();
        Thread.ofVirtual().name("scribe").start(journal::drain);
        for (int i = 0; i < 80; i++) {
            Thread.ofVirtual().name("monk-" + i).start(new Monk("monk " + i, journal, prayed)::live);
        }
        Thread.ofVirtual().name("bells").start(() -> ring(bells));
        while (true) {
            Thread.sleep(1_000);
            System.out.println("written " + journal.written + ", prayed " + prayed + ", bells " + bells);
        }
    }
}
