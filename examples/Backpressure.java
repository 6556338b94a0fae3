import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.ErrGroup;
import dev.heddle.WaitGroup;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// A fast producer and slow work, bounded in two ways. Run it by `./heddle run examples/Backpressure.java`.
///
/// `Go.go(() -> process(event))` for every event that arrives is the classic mistake: ten thousand events a second of
/// 100 ms each are a thousand goroutines at any time, and a million when the work gets slower. A buffered channel is
/// the semaphore that prevents it; `ErrGroup.setLimit` is the same with errors and cancellation.
public class Backpressure {
    private static final int LIMIT = 10;

    private static final AtomicInteger running = new AtomicInteger();
    private static final AtomicInteger peak = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        semaphore();
        errGroup();
    }

    private static void semaphore() throws InterruptedException {
        Chan<Boolean> permits = Chan.make(LIMIT);
        var group = new WaitGroup();
        for (int event = 0; event < 200; event++) {
            permits.send(true); // waits while LIMIT events are being processed
            group.go(() -> {
                try {
                    process();
                } finally {
                    permits.tryReceive();
                }
            });
        }
        group.await();
        System.out.println("semaphore: 200 events, at most " + peak.getAndSet(0) + " at a time");
    }

    private static void errGroup() throws InterruptedException {
        var group = ErrGroup.withContext(Context.background());
        group.setLimit(LIMIT);
        for (int i = 0; i < 200; i++) {
            int event = i;
            group.go(() -> {
                process();
                if (event == 150) {
                    throw new IllegalStateException("event 150 is broken");
                }
            });
        }
        try {
            group.await();
        } catch (ExecutionException e) {
            System.out.println("errgroup: at most " + peak.get() + " at a time, and " + e.getCause().getMessage());
        }
    }

    private static void process() throws InterruptedException {
        peak.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            Thread.sleep(1);
        } finally {
            running.decrementAndGet();
        }
    }
}
