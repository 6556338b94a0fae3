// problem: The listener starts a goroutine for each passage, and ten of them at a time may book it. 600 passages
//     come in each second and 200 are booked: the rest waits at the semaphore, one thread each, and there is no limit.
// place: Listener.onPassage
// place: Listener.book
// remedy: Acquire the permit before the goroutine is started, or read the passages with ten workers, so that the
//     listener is slowed down or refuses.
// named: threads pile up without a bound at the semaphore, or are started faster than they end, at one of the
//     places
// half: the semaphore is exhausted or held too long, without the growing number of threads
// false: permits that are leaked, a deadlock, a lock
// shows: waiting grows by some hundreds in each second
import dev.heddle.Go;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

public class Tollgate {

    record Passage(long id, String plate, byte[] photo) {}

    static final class Bank {
        private final Semaphore connections = new Semaphore(10);
        private final LongAdder booked = new LongAdder();

        void charge(Passage passage) throws InterruptedException {
            connections.acquire();
            try {
                Thread.sleep(50); // the bank
                booked.increment();
            } finally {
                connections.release();
            }
        }
    }

    static final class Listener {
        private final Bank bank;
        private final LongAdder passages = new LongAdder();

        Listener(Bank bank) {
            this.bank = bank;
        }

        void onPassage(Passage passage) {
            passages.increment();
            Go.go(() -> book(passage));
        }

        private void book(Passage passage) throws InterruptedException {
            if (passage.photo().length == 0) {
                throw new IllegalArgumentException("no photo of " + passage.plate());
            }
            bank.charge(passage);
        }
    }

    /// The gates send a batch of passages every tenth of a second.
    private static void gates(Listener listener) throws InterruptedException {
        for (long id = 0; ; ) {
            for (int i = 0; i < 60; i++) {
                listener.onPassage(new Passage(id, "HD-" + id % 9_999, new byte[256]));
                id++;
            }
            Thread.sleep(100);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var bank = new Bank();
        var listener = new Listener(bank);
        Go.go(() -> gates(listener));
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "passages %d, booked %d, waiting %d%n",
                    listener.passages.sum(), bank.booked.sum(), bank.connections.getQueueLength());
        }
    }
}
