import dev.heddle.Go;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/// Bug 7: a home-made scheduler whose workers search for work all the time.
///
/// **Symptom.** All CPUs are busy though there is almost nothing to do; other goroutines are late. **Cause.** A worker
/// pops, steals, finds nothing and starts again. Without work it neither waits nor yields, so it is a hog that does
/// nothing. (Preemption helps against a locked worker as well as against any other; docs/notes/go.md, D16.) **Fix.** A
/// worker that finds nothing waits until there is work. A yield alone (`Go.gosched()`) lets others run but still burns
/// the CPU.
///
/// `./heddle run examples/bugs/Bug07LoopWithoutYield.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug07LoopWithoutYield {
    private static final int TASKS_PER_SECOND = 200;

    static final class Worker {
        private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
        private final List<Worker> all;
        private final Semaphore available;

        Worker(List<Worker> all, Semaphore available) {
            this.all = all;
            this.available = available;
        }

        Runnable pop() {
            return queue.poll();
        }

        Runnable steal() {
            for (Worker victim : all) {
                Runnable task = victim.pop();
                if (task != null) {
                    return task;
                }
            }
            return null;
        }

        void runBroken() {
            while (true) {
                Runnable task = pop();
                if (task == null) {
                    task = steal();
                }
                if (task != null) {
                    task.run();
                }
            }
        }

        void runFixed() throws InterruptedException {
            while (true) {
                available.acquire(); // one permit per task, so a task is available
                Runnable task = pop();
                while (task == null) {
                    task = steal();
                }
                task.run();
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        int seconds = Integer.getInteger("seconds", 3);
        List<Worker> workers = new ArrayList<>();
        Semaphore available = new Semaphore(0);
        for (int i = 0; i < Go.gomaxprocs(0); i++) {
            workers.add(new Worker(workers, available));
        }
        for (Worker worker : workers) {
            Go.go(() -> {
                if (fixed) {
                    worker.runFixed();
                } else {
                    worker.runBroken();
                }
            });
        }
        Go.main(() -> {
            Queue<Long> waits = new ConcurrentLinkedQueue<>();
            long cpuBefore = cpuMillis();
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            while (System.nanoTime() < end) {
                long submitted = System.nanoTime();
                workers.getLast().queue.add(() -> waits.add(System.nanoTime() - submitted));
                available.release();
                Thread.sleep(1_000 / TASKS_PER_SECOND);
            }
            long[] late = waits.stream().mapToLong(it -> it).sorted().toArray();
            System.out.printf(
                    "%s: a task waits %.2f ms at the median, %.1f ms at worst; %,d ms of CPU in %d s%n",
                    fixed ? "fixed" : "broken",
                    late[late.length / 2] / 1e6,
                    late[late.length - 1] / 1e6,
                    cpuMillis() - cpuBefore,
                    seconds);
        });
        System.exit(0);
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }
}
