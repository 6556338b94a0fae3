// problem: A job that turns out to be invalid throws after a bench has been borrowed and before the try that gives it
//     back. After some invalid jobs the pool is empty, and all jobs wait for a bench.
// place: Workshop.mend
// place: Benches.borrow
// remedy: Check the job before the bench is borrowed, or begin the try directly after the borrow; wait with a timeout.
// named: threads wait for an object of a pool or a queue that nobody gives back any more (taken by threads that have
//     ended or that went on without giving it back), at the place
// half: threads wait long for a pool or a queue, as if it were too small or the producer slow
// false: a deadlock, CPU, a slow downstream, a lock
// shows: mended stays the same
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Saddlery {

    record Job(int number, int straps) {}

    static final class Bench {
        void stitch(int straps) throws InterruptedException {
            Thread.sleep(4 + straps);
        }
    }

    static final class Benches {
        private final BlockingQueue<Bench> free = new ArrayBlockingQueue<>(12);

        Benches() {
            for (int i = 0; i < 12; i++) {
                free.add(new Bench());
            }
        }

        Bench borrow() throws InterruptedException {
            return free.take();
        }

        void giveBack(Bench bench) {
            free.offer(bench);
        }
    }

    static final class Workshop {
        private final Benches benches = new Benches();
        private final LongAdder mended = new LongAdder();
        private final LongAdder refused = new LongAdder();

        void mend(Job job) throws InterruptedException {
            Bench bench = benches.borrow();
            int straps = check(job);
            try {
                bench.stitch(straps);
                mended.increment();
            } finally {
                benches.giveBack(bench);
            }
        }

        private int check(Job job) {
            if (job.straps() < 1) {
                throw new IllegalArgumentException("no straps in job " + job.number());
            }
            return job.straps();
        }

        void serve() {
            try {
                for (int number = 0; ; number++) {
                    ThreadLocalRandom random = ThreadLocalRandom.current();
                    try {
                        mend(new Job(number, random.nextInt(25)));
                    } catch (IllegalArgumentException e) {
                        refused.increment();
                    }
                    Thread.sleep(random.nextInt(20, 60));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void groom(LongAdder groomed) {
        try {
            while (true) {
                Thread.sleep(20);
                groomed.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Workshop workshop = new Workshop();
        LongAdder groomed = new LongAdder();
        for (int i = 0; i < 50; i++) {
            Thread.ofVirtual().name("customer-" + i).start(workshop::serve);
        }
        for (int i = 0; i < 20; i++) {
            Thread.ofVirtual().name("groom-" + i).start(() -> groom(groomed));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println(
                    "mended " + workshop.mended + ", refused " + workshop.refused + ", groomed " + groomed);
        }
    }
}
