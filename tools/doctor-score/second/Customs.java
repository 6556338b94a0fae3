// problem: The static initialisers of two classes need each other, and two threads began with different ones, so both
//     wait forever, and so does every thread that needs one of the classes; a waiting thread keeps its carrier.
// place: Goods.<clinit>
// place: Duties.<clinit>
// place: Customs.declare
// place: Customs.refund
// remedy: Break the cycle: let one class not use the other in its static initialiser, for example by lazy loading.

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Computes customs duties for travellers, and shows how long the queues at the border are. */
public final class Customs {

    private final LongAdder duties = new LongAdder();
    private final LongAdder shown = new LongAdder();

    void declare(String code, int value) {
        duties.add(Goods.find(code).duty(value));
    }

    void refund(String code, int value) {
        duties.add(-Duties.percent(code) * value / 100);
    }

    void showQueue(int border) throws InterruptedException {
        Thread.sleep(5); // the camera
        shown.add(border);
    }

    public static void main(String[] args) {
        var customs = new Customs();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                int border = i;
                threads.submit(() -> {
                    while (true) {
                        customs.showQueue(border);
                        Thread.sleep(10);
                    }
                });
            }
            for (int i = 0; i < 5; i++) {
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(30);
                        customs.declare("wine", ThreadLocalRandom.current().nextInt(300));
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(30);
                        customs.refund("watch", ThreadLocalRandom.current().nextInt(300));
                    }
                });
            }
        }
    }
}

/** A kind of goods. */
record Goods(String code, int percent) {

    private static final Map<String, Goods> ALL = new HashMap<>();
    private static final Set<String> EXEMPT = Set.of("books", "medicine");

    static {
        for (String code : Catalogue.read("goods", "wine", "watch", "coffee")) {
            ALL.put(code, new Goods(code, Duties.percent(code)));
        }
    }

    static Goods find(String code) {
        return ALL.get(code);
    }

    static boolean isExempt(String code) {
        return EXEMPT.contains(code);
    }

    int duty(int value) {
        return value * percent / 100;
    }
}

/** How much duty is paid. */
final class Duties {

    private static final Map<String, Integer> PERCENT = new HashMap<>();

    static {
        for (String line : Catalogue.read("duties", "wine 12", "watch 5", "coffee 3")) {
            String[] parts = line.split(" ");
            if (!Goods.isExempt(parts[0])) {
                PERCENT.put(parts[0], Integer.valueOf(parts[1]));
            }
        }
    }

    static int percent(String code) {
        return PERCENT.getOrDefault(code, 10);
    }
}

/** The lists that the ministry publishes. */
final class Catalogue {

    static String[] read(String list, String... lines) {
        try {
            Thread.sleep(100); // the server of the ministry
        } catch (InterruptedException e) {
            throw new IllegalStateException("no list of " + list, e);
        }
        return lines;
    }
}
