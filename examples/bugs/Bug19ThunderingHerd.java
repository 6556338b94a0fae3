import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;

/// Bug 19: a home-made queue that wakes all its waiters for each entry.
///
/// **Symptom.** The more workers there are, the slower the program: most of the CPU time goes into switches. **Cause.**
/// `notifyAll` wakes every worker for one task. One takes it, and the others find nothing and wait again. **Fix.**
/// `notify` wakes one. It is enough where any waiter can use the event and takes one entry; `BlockingQueue` does the
/// same.
///
/// `./heddle run examples/bugs/Bug19ThunderingHerd.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug19ThunderingHerd {
    private static final int WORKERS = 300;

    private static final Queue<Long> tasks = new ArrayDeque<>();
    private static final LongAdder done = new LongAdder();
    private static final LongAdder lateMicros = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        for (int i = 0; i < WORKERS; i++) {
            Thread.startVirtualThread(Bug19ThunderingHerd::work);
        }
        long cpuBefore = cpuMillis();
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        while (System.nanoTime() < end) {
            synchronized (tasks) {
                tasks.add(System.nanoTime());
                if (fixed) {
                    tasks.notify();
                } else {
                    tasks.notifyAll();
                }
            }
            Thread.sleep(1);
        }
        System.out.printf(
                "%s: %,d tasks done, each %,d us late, with %,d us of CPU for each%n",
                fixed ? "fixed" : "broken",
                done.sum(),
                lateMicros.sum() / done.sum(),
                (cpuMillis() - cpuBefore) * 1_000 / done.sum());
        System.exit(0);
    }

    private static void work() {
        try {
            while (true) {
                long task = take();
                done.increment();
                lateMicros.add((System.nanoTime() - task) / 1_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long take() throws InterruptedException {
        synchronized (tasks) {
            while (tasks.isEmpty()) {
                tasks.wait();
            }
            return tasks.remove();
        }
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }
}
