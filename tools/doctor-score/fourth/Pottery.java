// problem: A fire that gets too hot asks for the mean of all kilns while it holds the write stamp. The StampedLock is
//     not reentrant, so the thread waits for itself, and all others wait behind it.
// place: Kilns.mean
// place: Kilns.stoke
// remedy: Compute the mean from the fields, without the lock, in a private method that the holder of the stamp calls
//     too; or convert the stamp.
// named: a StampedLock whose write stamp is held by a thread that waits for the same lock (it waits for itself), or
//     readers and writers that wait for a stamp that is not given back, at the place
// half: threads wait long for a lock, without the stamp that is kept and without the holder
// false: a deadlock of two threads, a slow holder, CPU, a pool
// shows: stoked stays the same
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;

public class Pottery {

    static final class Kilns {
        private static final int TOO_HOT = 1_280;

        private final StampedLock lock = new StampedLock();
        private final int[] degrees = new int[24];
        private volatile int lastAlarm;

        Kilns() {
            Arrays.fill(degrees, 900);
        }

        int mean() {
            long stamp = lock.tryOptimisticRead();
            int mean = compute();
            if (lock.validate(stamp)) {
                return mean;
            }
            stamp = lock.readLock();
            try {
                return compute();
            } finally {
                lock.unlockRead(stamp);
            }
        }

        void stoke(int kiln, int by) {
            long stamp = lock.writeLock();
            try {
                degrees[kiln] = Math.clamp(degrees[kiln] + by, 600, 1_400);
                if (degrees[kiln] > TOO_HOT) {
                    lastAlarm = degrees[kiln] - mean();
                    degrees[kiln] = 900;
                }
            } finally {
                lock.unlockWrite(stamp);
            }
        }

        private int compute() {
            int sum = 0;
            for (int degree : degrees) {
                sum += degree;
            }
            return sum / degrees.length;
        }
    }

    record Stoker(Kilns kilns, LongAdder stoked) {
        void work() {
            try {
                while (true) {
                    ThreadLocalRandom random = ThreadLocalRandom.current();
                    kilns.stoke(random.nextInt(24), random.nextInt(-60, 80));
                    stoked.increment();
                    Thread.sleep(random.nextInt(5, 20));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    record Board(Kilns kilns, LongAdder looks) {
        void watch() {
            try {
                while (true) {
                    kilns.mean();
                    looks.increment();
                    Thread.sleep(30);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Kilns kilns = new Kilns();
        LongAdder stoked = new LongAdder();
        LongAdder looks = new LongAdder();
        for (int i = 0; i < 40; i++) {
            Thread.ofVirtual().name("stoker-" + i).start(new Stoker(kilns, stoked)::work);
        }
        for (int i = 0; i < 12; i++) {
            Thread.ofVirtual().name("board-" + i).start(new Board(kilns, looks)::watch);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("stoked " + stoked + ", looks " + looks + ", last alarm " + kilns.lastAlarm);
        }
    }
}
