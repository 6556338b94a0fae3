import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.LongAdder;

/// Bug 15: blocking calls in the common pool.
///
/// **Symptom.** Virtual threads wait, the CPUs are idle, and more virtual threads do not help. **Cause.**
/// `supplyAsync` without an executor runs its task in the common pool, which has a thread less than there are CPUs. A
/// task that waits for the network keeps such a thread. **Fix.** Give it an executor whose threads may wait: one virtual
/// thread per task.
///
/// `./heddle run examples/bugs/Bug15CommonPool.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug15CommonPool {
    private static final int CLIENTS = 100;

    private static final LongAdder done = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        Executor executor = fixed ? Executors.newVirtualThreadPerTaskExecutor() : ForkJoinPool.commonPool();
        for (int i = 0; i < CLIENTS; i++) {
            Thread.startVirtualThread(() -> serve(executor));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf("%s: %,d requests done%n", fixed ? "fixed" : "broken", done.sum());
        System.exit(0);
    }

    private static void serve(Executor executor) {
        while (true) {
            CompletableFuture.supplyAsync(Bug15CommonPool::fetch, executor).join();
            done.increment();
        }
    }

    private static String fetch() {
        try {
            Thread.sleep(20); // stands for a call over the network
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "answer";
    }
}
