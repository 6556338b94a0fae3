package app;

import dev.heddle.Chan;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/// Code of which one thread waits for what another one would do, and code that only looks like it. Never run.
public final class Blames {

    private Blames() {}

    /// Child processes.
    public static final class Probe {
        static String readAfterwards(ProcessBuilder tool) throws IOException, InterruptedException {
            Process child = tool.start();
            child.waitFor();
            return new String(child.getInputStream().readAllBytes());
        }

        static String readBefore(ProcessBuilder tool) throws IOException, InterruptedException {
            Process child = tool.start();
            String output = new String(child.getInputStream().readAllBytes());
            child.waitFor();
            return output;
        }

        static String errorsAfterwards(ProcessBuilder tool) throws IOException, InterruptedException {
            Process child = tool.start();
            String output = new String(child.getInputStream().readAllBytes());
            child.waitFor();
            return output + new String(child.getErrorStream().readAllBytes());
        }

        static String redirected(ProcessBuilder tool) throws IOException, InterruptedException {
            Process child = tool.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            child.waitFor();
            return new String(child.getErrorStream().readAllBytes());
        }

        static int supervise(ProcessBuilder tool) throws IOException, InterruptedException {
            return tool.start().waitFor();
        }
    }

    /// A state that lets all waiters go on, with a signal to one of them.
    public static final class Plant {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition water = lock.newCondition();
        private boolean isOff;

        void awaitWater() throws InterruptedException {
            lock.lock();
            try {
                while (isOff) {
                    water.await();
                }
            } finally {
                lock.unlock();
            }
        }

        void turn(boolean off) {
            lock.lock();
            try {
                isOff = off;
                water.signal();
            } finally {
                lock.unlock();
            }
        }

        void work() throws InterruptedException {
            awaitWater();
            Thread.sleep(1);
        }
    }

    /// The same with a signal to all.
    public static final class CarefulPlant {
        private boolean isOff;

        synchronized void awaitWater() throws InterruptedException {
            while (isOff) {
                wait();
            }
        }

        synchronized void turn(boolean off) {
            isOff = off;
            notifyAll();
        }

        synchronized void shutDown() {
            notify();
        }
    }

    /// Each signal is for one entry, and the waiter takes it.
    public static final class Workshop {
        private final Deque<String> orders = new ArrayDeque<>();
        private int open;

        synchronized void claim() throws InterruptedException {
            while (open == 0) {
                wait();
            }
            open--;
        }

        synchronized String next() throws InterruptedException {
            while (open == 0) {
                wait();
            }
            return orders.removeFirst();
        }

        /// The caller takes, with the monitor in hand.
        String nextByHelper() throws InterruptedException {
            synchronized (this) {
                awaitOrder();
                return orders.removeFirst();
            }
        }

        synchronized void awaitOrder() throws InterruptedException {
            while (open == 0) {
                wait();
            }
        }

        synchronized void order(String name) {
            orders.add(name);
            open++;
            notify();
        }
    }

    /// Who is woken wakes the next one.
    public static final class Relay {
        private boolean isOpen;

        synchronized void pass() throws InterruptedException {
            while (!isOpen) {
                wait();
            }
        }

        synchronized void open() {
            isOpen = true;
            notify();
        }

        void run() throws InterruptedException {
            pass();
            open();
        }
    }

    /// Asks for a `StampedLock` with its stamp in hand.
    public static final class Prices {
        private final StampedLock lock = new StampedLock();
        private final StampedLock other = new StampedLock();
        private int price;

        int upgrade() {
            long stamp = lock.readLock();
            try {
                if (price == 0) {
                    long write = lock.writeLock();
                    price = 1;
                    lock.unlockWrite(write);
                }
                return price;
            } finally {
                lock.unlockRead(stamp);
            }
        }

        int read() {
            long stamp = other.readLock();
            other.unlockRead(stamp);
            long second = lock.readLock();
            int seen = price;
            lock.unlockRead(second);
            return seen;
        }

        int again() {
            long stamp = lock.readLock();
            int seen = price;
            lock.unlockRead(stamp);
            long second = lock.writeLock();
            price = seen + 1;
            lock.unlockWrite(second);
            return seen;
        }

        int both() {
            long stamp = other.readLock();
            long second = lock.readLock();
            int seen = price;
            lock.unlockRead(second);
            other.unlockRead(stamp);
            return seen;
        }
    }

    /// Loops that only read a state, and one that does something.
    public static final class Spinner {
        private final AtomicBoolean busy = new AtomicBoolean();
        private boolean ready;
        private long rounds;

        void awaitReady() {
            while (!ready) {
                // another thread sets it
            }
        }

        void take() {
            while (!busy.compareAndSet(false, true)) {
                // another thread gives it back
            }
        }

        void count() {
            while (!ready) {
                rounds++;
            }
        }

        void sum(int[] numbers) {
            for (int number : numbers) {
                rounds += number;
            }
        }

        long sumUntilReady(long number) {
            long sum = 0;
            while (!ready) {
                sum += number;
            }
            return sum;
        }

        void fill(boolean[] flags) {
            while (!ready) {
                flags[0] = ready;
            }
        }

        int countUntilReady() {
            int count = 0;
            while (!ready) {
                count++;
            }
            return count;
        }

        void set() {
            ready = true;
        }
    }

    /// Puts into a full queue with a monitor in hand that the taker needs.
    public static final class Yard {
        private final BlockingQueue<String> kiln = new ArrayBlockingQueue<>(12);
        private final Deque<String> book = new ArrayDeque<>();

        synchronized void deliver(String load) throws InterruptedException {
            kiln.put(load);
        }

        synchronized void note(String entry) {
            book.removeFirst();
        }

        void fire() throws InterruptedException {
            while (true) {
                note(kiln.take());
            }
        }

        void write() {
            while (true) {
                note("x");
            }
        }
    }

    /// Takes permits one by one, and keeps them.
    public static final class Station {
        private final Semaphore cabins = new Semaphore(6);

        void board(int needed) throws InterruptedException {
            for (int i = 0; i < needed; i++) {
                cabins.acquire();
            }
        }

        void ride(int needed) throws InterruptedException {
            board(needed);
            cabins.release(needed);
        }

        void start(int groups) {
            for (int i = 0; i < groups; i++) {
                Thread.startVirtualThread(() -> {
                    try {
                        ride(2);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
        }
    }

    /// Takes one permit in each round, and gives it back.
    public static final class Lift {
        private final Semaphore cabins = new Semaphore(6);

        void ride(int rounds) throws InterruptedException {
            for (int i = 0; i < rounds; i++) {
                cabins.acquire();
                cabins.release();
            }
        }

        void start() {
            Thread.startVirtualThread(() -> {
                try {
                    ride(2);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    /// Questions by one queue, answers by another one.
    public static final class Line {
        private final BlockingQueue<String> out = new LinkedBlockingQueue<>(10);
        private final BlockingQueue<String> in = new LinkedBlockingQueue<>(10);
        private final Deque<String> wire = new ArrayDeque<>();
        private final Map<String, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

        String call(String text) throws InterruptedException {
            CompletableFuture<String> answer = pending.computeIfAbsent(text, _ -> new CompletableFuture<>());
            out.put(text);
            return answer.join();
        }

        String listen(String topic) {
            return pending.computeIfAbsent(topic, _ -> new CompletableFuture<>())
                    .join();
        }

        void receive() throws InterruptedException {
            while (true) {
                CompletableFuture<String> answer = pending.remove(in.take());
                if (answer != null) {
                    answer.complete("");
                }
            }
        }

        void transmit() throws InterruptedException {
            while (true) {
                wire.add(out.take());
            }
        }

        void answerSlowly() throws InterruptedException {
            String question = out.take();
            Thread.sleep(1);
            pending.get(question).complete("");
        }
    }

    /// The same by channels, which two loops read.
    public static final class Wire {
        private final Chan<String> out = Chan.make(10);
        private final Chan<String> in = Chan.make(10);
        private final Map<String, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

        String call(String text) throws InterruptedException {
            CompletableFuture<String> answer = pending.computeIfAbsent(text, _ -> new CompletableFuture<>());
            out.send(text);
            return answer.join();
        }

        void receive() {
            for (String text : in) {
                CompletableFuture<String> answer = pending.remove(text);
                if (answer != null) {
                    answer.complete("");
                }
            }
        }

        static void peer(Chan<String> questions, Chan<String> answers) throws InterruptedException {
            for (String question : questions) {
                answers.send(question);
            }
        }
    }

    /// Parks until another thread unparks it.
    public static final class Gate {
        private static final Gate GATE = new Gate();
        private boolean isOpen;

        void pass() {
            while (!isOpen) {
                LockSupport.park(this);
            }
        }

        void open(Thread waiter) {
            isOpen = true;
            LockSupport.unpark(waiter);
        }

        static void start() {
            Thread waiter = Thread.startVirtualThread(() -> GATE.pass());
            Thread.startVirtualThread(() -> GATE.open(waiter));
        }
    }
}
