// problem: The loader of each of two caches reads the other cache inside computeIfAbsent. A load holds its bin while
//     it waits for a bin of the other map, whose load waits for a bin of the first.
// place: Painters.find
// place: Paintings.find
// remedy: Load outside of the map (get, load, putIfAbsent), or cache futures that are completed outside.
// named: threads inside computeIfAbsent of one map hold its bin and wait for a bin of another in a cycle (deadlock),
//     at the place
// half: threads wait long for a bin or monitor inside computeIfAbsent, without the cycle
// false: a slow load, a pool, CPU, a lost signal
// shows: answered stays the same
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Gallery {

    record Painter(int id, String name, Painting masterpiece) {}

    record Painting(int id, String title, Painter copiedBy) {}

    static final class Database {
        String read(String table, int id) {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(20, 60));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return table + " " + id;
        }
    }

    static final class Painters {
        private final ConcurrentMap<Integer, Painter> cache = new ConcurrentHashMap<>();
        private final Database database;
        private Paintings paintings;

        Painters(Database database) {
            this.database = database;
        }

        Painter find(int id) {
            return cache.computeIfAbsent(id, key -> {
                String name = database.read("painter", key);
                boolean famous = key % 3 != 0;
                return new Painter(key, name, famous ? paintings.find(3 * key) : null);
            });
        }
    }

    static final class Paintings {
        private final ConcurrentMap<Integer, Painting> cache = new ConcurrentHashMap<>();
        private final Database database;
        private Painters painters;

        Paintings(Database database) {
            this.database = database;
        }

        Painting find(int id) {
            return cache.computeIfAbsent(id, key -> {
                String title = database.read("painting", key);
                boolean copy = key % 3 != 0;
                return new Painting(key, title, copy ? painters.find(3 * key) : null);
            });
        }
    }

    record Visitor(Painters painters, Paintings paintings, LongAdder answered) {
        void stroll() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                while (true) {
                    if (random.nextBoolean()) {
                        painters.find(random.nextInt(4_000));
                    } else {
                        paintings.find(random.nextInt(4_000));
                    }
                    answered.increment();
                    Thread.sleep(random.nextInt(10));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Database database = new Database();
        Painters painters = new Painters(database);
        Paintings paintings = new Paintings(database);
        painters.paintings = paintings;
        paintings.painters = painters;
        LongAdder answered = new LongAdder();
        LongAdder entered = new LongAdder();
        for (int i = 0; i < 80; i++) {
            Thread.ofVirtual().name("visitor-" + i).start(new Visitor(painters, paintings, answered)::stroll);
        }
        for (int i = 0; i < 8; i++) {
            Thread.ofVirtual().name("door-" + i).start(() -> {
                try {
                    while (true) {
                        Thread.sleep(25);
                        entered.increment();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("answered " + answered + ", entered " + entered);
        }
    }
}
