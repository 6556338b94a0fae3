// problem: The call limiter gives a permit back only after a call that succeeded, so failed calls use the permits up,
//     and every later request waits for the limiter and is then refused.
// place: CallLimit.call
// place: Couriers.quote
// remedy: Release the permit in a finally block.

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** Asks courier companies for the price of a delivery, and follows parcels that are on their way. */
public final class Couriers {

    private final CallLimit limit = new CallLimit(12, 4_000);
    private final LongAdder quoted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder positions = new LongAdder();

    void quote(int postcode) throws Exception {
        try {
            limit.call(() -> askCompany(postcode));
            quoted.increment();
        } catch (IOException | TimeoutException e) {
            refused.increment();
        }
    }

    private static int askCompany(int postcode) throws IOException, InterruptedException {
        Thread.sleep(8); // the company answers
        if (postcode % 25 == 0) {
            throw new IOException("no delivery to " + postcode);
        }
        return 400 + postcode % 300;
    }

    void follow(int parcel) throws InterruptedException {
        Thread.sleep(5); // the tracker of the van answers
        positions.add(parcel % 2);
    }

    public static void main(String[] args) throws Exception {
        var service = new Couriers();
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; i < 70; i++) {
            int parcel = i;
            threads.submit(() -> {
                while (true) {
                    Thread.sleep(30);
                    service.quote(ThreadLocalRandom.current().nextInt(10_000, 99_999));
                }
            });
            threads.submit(() -> {
                while (true) {
                    Thread.sleep(30);
                    service.follow(parcel);
                }
            });
        }
        threads.close();
    }
}

/** Lets a limited number of calls to a partner run at once. */
final class CallLimit {

    private final Semaphore permits;
    private final long patienceMillis;

    CallLimit(int calls, long patienceMillis) {
        this.permits = new Semaphore(calls);
        this.patienceMillis = patienceMillis;
    }

    <T> T call(Callable<T> work) throws Exception {
        if (!permits.tryAcquire(patienceMillis, TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("all lines are busy");
        }
        T result = work.call();
        permits.release();
        return result;
    }
}
