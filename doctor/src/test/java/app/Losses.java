package app;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/// Code that loses a lock, a permit, a signal or a datagram, or lets something grow without an end, and code that only
/// looks like it. Never run.
public final class Losses {

    private Losses() {}

    /// Two classes whose initialisers need each other.
    public static final class Rates {
        static final Map<String, Integer> ALL = new HashMap<>();

        static {
            int percent = Fees.percent("a");
            ALL.put("a", percent);
        }

        static boolean isKnown(String code) {
            return ALL.containsKey(code);
        }
    }

    public static final class Fees {
        static final Map<String, Integer> ALL = new HashMap<>();

        static {
            if (!Rates.isKnown("b")) {
                ALL.put("b", 1);
            }
        }

        static int percent(String code) {
            return ALL.getOrDefault(code, 1);
        }
    }

    public static final class Till {
        static int pay(String code) {
            return Fees.percent(code);
        }
    }

    /// Returns with the lock in hand on one path.
    public static final class Table {
        private final StampedLock lock = new StampedLock();
        private final Map<Integer, Integer> rows = new HashMap<>();

        int read(int key) {
            long stamp = lock.readLock();
            Integer row = rows.get(key);
            if (row == null) {
                return 0;
            }
            lock.unlockRead(stamp);
            return row;
        }
    }

    /// The same with an owner.
    public static final class Counter {
        private final ReentrantLock lock = new ReentrantLock();
        private int count;

        void add(int number) {
            lock.lock();
            if (number == 0) {
                return;
            }
            count += number;
            lock.unlock();
        }

        void rest() throws InterruptedException {
            add(0);
            Thread.sleep(count);
        }

        void addSlowly(int number) throws InterruptedException {
            lock.lock();
            count += number;
            Thread.sleep(number);
            lock.unlock();
        }
    }

    /// Unlocks in a finally block.
    public static final class CarefulCounter {
        private final ReentrantLock lock = new ReentrantLock();
        private int count;

        void add(int number) {
            lock.lock();
            try {
                count += number;
            } finally {
                lock.unlock();
            }
        }

        void rest() throws InterruptedException {
            add(0);
            Thread.sleep(count);
        }
    }

    /// Unlocks in a lambda, which the caller runs at any time.
    public static final class Tickets {
        private final ReentrantLock lock = new ReentrantLock();

        AutoCloseable hold() {
            lock.lock();
            return lock::unlock;
        }

        void rest() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    /// Gives a permit back only after a call that succeeds.
    public static final class Limit {
        private final Semaphore permits = new Semaphore(3);

        void call() throws InterruptedException {
            if (!permits.tryAcquire(4, TimeUnit.SECONDS)) {
                return;
            }
            work();
            permits.release();
        }

        private static void work() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    /// Reads the state, and only later takes the lock and waits.
    public static final class Gate {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition opened = lock.newCondition();
        private volatile boolean isOpen;

        void pass() throws InterruptedException {
            if (isOpen) {
                return;
            }
            lock.lock();
            try {
                opened.await();
            } finally {
                lock.unlock();
            }
        }

        void passSafely() throws InterruptedException {
            lock.lock();
            try {
                while (!isOpen) {
                    opened.await();
                }
            } finally {
                lock.unlock();
            }
        }

        void open() {
            isOpen = true;
            opened.signalAll();
        }
    }

    public static final class Asker {
        private final DatagramSocket socket;

        Asker(DatagramSocket socket) {
            this.socket = socket;
        }

        void ask(DatagramPacket packet) throws IOException {
            socket.send(packet);
            socket.receive(packet);
        }

        void listen(DatagramPacket packet) throws IOException {
            while (true) {
                socket.receive(packet);
                socket.send(packet);
            }
        }
    }

    /// Each stage waits for the one before.
    public static final class Bookings {
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

        void add(Runnable booking, Executor executor) {
            last = last.thenRunAsync(booking, executor);
        }
    }

    /// A time limit for each call, which no code cancels.
    public static final class Calls {
        private final Executor later = CompletableFuture.delayedExecutor(10, TimeUnit.MINUTES);

        void call() throws InterruptedException {
            later.execute(() -> {});
            Thread.sleep(1);
        }

        void schedule(ScheduledExecutorService timer) throws InterruptedException {
            timer.schedule(() -> {}, 10, TimeUnit.MINUTES);
            Thread.sleep(1);
        }
    }

    /// Writes under a monitor.
    public static final class Log {
        private final OutputStream out;

        Log(OutputStream out) {
            this.out = out;
        }

        void write(byte[] line) throws IOException {
            synchronized (out) {
                out.write(line);
            }
        }

        void flush(byte[] line) throws IOException {
            out.flush();
            synchronized (out) {
                out.write(line);
            }
        }

        synchronized void close() throws IOException {
            out.close();
        }
    }
}
