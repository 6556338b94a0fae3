package dev.heddle.testkit.bugs;

import static dev.heddle.testkit.bugs.Bug.require;
import static dev.heddle.testkit.bugs.Bug.together;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/// Programs that are in more than one set.
@SuppressWarnings("LockNotBeforeTry") // nothing between can throw
final class Classics {

    private static final int PHILOSOPHERS = 4;

    private Classics() {}

    /// Reads, asks another thread, writes.
    static final class Account {
        private final BlockingQueue<Integer> audit;
        private final ReentrantLock lock = new ReentrantLock();
        private int balance;

        Account(BlockingQueue<Integer> audit) {
            this.audit = audit;
        }

        void deposit(int amount, boolean isFixed) throws InterruptedException {
            if (isFixed) {
                lock.lock();
            }
            int before = balance;
            audit.put(amount);
            balance = before + amount;
            if (isFixed) {
                lock.unlock();
            }
        }

        void requireBalance(int expected) {
            require(balance == expected, "balance " + balance);
        }
    }

    /// A concurrent map, used in two steps (JaConTeBe: check then act).
    static void checkThenAct(boolean isFixed) throws InterruptedException {
        ConcurrentHashMap<String, Integer> cache = new ConcurrentHashMap<>();
        AtomicInteger made = new AtomicInteger();
        Bug.Action get = () -> {
            if (isFixed) {
                cache.computeIfAbsent("key", _ -> made.incrementAndGet());
            } else if (!cache.containsKey("key")) {
                cache.put("key", made.incrementAndGet());
            }
        };
        together(get, get);
        require(made.get() == 1, "made " + made + " times");
    }

    /// Two threads take two locks, each in an order of its own (both collections: ABBA).
    static <L> void inTwoOrders(boolean isFixed, L a, L b, BiConsumer<L, L> nested) throws InterruptedException {
        together(() -> nested.accept(a, b), () -> nested.accept(isFixed ? a : b, isFixed ? b : a));
    }

    /// Each takes the left fork first, and yields before the other (both collections). The correction lets the last one
    /// begin with the right fork.
    static void philosophers(int meals, boolean isFixed) throws InterruptedException {
        Lock[] forks = new Lock[PHILOSOPHERS];
        for (int i = 0; i < forks.length; i++) {
            forks[i] = new ReentrantLock();
        }
        Bug.Action[] eaters = new Bug.Action[PHILOSOPHERS];
        for (int i = 0; i < eaters.length; i++) {
            boolean isSwapped = isFixed && i == eaters.length - 1;
            Lock first = forks[isSwapped ? 0 : i];
            Lock second = forks[isSwapped ? i : (i + 1) % forks.length];
            eaters[i] = () -> {
                for (int meal = 0; meal < meals; meal++) {
                    eat(first, second);
                }
            };
        }
        together(eaters);
    }

    private static void eat(Lock first, Lock second) {
        first.lock();
        Thread.yield();
        second.lock();
        second.unlock();
        first.unlock();
    }

    /// A place for one item. Producers and consumers wait for the same condition, and one of them is woken
    /// (JaConTeBe: signal instead of signalAll).
    abstract static class Place {
        int size;

        abstract void change(int from, int to) throws InterruptedException;

        private void putTwo() throws InterruptedException {
            change(0, 1);
            change(0, 1);
        }

        private void takeTwo() throws InterruptedException {
            change(1, 0);
            change(1, 0);
        }

        void use() throws InterruptedException {
            together(this::putTwo, this::putTwo, this::takeTwo, this::takeTwo);
        }
    }

    private static final class LockedPlace extends Place {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final boolean isFixed;

        LockedPlace(boolean isFixed) {
            this.isFixed = isFixed;
        }

        @Override
        void change(int from, int to) throws InterruptedException {
            lock.lock();
            while (size != from) {
                changed.await();
            }
            size = to;
            if (isFixed) {
                changed.signalAll();
            } else {
                changed.signal();
            }
            lock.unlock();
        }
    }

    static void signals(boolean isFixed) throws InterruptedException {
        new LockedPlace(isFixed).use();
    }
}
