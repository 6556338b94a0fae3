package app;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Code for the rules about polling, queues and herds: see [Fixtures]. Never run.
public final class Waiters {

    private Waiters() {}

    public static final class SleepingPoller {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        void run() throws InterruptedException {
            while (true) {
                Runnable task = tasks.poll();
                if (task == null) {
                    Thread.sleep(1);
                } else {
                    task.run();
                }
            }
        }
    }

    public static final class FlagPoller {
        private volatile boolean done;

        void run() throws InterruptedException {
            while (!done) {
                Thread.sleep(1);
            }
        }

        void end() {
            done = true;
        }
    }

    /// Pauses between two requests. To serve one, it takes a buffer from a queue.
    public static final class Customer {
        private final Queue<StringBuilder> buffers = new ConcurrentLinkedQueue<>();

        void run() throws InterruptedException {
            while (true) {
                serve();
                Thread.sleep(1);
            }
        }

        private void serve() {
            StringBuilder free = buffers.poll();
            StringBuilder buffer = free == null ? new StringBuilder() : free;
            buffer.append('x');
            boolean _ = buffers.offer(buffer);
        }
    }

    /// Work at intervals, until it is told to end.
    public static final class Ticker {
        private volatile boolean done;
        private final StringBuilder text = new StringBuilder();

        void run() throws InterruptedException {
            while (!done) {
                text.append('x');
                Thread.sleep(1);
            }
        }

        void end() {
            done = true;
        }
    }

    public static final class YieldingPoller {
        private volatile boolean done;

        void run() {
            while (!done) {
                Thread.yield();
            }
        }

        void end() {
            done = true;
        }
    }

    /// Computes and lets others run now and then.
    public static final class YieldingComputer {
        private long state = 1;

        void run() {
            while (state != 0) {
                state = state * 31 + 7;
                Thread.yield();
            }
        }
    }

    public static final class Herd {
        private final Queue<String> tasks = new ArrayDeque<>();

        synchronized String run() throws InterruptedException {
            while (tasks.isEmpty()) {
                wait();
            }
            return tasks.remove();
        }

        synchronized void add(String task) {
            tasks.add(task);
            notifyAll();
        }
    }

    public static final class Single {
        private final Queue<String> tasks = new ArrayDeque<>();

        synchronized String run() throws InterruptedException {
            while (tasks.isEmpty()) {
                wait();
            }
            return tasks.remove();
        }

        synchronized void add(String task) {
            tasks.add(task);
            notify();
        }
    }

    /// A search in one thread, which remembers where to go on.
    public static final class Search {
        final Queue<String> open = new ArrayDeque<>();

        void run() {
            while (!open.isEmpty()) {
                open.add(open.remove() + "x");
            }
        }
    }

    public static final class Shop {
        final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        final Queue<String> done = new ConcurrentLinkedQueue<>();

        void run() throws InterruptedException {
            done.add(next());
        }

        private String next() throws InterruptedException {
            return orders.take();
        }
    }
}
