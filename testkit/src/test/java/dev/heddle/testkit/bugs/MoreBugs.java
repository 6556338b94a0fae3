package dev.heddle.testkit.bugs;

import static dev.heddle.testkit.bugs.Bug.require;
import static dev.heddle.testkit.bugs.Bug.start;
import static dev.heddle.testkit.bugs.Bug.together;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The last six bugs of the first set, as they occur in services.
@SuppressWarnings("LockNotBeforeTry") // bugs, and programs as short as they
public final class MoreBugs {

    private MoreBugs() {}

    public static List<Bug> all() {
        return List.of(
                Bug.of("pill before the last item", MoreBugs::pill),
                Bug.of("upgrade of a read lock", MoreBugs::upgrade),
                Bug.of("list shared by callbacks", MoreBugs::callbacks),
                Bug.of("permit lost on timeout", MoreBugs::permit),
                new Bug("task waits for its own pool", _ -> ownPool(1), _ -> ownPool(2)),
                Bug.of("stop flag reset by start", MoreBugs::stopFlag));
    }

    /// Two producers share a queue; the first to end sends the pill for both.
    private static void pill(boolean isFixed) throws InterruptedException {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        AtomicInteger producers = new AtomicInteger(2);
        AtomicInteger sum = new AtomicInteger();
        Bug.Action produce = () -> {
            queue.put(1);
            boolean isLast = producers.decrementAndGet() == 0;
            if (!isFixed || isLast) {
                queue.put(-1);
            }
        };
        together(produce, produce, () -> {
            for (int item = queue.take(); item > 0; item = queue.take()) {
                sum.addAndGet(item);
            }
        });
        require(sum.get() == 2, "consumed " + sum + " of 2");
    }

    /// A reader that finds the cache empty wants to write, and keeps its read lock while it waits for the write
    /// lock.
    private static void upgrade(boolean isFixed) throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int[] cache = new int[1];
        Bug.Action fill = () -> {
            lock.readLock().lock();
            boolean isEmpty = cache[0] == 0;
            if (isFixed || !isEmpty) {
                lock.readLock().unlock();
            }
            if (isEmpty) {
                lock.writeLock().lock();
                cache[0] = 1;
                lock.writeLock().unlock();
            }
        };
        cache[0] = 1;
        together(() -> cache[0] = isFixed ? 0 : cache[0] - 1, fill);
    }

    /// Callbacks of futures run on several threads and add to one list.
    private static void callbacks(boolean isFixed) {
        List<Integer> seen = isFixed ? Collections.synchronizedList(new ArrayList<>()) : new Unsafe();
        CompletableFuture<?> a = CompletableFuture.supplyAsync(() -> 1).thenAccept(seen::add);
        CompletableFuture<?> b = CompletableFuture.supplyAsync(() -> 2).thenAccept(seen::add);
        CompletableFuture.allOf(a, b).join();
        require(seen.size() == 2, "seen " + seen.size() + " of 2");
    }

    /// As an ArrayList inside, but in a class that can have points.
    private static final class Unsafe extends java.util.AbstractList<Integer> {
        private final Integer[] items = new Integer[10];
        private int size;

        @Override
        public boolean add(Integer item) {
            items[size] = item;
            size = size + 1;
            return true;
        }

        @Override
        public Integer get(int index) {
            return items[index];
        }

        @Override
        public int size() {
            return size;
        }
    }

    /// A call that times out does not give its permit back.
    private static void permit(boolean isFixed) throws InterruptedException {
        Semaphore permits = new Semaphore(1);
        LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
        Thread server = start(() -> {
            Thread.sleep(50);
            answers.put("answer");
        });
        permits.acquire();
        String answer = answers.poll(50, TimeUnit.MILLISECONDS);
        if (isFixed || answer != null) {
            permits.release();
        }
        server.join();
        permits.acquire();
    }

    /// A task of a pool waits for another task of the same pool.
    private static void ownPool(int size) throws InterruptedException, ExecutionException {
        try (ExecutorService pool = Executors.newFixedThreadPool(size)) {
            pool.submit(() -> pool.submit(() -> 1).get()).get();
        }
    }

    /// A stop that comes before the worker's start is forgotten.
    private static final class Worker {
        private volatile boolean isStopped;

        void run(boolean isFixed) throws InterruptedException {
            if (!isFixed) {
                isStopped = false;
            }
            while (!isStopped) {
                Thread.sleep(1000);
            }
        }
    }

    private static void stopFlag(boolean isFixed) throws InterruptedException {
        Worker worker = new Worker();
        together(() -> worker.run(isFixed), () -> worker.isStopped = true);
    }
}
