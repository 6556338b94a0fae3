// problem: A rate limiter gives out 200 tickets in a second. Visitors that find none ask again in a loop with
//     Thread.yield, so 50 threads use up the CPU with asking.
// place: Limiter.enter
// place: Limiter.tryEnter
// remedy: Sleep until the next ticket is due (the limiter knows when), or wait in a semaphore or condition.
// named: a loop that spins or yields until a state changes (busy waiting) at the place
// half: CPU-bound threads, or the CPU in the scheduler, at the place, without the busy waiting
// false: a deadlock, lock contention as the cause, a slow downstream, a pool
// shows: asked grows by more than 50,000 in a second, rides by 200
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class Funfair {

    static final class Limiter {
        private final long gap;
        private final AtomicLong next = new AtomicLong(System.nanoTime());
        private final LongAdder asked = new LongAdder();

        Limiter(int perSecond) {
            gap = 1_000_000_000L / perSecond;
        }

        boolean tryEnter() {
            asked.increment();
            long now = System.nanoTime();
            long due = next.get();
            return now - due >= 0 && next.compareAndSet(due, Math.max(due + gap, now - gap));
        }

        void enter() {
            while (!tryEnter()) {
                Thread.yield();
            }
        }
    }

    record Visitor(Limiter limiter, LongAdder rides) {
        void visit() {
            try {
                while (true) {
                    limiter.enter();
                    rides.increment();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(40, 80));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void sell(LongAdder sold) {
        try {
            while (true) {
                Thread.sleep(20);
                sold.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Limiter limiter = new Limiter(200);
        LongAdder rides = new LongAdder();
        LongAdder sold = new LongAdder();
        for (int i = 0; i < 50; i++) {
            Thread.ofVirtual().name("visitor-" + i).start(new Visitor(limiter, rides)::visit);
        }
        for (int i = 0; i < 5; i++) {
            Thread.ofVirtual().name("stall-" + i).start(() -> sell(sold));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("asked " + limiter.asked + ", rides " + rides + ", sold " + sold);
        }
    }
}
