import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/// Bug 18: workers that sleep briefly and ask again.
///
/// **Symptom.** A program with nothing to do uses a good part of a CPU, and what it does comes late. **Cause.** Each
/// worker asks its queue with `poll`, which does not wait, and sleeps a millisecond if there is nothing: two hundred
/// workers make 200,000 timers a second. **Fix.** `take` waits, for as long as there is nothing, and not a moment longer.
///
/// `./heddle run examples/bugs/Bug18SleepPolling.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug18SleepPolling {
    private static final int WORKERS = 200;

    private static final LinkedBlockingQueue<Long> events = new LinkedBlockingQueue<>();
    private static final LongAdder done = new LongAdder();
    private static final LongAdder lateMicros = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        for (int i = 0; i < WORKERS; i++) {
            Thread.startVirtualThread(fixed ? Bug18SleepPolling::waitForEvents : Bug18SleepPolling::askForEvents);
        }
        long cpuBefore = cpuMillis();
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        while (System.nanoTime() < end) {
            events.add(System.nanoTime());
            Thread.sleep(20);
        }
        System.out.printf(
                "%s: %,d ms of CPU for %d events, each %,d us late%n",
                fixed ? "fixed" : "broken", cpuMillis() - cpuBefore, done.sum(), lateMicros.sum() / done.sum());
        System.exit(0);
    }

    private static void askForEvents() {
        try {
            while (true) {
                Long event = events.poll();
                if (event == null) {
                    Thread.sleep(1);
                } else {
                    handle(event);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void waitForEvents() {
        try {
            while (true) {
                handle(events.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void handle(long event) {
        done.increment();
        lateMicros.add((System.nanoTime() - event) / 1_000);
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }
}
