import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.WaitGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/// Programs with causes that are not among the ten bugs.
public class Sick {
    private static volatile Object sink;

    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "leak" -> leak();
            case "locks" -> locks();
            case "monitors" -> monitors();
            case "lostTasks" -> lostTasks();
            case "garbage" -> garbage();
            default -> throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(300_000);
    }

    /// Of two answers only the first is ever received.
    private static void leak() {
        Go.go(() -> {
            while (true) {
                Chan<String> answers = Chan.make();
                Go.go(() -> answers.send("from the replica"));
                Go.go(() -> answers.send("from the master"));
                sink = answers.receive();
                Thread.sleep(10);
            }
        });
    }

    private static void locks() {
        var one = new ReentrantLock();
        var other = new ReentrantLock();
        var both = new CountDownLatch(2);
        Go.go(() -> lockBoth(one, other, both));
        Go.go(() -> lockBoth(other, one, both));
        alive();
    }

    private static void lockBoth(ReentrantLock first, ReentrantLock second, CountDownLatch both) throws Exception {
        first.lock();
        both.countDown();
        both.await();
        second.lock();
    }

    private static void monitors() {
        var one = new Object();
        var other = new Object();
        var both = new CountDownLatch(2);
        Go.go(() -> enterBoth(one, other, both));
        Go.go(() -> enterBoth(other, one, both));
        alive();
    }

    private static void enterBoth(Object first, Object second, CountDownLatch both) throws Exception {
        synchronized (first) {
            both.countDown();
            both.await();
            synchronized (second) {
                sink = second;
            }
        }
    }

    /// The rest of the program is well.
    private static void alive() {
        Go.go(() -> {
            while (true) {
                Thread.sleep(20);
            }
        });
    }

    private static void lostTasks() {
        var group = new WaitGroup();
        group.add(2);
        Go.go(group::done); // the other one was dropped
        Go.go(group::await);
    }

    /// Run with a small heap.
    private static void garbage() {
        Go.go(() -> {
            List<byte[]> kept = new ArrayList<>();
            while (true) {
                kept.add(new byte[10_000]);
                if (kept.size() > 3_500) {
                    kept.subList(0, 10).clear();
                    Go.gosched();
                }
            }
        });
    }
}
