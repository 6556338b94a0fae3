import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Measures the throughput and CPU cost of messages from a platform thread to actors that sleep for each message.
///
/// `java [-javaagent:core/target/heddle.jar=procs=2] tools/Sleepers.java [ACTORS] [SLEEP_MILLIS] [SECONDS] [IN_FLIGHT]`
///
/// An actor is a counter of messages and, while it has any, one virtual thread. The platform thread that sends the
/// first message starts that thread. So the scheduler gets its work from external threads and from timers. Run it
/// beside busy processes to test a scheduler whose threads the operating system may suspend at any point.
public class Sleepers {

    private final AtomicInteger[] mailboxes;
    private final long sleepMillis;
    private final Semaphore inFlight;
    private final AtomicLong handled = new AtomicLong();

    private Sleepers(int actors, long sleepMillis, int mostInFlight) {
        this.sleepMillis = sleepMillis;
        inFlight = new Semaphore(mostInFlight);
        mailboxes = new AtomicInteger[actors];
        for (int i = 0; i < actors; i++) {
            mailboxes[i] = new AtomicInteger();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int actors = args.length > 0 ? Integer.parseInt(args[0]) : 250;
        long sleepMillis = args.length > 1 ? Long.parseLong(args[1]) : 2;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        int mostInFlight = args.length > 3 ? Integer.parseInt(args[3]) : actors;
        Sleepers sleepers = new Sleepers(actors, sleepMillis, mostInFlight);
        Thread.ofPlatform().daemon().start(sleepers::tell);
        List<Long> rates = new ArrayList<>();
        long before = 0;
        long then = System.nanoTime();
        for (int i = 0; i < seconds; i++) {
            Thread.sleep(1_000);
            long count = sleepers.handled.get();
            long now = System.nanoTime();
            rates.add((count - before) * 1_000_000_000L / (now - then));
            before = count;
            then = now;
        }
        System.out.println("messages per second: " + rates);
        Collections.sort(rates);
        System.out.printf(
                "median: %d, CPU time per message: %.1f us%n", rates.get(rates.size() / 2), cpuMicros() / before);
        Runtime.getRuntime().halt(0); // without waiting for the actors
    }

    private static double cpuMicros() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
    }

    private void tell() {
        for (int next = 0; ; next = (next + 1) % mailboxes.length) {
            AtomicInteger mailbox = mailboxes[next];
            inFlight.acquireUninterruptibly();
            if (mailbox.getAndIncrement() == 0) {
                Thread.startVirtualThread(() -> act(mailbox));
            }
        }
    }

    private void act(AtomicInteger mailbox) {
        try {
            do {
                Thread.sleep(sleepMillis);
                handled.incrementAndGet();
                inFlight.release();
            } while (mailbox.decrementAndGet() != 0);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts an actor", e);
        }
    }
}
