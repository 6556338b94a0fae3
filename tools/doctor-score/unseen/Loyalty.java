// problem: A booking holds one connection and needs a second one for its points, so the bookings hold all connections
//     and wait for each other.
// place: Loyalty.addPoints
// place: Loyalty.book
// place: DataSource.get
// remedy: Use one connection for the whole booking, or give the first back before the second is requested.

import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.LongAdder;

/** Books journeys and adds points to the traveller's account, each in a transaction of its own. */
public final class Loyalty {

    /** Eight sessions with the database. */
    static final class DataSource {
        private final LinkedBlockingDeque<Session> free = new LinkedBlockingDeque<>();

        DataSource() {
            for (int i = 0; i < 8; i++) {
                free.add(new Session(this, i));
            }
        }

        Session get() throws InterruptedException {
            return free.takeFirst();
        }
    }

    record Session(DataSource home, int number) implements AutoCloseable {
        void update(String sql) throws InterruptedException {
            Thread.sleep(4 + sql.length() % 5);
        }

        @Override
        public void close() {
            home.free.addFirst(this);
        }
    }

    private final DataSource bookings = new DataSource();
    private final LongAdder booked = new LongAdder();

    void book(int traveller) throws InterruptedException {
        try (Session session = bookings.get()) {
            session.update("insert into journey values (" + traveller + ")");
            addPoints(traveller, 120); // a failure here must not undo the journey: a transaction of its own
            session.update("update seat set taken = true");
            booked.increment();
        }
    }

    private void addPoints(int traveller, int points) throws InterruptedException {
        try (Session session = bookings.get()) {
            session.update("update account set points = points + " + points + " where traveller = " + traveller);
        }
    }

    public static void main(String[] args) throws Exception {
        var loyalty = new Loyalty();
        try (var travellers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                int traveller = i;
                travellers.submit(() -> {
                    while (true) {
                        loyalty.book(traveller);
                        Thread.sleep(5);
                    }
                });
            }
        }
    }
}
