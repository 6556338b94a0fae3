// problem: One consumer takes letters from an unbounded queue more slowly than they arrive, so the queue grows
//     without end and every letter is later than the one before.
// place: Outbox.sendAll
// place: Outbox.transmit
// place: Newsletter.subscribe
// remedy: Let several consumers send, bound the queue, and refuse or wait when it is full.

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/** Confirms subscriptions by mail. */
public final class Newsletter {

    record Letter(long subscriber, String text) {}

    static final class Outbox {
        private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
        private final LongAdder sent = new LongAdder();

        void add(Letter letter) {
            letters.add(letter);
        }

        void sendAll() {
            try {
                while (true) {
                    transmit(letters.take());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void transmit(Letter letter) throws InterruptedException {
            Thread.sleep(10); // the mail server
            sent.add(letter.text().length());
        }
    }

    private final Outbox outbox = new Outbox();

    private void subscribe(long subscriber) throws InterruptedException {
        Thread.sleep(4); // the insert
        outbox.add(new Letter(subscriber, "welcome, subscriber " + subscriber));
    }

    public static void main(String[] args) throws Exception {
        var newsletter = new Newsletter();
        Thread.ofVirtual().name("outbox").start(newsletter.outbox::sendAll);
        try (var forms = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 12; i++) {
                int form = i;
                forms.submit(() -> {
                    for (long n = 0; ; n++) {
                        newsletter.subscribe(n * 12 + form);
                        Thread.sleep(12);
                    }
                });
            }
        }
    }
}
