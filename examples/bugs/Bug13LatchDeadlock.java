import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/// Bug 13: a latch that no thread counts down any more.
///
/// **Symptom.** Some requests never end; the number of threads stays, the CPUs are idle. **Cause.** A part of a request
/// throws an exception before `countDown`, so the latch of that request never reaches zero. **Fix.** Count down in
/// `finally`.
///
/// `./heddle run examples/bugs/Bug13LatchDeadlock.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug13LatchDeadlock {
    private static final int REQUESTS = 50;
    private static final int PARTS = 3;

    private static final LongAdder answered = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {}); // as some frameworks do
        List<Thread> requests = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            int number = i;
            requests.add(Thread.startVirtualThread(() -> request(number, fixed)));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf(
                "%s: %d of %d requests answered, %d hang%n",
                fixed ? "fixed" : "broken",
                answered.sum(),
                REQUESTS,
                requests.stream().filter(Thread::isAlive).count());
        System.exit(0);
    }

    private static void request(int number, boolean fixed) {
        CountDownLatch parts = new CountDownLatch(PARTS);
        for (int part = 0; part < PARTS; part++) {
            String text = number % 5 == 0 && part == 2 ? "" : "42";
            Thread.startVirtualThread(() -> {
                if (fixed) {
                    try {
                        Integer.parseInt(text);
                    } finally {
                        parts.countDown();
                    }
                } else {
                    Integer.parseInt(text);
                    parts.countDown();
                }
            });
        }
        try {
            parts.await();
            answered.increment();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
