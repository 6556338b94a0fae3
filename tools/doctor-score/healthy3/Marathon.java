// healthy: 60 runners meet at a barrier after each lap. All but the slowest wait there most of the time, which is what
//     a barrier is for: each lap ends within half a second, lap after lap.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class Marathon {

    private static final int RUNNERS = 60;

    private final AtomicInteger laps = new AtomicInteger();
    private final CyclicBarrier line = new CyclicBarrier(RUNNERS, laps::incrementAndGet);
    private final CountDownLatch end = new CountDownLatch(1); // the operator ends the run

    private void run(int runner) {
        try {
            while (end.getCount() > 0) {
                boolean isSlowest = runner == laps.get() % RUNNERS;
                Thread.sleep(isSlowest ? 400 : ThreadLocalRandom.current().nextInt(20, 120));
                line.await();
            }
        } catch (BrokenBarrierException e) {
            System.out.println("runner " + runner + " stops: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The judges wait for the end of the race, however long it takes.
    private void judge() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var marathon = new Marathon();
        for (int i = 0; i < 3; i++) {
            Thread.ofVirtual().name("judge-" + i).start(marathon::judge);
        }
        for (int i = 0; i < RUNNERS; i++) {
            int runner = i;
            Thread.ofVirtual().name("runner-" + i).start(() -> marathon.run(runner));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("laps %d, at the line %d%n", marathon.laps.get(), marathon.line.getNumberWaiting());
        }
    }
}
