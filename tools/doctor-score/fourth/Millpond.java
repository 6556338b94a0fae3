// problem: A scheduled task refills the permits of the sluice ten times in a second. It throws once, when a wheel is
//     taken out and the share is divided by zero, and is never run again. All boats wait for permits that do not come.
// place: Sluice.pass
// place: Sluice.refill
// remedy: Catch and report exceptions in the task, so that the schedule goes on; acquire with a timeout.
// named: threads wait for permits that nobody gives any more (a lost release, the periodic task has ended with an
//     exception), at the place
// half: threads wait long for permits, as if the holders were slow or the permits too few
// false: a deadlock, CPU, a lock, a slow downstream
// shows: passed stays the same
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

public class Millpond {

    static final class Wheels {
        private final AtomicInteger turning = new AtomicInteger(3);

        int share(int water) {
            return water / turning.get();
        }

        void takeOut() {
            turning.decrementAndGet();
        }

        void putIn() {
            turning.incrementAndGet();
        }
    }

    static final class Sluice {
        private final Semaphore permits = new Semaphore(30);
        private final Wheels wheels;
        private final LongAdder passed = new LongAdder();

        Sluice(Wheels wheels) {
            this.wheels = wheels;
        }

        void refill() {
            int missing = 30 - permits.availablePermits();
            permits.release(Math.min(missing, wheels.share(60)));
        }

        void pass() throws InterruptedException {
            permits.acquire();
            passed.increment();
        }
    }

    record Boat(Sluice sluice) {
        void row() {
            try {
                while (true) {
                    sluice.pass();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(50, 250));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void fish(LongAdder caught) {
        try {
            while (true) {
                Thread.sleep(40);
                caught.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The miller greases each wheel: takes it out for a moment.
    private static void grease(Wheels wheels) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            wheels.takeOut();
            Thread.sleep(150);
        }
        for (int i = 0; i < 3; i++) {
            wheels.putIn();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Wheels wheels = new Wheels();
        Sluice sluice = new Sluice(wheels);
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(sluice::refill, 100, 100, TimeUnit.MILLISECONDS);
        LongAdder caught = new LongAdder();
        for (int i = 0; i < 60; i++) {
            Thread.ofVirtual().name("boat-" + i).start(new Boat(sluice)::row);
        }
        for (int i = 0; i < 8; i++) {
            Thread.ofVirtual().name("angler-" + i).start(() -> fish(caught));
        }
        Thread.sleep(150);
        grease(wheels);
        while (true) {
            Thread.sleep(1_000);
            System.out.println("passed " + sluice.passed + ", caught " + caught);
        }
    }
}
