package app;

import dev.heddle.Chan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/// Code that takes and gives back, and code that only looks like it. Never run.
public final class Pools {

    private Pools() {}

    public static final class Permits {
        private final Semaphore permits = new Semaphore(3);

        void call() throws InterruptedException {
            permits.acquire();
            try {
                Thread.sleep(1);
            } finally {
                permits.release();
            }
        }
    }

    /// Another thread gives the signals.
    public static final class Signals {
        private final Semaphore signals = new Semaphore(0);

        void call() throws InterruptedException {
            signals.acquire();
            Thread.sleep(1);
        }
    }

    public static final class Connections {
        private final BlockingQueue<String> free = new ArrayBlockingQueue<>(3);

        void query() throws InterruptedException {
            String connection = borrow();
            try {
                Thread.sleep(1);
            } finally {
                giveBack(connection);
            }
        }

        String borrow() throws InterruptedException {
            return free.take();
        }

        void giveBack(String connection) {
            boolean _ = free.offer(connection);
        }
    }

    /// A stage of a pipeline: takes here, gives there.
    public static final class Stage {
        private final BlockingQueue<String> in = new ArrayBlockingQueue<>(3);
        private final BlockingQueue<String> out = new ArrayBlockingQueue<>(3);

        void query() throws InterruptedException {
            String task = in.take();
            Thread.sleep(1);
            out.put(task);
        }
    }

    /// A worker that puts a failed task back.
    public static final class Retry {
        private final BlockingQueue<String> tasks = new ArrayBlockingQueue<>(3);

        void query() throws InterruptedException {
            String task = tasks.take();
            Thread.sleep(1);
            if (task.length() > 3) {
                tasks.put(task);
            }
        }
    }

    /// A channel of tokens.
    public static final class Tokens {
        private final Chan<String> tokens = Chan.make(3);

        void query() throws InterruptedException {
            tokens.send("token");
            Thread.sleep(1);
            String _ = tokens.receive();
        }
    }

    public static final class Loader {
        private final ReentrantLock lock = new ReentrantLock();
        private final CountDownLatch loaded = new CountDownLatch(1);

        void await() throws InterruptedException {
            lock.lock();
            loaded.await();
        }

        void load() {
            lock.lock();
            loaded.countDown();
        }

        void other() {
            lock.lock();
        }
    }

    /// Its workers count down, unless one fails before.
    public static final class Batch {
        private final CountDownLatch done = new CountDownLatch(2);

        void start() {
            Thread.startVirtualThread(() -> work("one"));
            Thread.startVirtualThread(() -> work("other"));
        }

        void work(String task) {
            if (task.isEmpty()) {
                throw new IllegalArgumentException("no task");
            }
            done.countDown();
        }

        void await() throws InterruptedException {
            done.await();
        }
    }

    /// Its handler counts down when a user stops it.
    public static final class Server {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final List<Runnable> handlers = new ArrayList<>();

        void start() {
            handlers.add(() -> stopped.countDown());
        }

        void await() throws InterruptedException {
            stopped.await();
        }
    }
}
