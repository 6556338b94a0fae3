// problem: Each request schedules a time limit of ten minutes and cancels it some milliseconds later. A cancelled
//     task stays in the executor's queue until its time comes, with the request that it refers to: 600 more each
//     second.
// place: Deadlines.guard
// place: Ushers.seat
// remedy: setRemoveOnCancelPolicy(true), or one sweep over the open requests instead of a timer for each.
// named: the timers (delayed tasks) that each request adds pile up, cancelled or not, at one of the places
// half: many timers or a growing heap, without the place or without what piles up
// false: a slow consumer or a saturated pool (the executor has nothing to do), a leak of threads
// shows: timers grows by 600 in each second, though only about ten requests are open
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

public class Ushers {

    static final class Request {
        final int row;
        final byte[] ticket = new byte[1_500];
        volatile boolean isLate;

        Request(int row) {
            this.row = row;
        }
    }

    static final class Deadlines {
        private final ScheduledThreadPoolExecutor timers =
                new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name("deadlines").daemon().factory());

        Future<?> guard(Request request) {
            return timers.schedule(() -> { request.isLate = true; }, 10, TimeUnit.MINUTES);
        }

        int size() {
            return timers.getQueue().size();
        }
    }

    private final Deadlines deadlines = new Deadlines();
    private final Semaphore seats = new Semaphore(20);
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder seated = new LongAdder();

    void seat(Request request) throws InterruptedException {
        Future<?> deadline = deadlines.guard(request);
        open.incrementAndGet();
        try {
            seats.acquire();
            try {
                Thread.sleep(12); // down the aisle
                seated.increment();
            } finally {
                seats.release();
            }
        } finally {
            open.decrementAndGet();
            deadline.cancel(false);
        }
    }

    private void entrance(int number) {
        try {
            for (int i = 0; ; i++) {
                seat(new Request(number * 10 + i % 10));
                Thread.sleep(8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var ushers = new Ushers();
        for (int i = 0; i < 12; i++) {
            int number = i;
            Thread.ofVirtual().name("entrance-" + i).start(() -> ushers.entrance(number));
        }
        while (true) {
            Thread.sleep(1_000);
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(
                    "seated %d, open %d, timers %d, heap %d MB%n",
                    ushers.seated.sum(), ushers.open.get(), ushers.deadlines.size(),
                    (runtime.totalMemory() - runtime.freeMemory()) >> 20);
        }
    }
}
