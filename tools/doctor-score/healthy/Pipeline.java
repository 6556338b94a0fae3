// healthy: A pipeline of four stages, joined by a channel and two bounded queues. 500 items a second come in, and every
//     stage has time to spare.

import dev.heddle.Chan;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Reads lines, parses them, looks up a name for each, and counts. */
public final class Pipeline {

    record Item(long number, int key, String name) {}

    private final Chan<String> lines = Chan.make(64);
    private final BlockingQueue<Item> parsed = new ArrayBlockingQueue<>(64);
    private final BlockingQueue<Item> named = new ArrayBlockingQueue<>(64);
    private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    private void read() throws InterruptedException {
        for (long n = 0; ; n++) {
            for (int i = 0; i < 10; i++) {
                lines.send((n * 10 + i) + ";" + (n * 7 + i) % 100);
            }
            Thread.sleep(20);
        }
    }

    private void parse() throws InterruptedException {
        while (true) {
            String[] fields = lines.receive().split(";");
            parsed.put(new Item(Long.parseLong(fields[0]), Integer.parseInt(fields[1]), ""));
        }
    }

    private void name() throws InterruptedException {
        while (true) {
            Item item = parsed.take();
            Thread.sleep(2); // a remote lookup
            named.put(new Item(item.number(), item.key(), "name " + item.key()));
        }
    }

    private void count() throws InterruptedException {
        while (true) {
            counts.computeIfAbsent(named.take().name(), _ -> new LongAdder()).increment();
        }
    }

    private interface Stage {
        void run() throws InterruptedException;
    }

    private static void start(int threads, Stage stage) {
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    stage.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    public static void main(String[] args) throws Exception {
        var pipeline = new Pipeline();
        start(1, pipeline::count);
        start(16, pipeline::name);
        start(2, pipeline::parse);
        start(1, pipeline::read);
        Thread.currentThread().join();
    }
}
