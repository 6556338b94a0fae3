// problem: The intake starts a thread for each catch that is reported, some 1,000 in a second, and each waits for one
//     of 20 presses, which can do 400 in a second. Threads that wait grow without a bound.
// place: Intake.report
// place: Presses.can
// remedy: Take a permit before the thread is started, or put catches into a bounded queue, so that the intake slows
//     down or refuses.
// named: threads are started faster than they end and pile up at the semaphore (unbounded spawning, no back pressure),
//     at the place
// half: many threads wait for the permits of a pool that is too small, without the growth or the intake
// false: permits that are lost, a deadlock, CPU, a lock
// shows: waiting grows by some 600 in a second
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Cannery {

    record Catch(String boat, String fish, int kilos) {}

    static final class Presses {
        private final Semaphore free = new Semaphore(20);
        private final LongAdder tins = new LongAdder();

        int can(Catch fish) throws InterruptedException {
            free.acquire();
            try {
                Thread.sleep(50);
                tins.increment();
                return fish.kilos() * 4;
            } finally {
                free.release();
            }
        }
    }

    static final class Intake {
        private final Presses presses;
        private final LongAdder reported = new LongAdder();

        Intake(Presses presses) {
            this.presses = presses;
        }

        void report(Catch fish) {
            reported.increment();
            Thread.startVirtualThread(() -> {
                try {
                    presses.can(fish);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    static final class Fleet {
        private final Intake intake;

        Fleet(Intake intake) {
            this.intake = intake;
        }

        void listen() {
            long start = System.nanoTime();
            long heard = 0;
            try {
                while (true) {
                    Thread.sleep(10);
                    long due = (System.nanoTime() - start) / 1_000_000;
                    for (; heard < due; heard++) {
                        ThreadLocalRandom random = ThreadLocalRandom.current();
                        intake.report(new Catch("boat " + random.nextInt(30), "sprat", random.nextInt(5, 90)));
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Presses presses = new Presses();
        Intake intake = new Intake(presses);
        Thread.ofVirtual().name("radio").start(new Fleet(intake)::listen);
        while (true) {
            Thread.sleep(1_000);
            System.out.println(
                    "tins " + presses.tins + ", waiting " + (intake.reported.sum() - presses.tins.sum()));
        }
    }
}
