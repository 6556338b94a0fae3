import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Bug 12: one lock around the whole of each request.
///
/// **Symptom.** The program does not get faster with more CPUs or more threads, and none of them is busy. **Cause.** All
/// requests go through one `synchronized` method that also formats and checks, so they move in single file: many wait
/// at one place, and one goes on. **Fix.** Hold the lock for the update of the shared state only.
///
/// `./heddle run examples/bugs/Bug12Convoy.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug12Convoy {
    private static final int CLIENTS = 100;

    private static final Object ledger = new Object();
    private static final LongAdder done = new LongAdder();
    private static long sum;

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        for (int i = 0; i < CLIENTS; i++) {
            long amount = i;
            Thread.startVirtualThread(() -> book(amount, fixed));
        }
        int seconds = Integer.getInteger("seconds", 3);
        Thread.sleep(seconds * 1_000L);
        System.out.printf(
                "%s: %,d bookings a second by %d clients%n", fixed ? "fixed" : "broken", done.sum() / seconds, CLIENTS);
        System.exit(0);
    }

    private static void book(long amount, boolean fixed) {
        try {
            while (true) {
                if (fixed) {
                    check();
                    synchronized (ledger) {
                        sum += amount;
                    }
                } else {
                    synchronized (ledger) {
                        check();
                        sum += amount;
                    }
                }
                done.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void check() throws InterruptedException {
        Thread.sleep(2); // stands for a call of the credit check
    }
}
