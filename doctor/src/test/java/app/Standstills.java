package app;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.StampedLock;

/// Code in which threads come to make no progress, and code that only looks like it. Never run.
public final class Standstills {

    private Standstills() {}

    /// Both sides wait at one monitor, and wake one.
    public static final class Shelf {
        private final Deque<String> goods = new ArrayDeque<>();

        synchronized void put(String thing) throws InterruptedException {
            while (goods.size() == 2) {
                wait();
            }
            goods.addLast(thing);
            notify();
        }

        synchronized String take() throws InterruptedException {
            while (goods.isEmpty()) {
                wait();
            }
            String thing = goods.removeFirst();
            notify();
            return thing;
        }

        /// Waits at the same monitor, and wakes no thread.
        synchronized void awaitEmpty() throws InterruptedException {
            while (!goods.isEmpty()) {
                wait();
            }
        }
    }

    /// A barrier for threads that this class starts.
    public static final class Rounds {
        private final CyclicBarrier barrier = new CyclicBarrier(3);

        void start() {
            Thread.startVirtualThread(this::run);
        }

        private void run() {
            try {
                while (true) {
                    Thread.sleep(1);
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// A consumer and its producers.
    public static final class Printer {
        private final BlockingQueue<String> labels = new ArrayBlockingQueue<>(20);

        void start() {
            Thread.startVirtualThread(this::print);
            Thread.startVirtualThread(this::ship);
        }

        private void print() {
            try {
                while (true) {
                    String label = labels.take();
                    Thread.sleep(label.length());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void ship() {
            try {
                while (true) {
                    labels.put("label");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Takes a second permit with the first in hand.
    public static final class Transfers {
        private final Semaphore slots = new Semaphore(6);

        void start() {
            Thread.startVirtualThread(this::outer);
        }

        private void outer() {
            slots.acquireUninterruptibly();
            try {
                inner();
            } finally {
                slots.release();
            }
        }

        private void inner() {
            slots.acquireUninterruptibly();
            try {
                Thread.yield();
            } finally {
                slots.release();
            }
        }
    }

    /// Two threads that fill each other's queue.
    public static final class Relay {
        private final BlockingQueue<String> there = new ArrayBlockingQueue<>(4);
        private final BlockingQueue<String> back = new ArrayBlockingQueue<>(4);

        void start() {
            Thread.startVirtualThread(this::left);
            Thread.startVirtualThread(this::right);
        }

        private void left() {
            try {
                while (true) {
                    String item = there.take();
                    back.put(item);
                    back.put(item);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void right() {
            try {
                while (true) {
                    String item = back.take();
                    there.put(item);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Answers questions, unless it forgets one.
    public static final class Answers {
        private final Map<Integer, CompletableFuture<String>> pending = new ConcurrentHashMap<>();
        private final BlockingQueue<Integer> wire = new LinkedBlockingQueue<>();

        void start() {
            Thread.startVirtualThread(this::answer);
            Thread.startVirtualThread(this::ask);
        }

        private void ask() {
            CompletableFuture<String> future = new CompletableFuture<>();
            pending.put(1, future);
            boolean _ = wire.add(1);
            String _ = future.join();
        }

        private void answer() {
            try {
                while (true) {
                    CompletableFuture<String> future = pending.remove(wire.take());
                    if (future != null) {
                        future.complete("yes");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Clients wait for the next event, which may be rare.
    public static final class LongPoll {
        private final BlockingQueue<CompletableFuture<String>> clients = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        String next() {
            CompletableFuture<String> future = new CompletableFuture<>();
            boolean _ = clients.add(future);
            return future.join();
        }

        void publish() throws InterruptedException {
            while (true) {
                String event = events.take();
                for (CompletableFuture<String> client : clients) {
                    client.complete(event);
                }
            }
        }

        /// Called by handlers, at any time.
        void add(String event) {
            boolean _ = events.add(event);
        }
    }

    /// A pool that the program has written itself.
    public static final class Leases {
        private int free = 3;

        synchronized void take() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized void back() {
            free++;
            notify();
        }
    }

    public static final class Visits {
        private final Leases leases = new Leases();

        void handle() throws InterruptedException {
            leases.take();
            try {
                Thread.sleep(1);
            } finally {
                leases.back();
            }
        }
    }

    /// Serves each client in the loop that accepts them.
    public static final class Listener {
        void listen(ServerSocket server) throws IOException, InterruptedException {
            while (true) {
                try (Socket client = server.accept()) {
                    serve(client);
                }
            }
        }

        private static void serve(Socket client) throws InterruptedException {
            Thread.sleep(client.getPort());
        }
    }

    public static final class Ledger {
        private final StampedLock lock = new StampedLock();
        private int value;

        void save() throws InterruptedException {
            long stamp = lock.writeLock();
            try {
                value++;
                Thread.sleep(1);
            } finally {
                lock.unlockWrite(stamp);
            }
        }

        void saveQuickly() throws InterruptedException {
            long stamp = lock.writeLock();
            value++;
            lock.unlockWrite(stamp);
            Thread.sleep(1);
        }
    }

    public static final class Buffers {
        private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[1 << 16]);

        static byte[] mine() {
            return SCRATCH.get();
        }
    }
}
