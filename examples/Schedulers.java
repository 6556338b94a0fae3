import dev.heddle.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// Ordinary virtual threads on their own scheduler: ten thousand of them sleep at once on two processors.
public class Schedulers {

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        try (var scheduler = Scheduler.builder().procs(2).name("naps").build();
                var executor = scheduler.executor()) {
            long start = System.nanoTime();
            List<Future<Integer>> naps = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                int number = i;
                naps.add(executor.submit(() -> {
                    Thread.sleep(Duration.ofMillis(100));
                    return number;
                }));
            }
            long sum = 0;
            for (Future<Integer> nap : naps) {
                sum += nap.get();
            }
            System.out.println("sum " + sum + ", " + (System.nanoTime() - start) / 1_000_000 + " ms");
            System.out.println(scheduler.stats().schedTrace());
        }
    }
}
