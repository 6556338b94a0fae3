// problem: Each thread keeps a buffer of 160 kB in a thread-local, a habit from the time of the pool of 20 threads.
//     Now each of the 1,100 sessions has a thread of its own, which uses the buffer once and keeps it while it waits.
// place: Seal.stamp
// place: Seal.scratch
// remedy: Take the buffer from a small pool, or allocate it for the call; no thread-local caches in virtual
//     threads.
// named: memory in thread-locals of very many virtual threads, at one of the places
// half: thread-locals without the place, or too many threads with much memory each
// false: a leak of threads (sessions end by themselves), a queue, polling
// shows: the used heap is above 180 MB with 1,100 sessions, which is 160 kB for each
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

public class Notary {

    static final class Seal {
        private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[160 * 1024]);

        static long stamp(String deed) {
            byte[] page = scratch();
            byte[] text = deed.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(text, 0, page, 0, text.length);
            var crc = new CRC32();
            crc.update(page, 0, text.length);
            return crc.getValue();
        }

        private static byte[] scratch() {
            return SCRATCH.get();
        }
    }

    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger stamped = new AtomicInteger();

    /// A client reads the stamped deed for a minute or two, and leaves.
    private void session(int number) {
        sessions.incrementAndGet();
        try {
            if (Seal.stamp("deed " + number + " of house " + number * 31 % 977) != 0) {
                stamped.incrementAndGet();
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(60_000, 120_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sessions.decrementAndGet();
        }
    }

    private void admit() {
        try {
            for (int number = 0; ; number++) {
                while (sessions.get() >= 1_100) {
                    Thread.sleep(100);
                }
                int mine = number;
                Thread.startVirtualThread(() -> session(mine));
                if (number % 50 == 0) {
                    Thread.sleep(20);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var notary = new Notary();
        Thread.ofVirtual().name("door").start(notary::admit);
        while (true) {
            Thread.sleep(1_000);
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(
                    "sessions %d, stamped %d, heap %d MB%n",
                    notary.sessions.get(), notary.stamped.get(),
                    (runtime.totalMemory() - runtime.freeMemory()) >> 20);
        }
    }
}
