import dev.heddle.Chan;
import dev.heddle.Go;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Bug 1: a pool of workers, each locked to its thread and with a channel of its own.
///
/// **Symptom.** Requests are served slowly while processors are idle. **Cause.** A request is assigned to a worker
/// before it is known which worker will be free. Nine of ten go to worker 0, which computes all the time. The others
/// wait at their own channels and cannot take its work. A locked worker that waits holds no processor (Go hands it off
/// at once), but it holds a thread, and each switch to it costs two thread wake-ups. **Fix.** No lock unless thread
/// identity is needed, and one channel for all workers.
///
/// `./heddle run examples/bugs/Bug01LockedWorkers.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug01LockedWorkers {
    private static final int WORKERS = 4;
    private static final long REQUEST_NANOS = 1_000_000;
    private static final int REQUESTS_PER_SECOND = 1_300; // more than one worker can serve, fewer than two can

    private static final LongAdder served = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        List<Chan<Integer>> channels = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Chan<Integer> own = fixed && i > 0 ? channels.getFirst() : Chan.make(64);
            channels.add(own);
            Go.go(() -> work(own, /* locked= */ !fixed));
        }
        long start = System.nanoTime();
        long end = start + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        long late = 0;
        int sent = 0;
        for (; System.nanoTime() < end; sent++) {
            long due = start + sent * (1_000_000_000L / REQUESTS_PER_SECOND);
            sleepUntil(due);
            int worker = sent % 10 == 0 ? 1 + sent / 10 % (WORKERS - 1) : 0; // one customer has nine tenths of the keys
            channels.get(worker).send(sent);
            late = System.nanoTime() - due;
        }
        System.out.printf(
                "%s: %d requests served per second, the last one accepted %d ms late%n",
                fixed ? "fixed" : "broken", served.sum() * 1_000_000_000L / (System.nanoTime() - start), late / 1_000_000);
        System.exit(0);
    }

    private static void work(Chan<Integer> requests, boolean locked) {
        if (locked) {
            Go.lockOSThread(); // "for speed"
        }
        for (int request : requests) {
            process(request);
        }
    }

    private static void process(int request) {
        long end = System.nanoTime() + REQUEST_NANOS;
        long state = request;
        while (System.nanoTime() < end) {
            state = state * 6364136223846793005L + 1442695040888963407L;
        }
        served.add(state == 0 ? 2 : 1);
    }

    private static void sleepUntil(long due) throws InterruptedException {
        long wait = due - System.nanoTime();
        if (wait > 0) {
            Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
        }
    }
}
