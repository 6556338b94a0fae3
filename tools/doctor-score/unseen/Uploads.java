// problem: Uploads run in a fixed pool of 5 virtual threads, so more than 5 never run at once and the pool's queue
//     grows without end.
// place: Uploads.receive
// place: Uploads.store
// remedy: Do not pool virtual threads: one per task, with a semaphore of the right size if the storage needs a limit,
//     and refuse what is too much.

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Receives photos, about 100 a second, and stores each: 120 ms of waiting for the object store. */
public final class Uploads {

    record Photo(long id, byte[] pixels) {}

    private final ThreadPoolExecutor storage = new ThreadPoolExecutor(
            5, 5, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), Thread.ofVirtual().name("store-", 0).factory());
    private final LongAdder stored = new LongAdder();

    void receive(Photo photo) throws InterruptedException {
        Thread.sleep(5); // reads the body
        storage.execute(() -> store(photo));
    }

    private void store(Photo photo) {
        try {
            Thread.sleep(120);
            stored.add(photo.pixels().length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var uploads = new Uploads();
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
        for (long id = 0; ; id++) {
            var photo = new Photo(id, new byte[2_000]);
            requests.submit(() -> {
                uploads.receive(photo);
                return photo.id();
            });
            Thread.sleep(10);
            if (id % 1_000 == 999) {
                System.out.println(uploads.stored.sum() / 2_000 + " photos stored of " + id);
            }
        }
    }
}
