// problem: A search waits for the first of three answers only; the two other threads then wait forever in a hand-over
//     that nobody takes, and they pile up.
// place: Search.ask
// place: Search.first
// remedy: Give the answers room (a queue with capacity 3) or cancel the other threads when the first answer is there.

import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Asks three search engines and shows the first answer. */
public final class Fanout {

    static final class Search {
        private final SynchronousQueue<String> answers = new SynchronousQueue<>();

        String first(String words) throws InterruptedException {
            for (int engine = 0; engine < 3; engine++) {
                int number = engine;
                Thread.startVirtualThread(() -> ask(number, words));
            }
            return answers.take();
        }

        private void ask(int engine, String words) {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 30));
                answers.put("engine " + engine + " found " + words.length() + " pages");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        var shown = new LongAdder();
        try (var visitors = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                int visitor = i;
                visitors.submit(() -> {
                    for (int n = 0; n < 2_000; n++) {
                        shown.add(new Search().first("visitor " + visitor + " asks " + n).length());
                        Thread.sleep(40);
                    }
                    return null;
                });
            }
        }
        Thread.currentThread().join();
    }
}
