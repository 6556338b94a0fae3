import dev.heddle.Chan;
import dev.heddle.WaitGroup;

/// A fixed number of workers read from one channel. Run it by `./heddle run examples/WorkerPool.java`.
///
/// The channel is the queue, and its capacity the bound: when the workers fall behind, the producer waits in `send`.
/// Nothing grows without limit, however fast events arrive.
public class WorkerPool {
    private static final int WORKERS = 4;
    private static final int EVENTS = 40;

    public static void main(String[] args) throws InterruptedException {
        Chan<Integer> events = Chan.make(8);
        Chan<String> results = Chan.make(8);

        var workers = new WaitGroup();
        for (int i = 0; i < WORKERS; i++) {
            int worker = i;
            workers.go(() -> {
                for (int event : events) { // ends when the channel is closed and drained
                    Thread.sleep(1); // slow work
                    results.send("event " + event + " by worker " + worker);
                }
            });
        }
        var producer = new WaitGroup();
        producer.go(() -> {
            for (int event = 0; event < EVENTS; event++) {
                events.send(event); // backpressure: waits while 8 events are queued
            }
            events.close();
            workers.await();
            results.close();
        });

        int count = 0;
        for (String result : results) {
            System.out.println(result);
            count++;
        }
        System.out.println(count + " events, never more than " + events.cap() + " waiting");
    }
}
