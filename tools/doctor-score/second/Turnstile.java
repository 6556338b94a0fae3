// problem: The counter of a gate is written to the remote journal inside ConcurrentHashMap.compute, so all visitors of
//     the main gate wait for the bin of its key, one after the other.
// place: Visits.count
// place: Journal.write
// remedy: Count in memory with merge, and write the counts to the journal from time to time outside the map.

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Lets visitors of a trade fair in. Most of them use the main gate. */
public final class Turnstile {

    private final Visits visits = new Visits(new Journal());
    private final LongAdder entered = new LongAdder();
    private final LongAdder shown = new LongAdder();

    void enter(String gate) throws InterruptedException {
        Thread.sleep(2); // reads the ticket
        visits.count(gate);
        entered.increment();
    }

    void showPlan(int hall) throws InterruptedException {
        Thread.sleep(7); // the plan comes from the file server
        shown.add(hall % 2);
    }

    private static String someGate() {
        int choice = ThreadLocalRandom.current().nextInt(20);
        return choice < 17 ? "main" : "gate " + choice;
    }

    public static void main(String[] args) {
        var fair = new Turnstile();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 90; i++) {
                threads.submit(() -> {
                    while (true) {
                        fair.enter(someGate());
                        Thread.sleep(25);
                    }
                });
            }
            for (int i = 0; i < 45; i++) {
                int hall = i;
                threads.submit(() -> {
                    while (true) {
                        fair.showPlan(hall);
                        Thread.sleep(15);
                    }
                });
            }
        }
    }
}

/** The number of visitors of each gate. */
final class Visits {

    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    private final Journal journal;

    Visits(Journal journal) {
        this.journal = journal;
    }

    int count(String gate) {
        return counts.compute(gate, (name, before) -> {
            int now = before == null ? 1 : before + 1;
            journal.write(name, now);
            return now;
        });
    }
}

/** Keeps each count on another machine. */
final class Journal {

    private volatile String last = "";

    void write(String gate, int count) {
        try {
            Thread.sleep(5); // the other machine confirms
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        last = gate + "=" + count;
    }

    @Override
    public String toString() {
        return last;
    }
}
