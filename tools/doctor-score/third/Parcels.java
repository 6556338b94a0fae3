// problem: A session that was borrowed from the pool is not given back if the postcode of the parcel is foreign:
//     the method throws between the borrowing and its try block. After eight such parcels the pool is empty for good.
// place: LabelDesk.label
// place: SessionPool.borrow
// remedy: Open the try block directly after borrowing, or find the zone before borrowing a session.
// named: the pool, or the queue behind it, is empty because what was borrowed does not come back, at one of the
//     places
// half: too few sessions or threads that wait for a queue, without saying that sessions do not come back
// false: a slow printer, a slow database, a lock, or a pool that is only too small
// shows: labels stays the same, and idle sessions is 0 for 30 seconds and longer
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

public class Parcels {

    record Parcel(long id, String postcode) {}

    record Session(int number) {
        String print(long parcel, String zone) throws InterruptedException {
            Thread.sleep(4); // the round trip to the carrier
            return zone + "-" + parcel + "-" + number;
        }
    }

    static final class SessionPool {
        private final BlockingQueue<Session> idle = new ArrayBlockingQueue<>(8);

        SessionPool() {
            for (int i = 0; i < 8; i++) {
                idle.add(new Session(i));
            }
        }

        Session borrow() throws InterruptedException, TimeoutException {
            Session session = idle.poll(30, TimeUnit.SECONDS);
            if (session == null) {
                throw new TimeoutException("no carrier session within 30 s");
            }
            return session;
        }

        void giveBack(Session session) {
            idle.add(session);
        }

        int idle() {
            return idle.size();
        }
    }

    static final class LabelDesk {
        private final SessionPool sessions = new SessionPool();
        private final AtomicLong printed = new AtomicLong();

        String label(Parcel parcel) throws InterruptedException, TimeoutException {
            Session session = sessions.borrow();
            String zone = zoneOf(parcel.postcode());
            try {
                String label = session.print(parcel.id(), zone);
                printed.incrementAndGet();
                return label;
            } finally {
                sessions.giveBack(session);
            }
        }

        private String zoneOf(String postcode) {
            return "Z" + Integer.parseInt(postcode) / 10_000;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var desk = new LabelDesk();
        var ids = new AtomicLong();
        var refused = new AtomicLong();
        for (int counter = 0; counter < 40; counter++) {
            Thread.ofVirtual().name("counter-" + counter).start(() -> {
                while (true) {
                    long id = ids.incrementAndGet();
                    String postcode = id % 25 == 0 ? "SW1A 1AA" : "%05d".formatted(id * 37 % 100_000);
                    try {
                        desk.label(new Parcel(id, postcode));
                        Thread.sleep(150);
                    } catch (NumberFormatException | TimeoutException e) {
                        refused.incrementAndGet(); // the clerk writes the label by hand
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            int idle = desk.sessions.idle();
            System.out.printf("labels %d, refused %d, idle sessions %d%n", desk.printed.get(), refused.get(), idle);
        }
    }
}
