// healthy: Twelve farms bring milk into a bounded queue that three churns empty at a steady rate. The queue is nearly
//     always full, and the farms wait in put for some 100 ms each: this is the back pressure, as it should be. Nothing
//     is lost, and nobody waits long.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class Dairy {

    record Can(int farm, int litres) {}

    static final class Yard {
        private final BlockingQueue<Can> cans = new ArrayBlockingQueue<>(40, true);
        private final AtomicLong longest = new AtomicLong();

        void bring(Can can) throws InterruptedException {
            long start = System.nanoTime();
            cans.put(can);
            longest.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
        }

        Can fetch() throws InterruptedException {
            return cans.take();
        }
    }

    record Farm(int number, Yard yard) {
        void milk() {
            try {
                for (int i = 0; ; i++) {
                    Thread.sleep(20);
                    yard.bring(new Can(number, 10 + i % 30));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    record Churn(Yard yard, LongAdder butter) {
        void turn() {
            try {
                while (true) {
                    Can can = yard.fetch();
                    Thread.sleep(25);
                    butter.add(can.litres() / 10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Yard yard = new Yard();
        LongAdder butter = new LongAdder();
        for (int i = 0; i < 12; i++) {
            Thread.ofVirtual().name("farm-" + i).start(new Farm(i, yard)::milk);
        }
        for (int i = 0; i < 3; i++) {
            Thread.ofVirtual().name("churn-" + i).start(new Churn(yard, butter)::turn);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("butter " + butter + ", cans " + yard.cans.size() + ", longest wait "
                    + yard.longest.getAndSet(0) + " ms");
        }
    }
}
