// problem: The class Hat makes its standard hat, a Bowler, in its static initialiser, and Bowler is a subclass of Hat.
//     One thread begins with Hat and another with Bowler, and each waits for the class that the other initialises. All
//     who need one of them wait too, and hold their carriers.
// place: Hat.<clinit>
// place: Catalogue.standard
// place: Catalogue.bowler
// remedy: Let no class use a subclass in its static initialiser; put the standard hat into a class of its own.
// named: a deadlock of two class initialisers, or threads that wait for a class initialiser that never ends, at the
//     place
// half: carriers are held by pinned threads that wait, without the class initialisation
// false: a deadlock of locks, a slow initialiser that ends, CPU, a pool
// shows: fitted stays 0
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Milliner {

    static final class Sizes {
        static List<Integer> load(String kind) {
            try {
                Thread.sleep(120);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of(52 + kind.length() % 2, 54, 56, 58, 60);
        }
    }

    abstract static class Hat {
        static final List<Integer> SIZES = Sizes.load("hat");
        static final Hat STANDARD = new Bowler(56);

        final int size;

        Hat(int size) {
            this.size = size;
        }

        abstract String name();
    }

    static final class Bowler extends Hat {
        private static final List<Integer> BRIMS = Sizes.load("brim");

        Bowler(int size) {
            super(size);
        }

        @Override
        String name() {
            return "bowler " + BRIMS.getFirst();
        }
    }

    static final class Catalogue {
        Hat standard() {
            return Hat.STANDARD;
        }

        Hat bowler(int size) {
            return new Bowler(size);
        }
    }

    record Customer(int number, Catalogue catalogue, LongAdder fitted, CountDownLatch opened) {
        void visit() {
            try {
                opened.await();
                while (true) {
                    int size = ThreadLocalRandom.current().nextInt(52, 60);
                    Hat hat = (number % 2 == 0) ? catalogue.standard() : catalogue.bowler(size);
                    if (hat.size >= size) {
                        fitted.increment();
                    }
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void sew(LongAdder stitches) {
        try {
            while (true) {
                Thread.sleep(20);
                stitches.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Catalogue catalogue = new Catalogue();
        CountDownLatch opened = new CountDownLatch(1);
        LongAdder fitted = new LongAdder();
        LongAdder stitches = new LongAdder();
        for (int i = 0; i < 4; i++) {
            Thread.ofPlatform().daemon().name("sewer-" + i).start(() -> sew(stitches));
        }
        for (int i = 0; i < 20; i++) {
            Thread.ofVirtual().name("customer-" + i).start(new Customer(i, catalogue, fitted, opened)::visit);
        }
        opened.countDown();
        while (true) {
            Thread.sleep(1_000);
            System.out.println("fitted " + fitted + ", stitches " + stitches);
        }
    }
}
