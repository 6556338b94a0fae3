// problem: A group takes its cabins one by one from a semaphore with six permits, and keeps those it has while it
//     waits for the next. When the groups at the station hold all six and each still needs one, no group ever rides.
// place: Station.board
// remedy: Take all cabins of a group at once, with acquire(n); or give back what was taken if the rest does not
//     come.
// named: the holders of the permits wait for more permits of the same semaphore, at the place
// half: the semaphore has no permits left, or threads at it make no progress, without saying that holders wait
// false: rides that take too long, permits that were lost by an exception, or a lock
// shows: rides stays the same, and cabins free is 0
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class Ropeway {

    static final class Station {
        private static final int CABINS = 6;
        private final Semaphore cabins = new Semaphore(CABINS, true);
        private final AtomicInteger rides = new AtomicInteger();
        private final AtomicInteger guests = new AtomicInteger();

        void ride(int people) throws InterruptedException {
            int needed = (people + 3) / 4;
            board(needed, people);
            try {
                Thread.sleep(60); // up and down
                rides.incrementAndGet();
            } finally {
                cabins.release(needed);
            }
        }

        private void board(int needed, int people) throws InterruptedException {
            int left = people;
            for (int i = 0; i < needed; i++) {
                cabins.acquire();
                int inside = Math.min(left, 4);
                left -= inside;
                guests.addAndGet(inside);
                Thread.sleep(3L * inside); // skis off, in, door closed
            }
        }
    }

    /// The cable is checked all the time, which has nothing to do with the groups.
    private static void inspectCable(AtomicInteger metres) {
        try {
            while (true) {
                Thread.sleep(20);
                metres.addAndGet(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var station = new Station();
        var metres = new AtomicInteger();
        Thread.ofVirtual().name("inspector").start(() -> inspectCable(metres));
        for (int i = 0; i < 18; i++) {
            Thread.ofVirtual().name("group-" + i).start(() -> {
                var random = ThreadLocalRandom.current();
                try {
                    while (true) {
                        station.ride(random.nextInt(1, 13));
                        Thread.sleep(random.nextInt(20, 120)); // the slope
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "rides %d, guests %d, cabins free %d, at the station %d, cable %d m%n",
                    station.rides.get(), station.guests.get(), station.cabins.availablePermits(),
                    station.cabins.getQueueLength(), metres.get());
        }
    }
}
