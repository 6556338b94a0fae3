import dev.heddle.Go;
import dev.heddle.WaitGroup;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Bug 5: a home-made work-stealing queue without atomics.
///
/// **Symptom.** Now and then a task runs twice, or never. **Cause.** Two thieves read the same head, copy the same
/// tasks, and both move the head on. **Fix.** Copy first, then claim by a compare-and-set of the head: the loser starts
/// again (docs/notes/go.md, F30, D7). Heddle's own queue, `LocalRunQueue`, does the same with weaker and cheaper memory
/// orders.
///
/// `./heddle run examples/bugs/Bug05RacyQueue.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug05RacyQueue {
    private static final int WORKERS = 4;
    private static final int TASKS = 4_000; // per round
    private static final int SIZE = 8_192;

    interface Queue {
        void push(int task);

        int pop(); // -1: empty

        int steal(Queue out);
    }

    static final class RacyQueue implements Queue {
        int head;
        int tail;
        final int[] tasks = new int[SIZE];

        @Override
        public void push(int task) {
            tasks[tail % SIZE] = task;
            tail++;
        }

        @Override
        public int pop() {
            if (head >= tail) {
                return -1;
            }
            int task = tasks[head % SIZE];
            head++;
            return task;
        }

        @Override
        public int steal(Queue thief) {
            RacyQueue out = (RacyQueue) thief;
            int n = (tail - head + 1) / 2;
            if (n <= 0) {
                return 0;
            }
            for (int i = 0; i < n; i++) {
                out.tasks[(out.tail + i) % SIZE] = tasks[(head + i) % SIZE];
            }
            out.tail += n;
            head += n;
            return n;
        }
    }

    static final class AtomicQueue implements Queue {
        private final AtomicInteger head = new AtomicInteger();
        private final AtomicInteger tail = new AtomicInteger(); // written by the owner only
        private final AtomicReferenceArray<Integer> tasks = new AtomicReferenceArray<>(SIZE);

        @Override
        public void push(int task) {
            tasks.set(tail.get() % SIZE, task);
            tail.incrementAndGet();
        }

        @Override
        public int pop() {
            while (true) {
                int h = head.get();
                if (h == tail.get()) {
                    return -1;
                }
                int task = tasks.get(h % SIZE);
                if (head.compareAndSet(h, h + 1)) {
                    return task;
                }
            }
        }

        @Override
        public int steal(Queue thief) {
            AtomicQueue out = (AtomicQueue) thief;
            while (true) {
                int h = head.get();
                int n = (tail.get() - h + 1) / 2;
                if (n <= 0) {
                    return 0;
                }
                for (int i = 0; i < n; i++) {
                    out.tasks.set((out.tail.get() + i) % SIZE, tasks.get((h + i) % SIZE));
                }
                if (head.compareAndSet(h, h + n)) { // claimed; no other thread saw the copies before
                    out.tail.addAndGet(n);
                    return n;
                }
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        long ran = 0;
        long lost = 0;
        long twice = 0;
        while (System.nanoTime() < end) {
            var runs = new AtomicIntegerArray(TASKS);
            round(fixed, runs);
            for (int task = 0; task < runs.length(); task++) {
                ran += Math.min(1, runs.get(task));
                lost += runs.get(task) == 0 ? 1 : 0;
                twice += Math.max(0, runs.get(task) - 1);
            }
        }
        System.out.printf(
                "%s: %,d tasks ran, %,d were lost, %,d ran more than once%n",
                fixed ? "fixed" : "broken", ran, lost, twice);
        System.exit(0);
    }

    private static void round(boolean fixed, AtomicIntegerArray runs) throws InterruptedException {
        Queue[] queues = new Queue[WORKERS];
        for (int i = 0; i < WORKERS; i++) {
            queues[i] = fixed ? new AtomicQueue() : new RacyQueue();
        }
        for (int task = 0; task < TASKS; task++) { // all work starts at worker 0: the others have to steal
            queues[0].push(task);
        }
        var group = new WaitGroup();
        for (int i = 0; i < WORKERS; i++) {
            int me = i;
            group.go(() -> work(queues, me, runs));
        }
        group.await();
    }

    private static void work(Queue[] queues, int me, AtomicIntegerArray runs) {
        for (int step = 0; ; step++) {
            int task = queues[me].pop();
            for (int i = 1; task < 0 && i < WORKERS; i++) {
                if (queues[(me + i) % WORKERS].steal(queues[me]) > 0) {
                    task = queues[me].pop();
                }
            }
            if (task < 0) {
                return;
            }
            runs.incrementAndGet(task);
            spend(2_000);
            if (step % 64 == 0) {
                Go.gosched();
            }
        }
    }

    private static void spend(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
