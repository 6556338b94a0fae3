// healthy: A hospital at night. Sixteen workers and a bounded queue wait for work that comes a few times in a minute, a
//     standby waits for the lock of the leader, and an emergency condition is never signalled. Nothing is stuck.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Nightshift {

    private final BlockingQueue<String> calls = new ArrayBlockingQueue<>(64);
    private final ReentrantLock leadership = new ReentrantLock();
    private final Condition emergency = leadership.newCondition();
    private final CountDownLatch morning = new CountDownLatch(1);
    private final AtomicInteger answered = new AtomicInteger();

    private void nurse() throws InterruptedException {
        while (true) {
            if (!calls.take().isEmpty()) {
                Thread.sleep(40);
                answered.incrementAndGet();
            }
        }
    }

    /// The leader has the lock, and waits for an emergency with it, which lets the standby in.
    private void doctor() throws InterruptedException {
        leadership.lock();
        try {
            while (morning.getCount() > 0) {
                emergency.await();
            }
        } finally {
            leadership.unlock();
        }
    }

    interface Duty {
        void run() throws InterruptedException;
    }

    private static void start(String name, Duty duty) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                duty.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        var night = new Nightshift();
        for (int i = 0; i < 16; i++) {
            start("nurse-" + i, night::nurse);
        }
        start("doctor", night::doctor);
        start("standby", night::doctor);
        start("porter", night.morning::await);
        ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(task ->
                Thread.ofVirtual().name("rounds").unstarted(task));
        rounds.scheduleAtFixedRate(() -> night.calls.offer("round"), 1, 4, TimeUnit.SECONDS);
        for (int bell = 0; ; bell++) {
            Thread.sleep(7_000);
            if (night.calls.offer("bell " + bell)) {
                System.out.printf("bells %d, answered %d%n", bell + 1, night.answered.get());
            }
        }
    }
}
