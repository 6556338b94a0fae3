package app;

import dev.heddle.Chan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// More code in which threads hand something over, for the conditions of the rules about threads that make no progress.
/// Never run.
public final class Handovers {

    private Handovers() {}

    /// Both sides wait at conditions of one lock, and wake all.
    public static final class Belt {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition free = lock.newCondition();
        private final Condition full = lock.newCondition();
        private final Deque<String> goods = new ArrayDeque<>();

        void put(String thing) throws InterruptedException {
            lock.lock();
            try {
                while (goods.size() == 2) {
                    free.await();
                }
                goods.addLast(thing);
                full.signalAll();
            } finally {
                lock.unlock();
            }
        }

        String take() throws InterruptedException {
            lock.lock();
            try {
                while (goods.isEmpty()) {
                    full.await();
                }
                String thing = goods.removeFirst();
                free.signalAll();
                return thing;
            } finally {
                lock.unlock();
            }
        }
    }

    /// One thread rings, others wait for it.
    public static final class Bell {
        private boolean hasRung;

        void start() {
            Thread.startVirtualThread(this::ring);
            Thread.startVirtualThread(this::work);
        }

        private synchronized void ring() {
            hasRung = true;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (!hasRung) {
                wait();
            }
        }

        private void work() {
            try {
                while (true) {
                    await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Sends to a thread that this class starts.
    public static final class Mail {
        private final Chan<String> letters = Chan.make();

        void start() {
            Thread.startVirtualThread(this::read);
            Thread.startVirtualThread(this::write);
        }

        private void read() {
            try {
                String _ = letters.receive();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void write() {
            try {
                letters.send("letter");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Nothing in this program counts down.
    public static final class Forgotten {
        private final CountDownLatch latch = new CountDownLatch(1);

        void await() throws InterruptedException {
            latch.await();
        }
    }

    /// Completes a future in a pool of the JDK.
    public static final class Background {
        CompletableFuture<String> load() {
            return CompletableFuture.supplyAsync(() -> "loaded");
        }
    }
}
