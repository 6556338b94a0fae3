package dev.heddle.testkit.bugs;

import static dev.heddle.testkit.bugs.Bug.require;
import static dev.heddle.testkit.bugs.Bug.start;
import static dev.heddle.testkit.bugs.Bug.together;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Once;
import dev.heddle.Select;
import dev.heddle.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Twelve bugs of the kinds that GoBench (GoKer) and JaConTeBe collect from real programs: order violation, double
/// lock, missed notification, misuse of channels, ABBA, leak after a timeout, double close, lost update, check then
/// act, one signal for many, a wait group that is joined late, and dining philosophers.
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // these are the bugs
public final class PublishedBugs {

    private PublishedBugs() {}

    public static List<Bug> all() {
        return List.of(
                new Bug("order violation", _ -> orderViolation(false), _ -> orderViolation(true)),
                new Bug("double lock", _ -> doubleLock(false), _ -> doubleLock(true)),
                new Bug("missed notification", _ -> missedNotification(false), _ -> missedNotification(true)),
                new Bug("send on closed channel", _ -> sendOnClosed(false), _ -> sendOnClosed(true)),
                new Bug("ABBA", _ -> abba(false), _ -> abba(true)),
                new Bug("leak after timeout", _ -> leakAfterTimeout(0), _ -> leakAfterTimeout(1)),
                new Bug("double close", _ -> doubleClose(false), _ -> doubleClose(true)),
                new Bug("lost update", _ -> lostUpdate(false), _ -> lostUpdate(true)),
                new Bug("check then act", _ -> checkThenAct(false), _ -> checkThenAct(true)),
                new Bug("one signal for many", _ -> oneSignal(false), _ -> oneSignal(true)),
                new Bug("late join of a wait group", _ -> lateJoin(false), _ -> lateJoin(true)),
                new Bug("dining philosophers", _ -> philosophers(false), _ -> philosophers(true)));
    }

    /// A field that another thread uses before it is set (GoKer: order violation).
    private static final class Service {
        private volatile @Nullable String address;

        void begin(boolean isFixed) throws InterruptedException {
            if (isFixed) {
                address = "here";
            }
            Thread user = start(() -> require(address != null, "used before it was set"));
            if (!isFixed) {
                address = "here";
            }
            user.join();
        }
    }

    private static void orderViolation(boolean isFixed) throws InterruptedException {
        new Service().begin(isFixed);
    }

    /// A lock that is not reentrant, taken again in a branch that only another thread opens (GoKer: double
    /// locking).
    private static final class Store {
        private final Semaphore lock = new Semaphore(1);
        private volatile boolean isFull;

        void put(boolean isFixed) throws InterruptedException {
            lock.acquire();
            if (isFull) {
                if (isFixed) {
                    cleanLocked();
                } else {
                    clean();
                }
            }
            lock.release();
        }

        private void clean() throws InterruptedException {
            lock.acquire();
            cleanLocked();
            lock.release();
        }

        private void cleanLocked() {
            isFull = false;
        }
    }

    private static void doubleLock(boolean isFixed) throws InterruptedException {
        Store store = new Store();
        together(() -> store.put(isFixed), () -> store.isFull = true);
    }

    /// Looks outside the lock and waits inside (JaConTeBe: missed notification).
    private static final class Gate {
        private final Object monitor = new Object();
        private volatile boolean isOpen;

        void pass(boolean isFixed) throws InterruptedException {
            if (isFixed) {
                synchronized (monitor) {
                    while (!isOpen) {
                        monitor.wait();
                    }
                }
            } else if (!isOpen) {
                synchronized (monitor) {
                    monitor.wait();
                }
            }
        }

        void open() {
            synchronized (monitor) {
                isOpen = true;
                monitor.notifyAll();
            }
        }
    }

    private static void missedNotification(boolean isFixed) throws InterruptedException {
        Gate gate = new Gate();
        together(() -> gate.pass(isFixed), gate::open);
    }

    /// The receiver closes the channel while a sender is at work (GoKer: channel misuse).
    private static void sendOnClosed(boolean isFixed) throws InterruptedException {
        Chan<Integer> results = Chan.make(2);
        WaitGroup senders = new WaitGroup();
        for (int i = 0; i < 2; i++) {
            int value = i;
            senders.go(() -> results.send(value));
        }
        results.receive();
        if (isFixed) {
            senders.await();
        }
        results.close();
        senders.await();
    }

    /// Two locks in two orders (both collections).
    private static void abba(boolean isFixed) throws InterruptedException {
        Object a = new Object();
        Object b = new Object();
        int[] uses = new int[1];
        together(() -> nested(a, b, uses), () -> nested(isFixed ? a : b, isFixed ? b : a, uses));
    }

    private static void nested(Object outer, Object inner, int[] uses) {
        synchronized (outer) {
            synchronized (inner) {
                uses[0]++;
            }
        }
    }

    /// The answer comes when the client has given up: the server waits for ever (GoKer: the classic leak). A
    /// buffer of one is the correction.
    private static void leakAfterTimeout(int buffer) throws InterruptedException {
        Chan<String> answer = Chan.make(buffer);
        Go.go(() -> {
            Thread.sleep(100);
            answer.send("late");
        });
        Select.select(Select.receive(answer), Select.timeout(Duration.ofMillis(100)));
    }

    /// Two threads find a channel open and close it (GoKer: double close).
    private static final class Stopper {
        private final Chan<String> done = Chan.make();
        private final Once once = new Once();
        private volatile boolean isClosed;

        void stop(boolean isFixed) throws InterruptedException {
            if (isFixed) {
                once.run(done::close);
            } else if (!isClosed) {
                isClosed = true;
                done.close();
            }
        }
    }

    private static void doubleClose(boolean isFixed) throws InterruptedException {
        Stopper stopper = new Stopper();
        together(() -> stopper.stop(isFixed), () -> stopper.stop(isFixed));
    }

    /// Reads, asks another thread, writes (both collections: atomicity violation).
    private static final class Account {
        private final LinkedBlockingQueue<Integer> audit = new LinkedBlockingQueue<>();
        private final ReentrantLock lock = new ReentrantLock();
        private int balance;

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
    }

    private static void lostUpdate(boolean isFixed) throws InterruptedException {
        Account account = new Account();
        together(() -> account.deposit(1, isFixed), () -> account.deposit(2, isFixed));
        require(account.balance == 3, "balance " + account.balance);
    }

    /// A concurrent map, used in two steps (JaConTeBe: check then act).
    private static void checkThenAct(boolean isFixed) throws InterruptedException {
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

    /// Producers and consumers on one condition, with one signal (JaConTeBe).
    private static final class Buffer {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final boolean isFixed;
        private int size;

        Buffer(boolean isFixed) {
            this.isFixed = isFixed;
        }

        private void change(int from, int to) throws InterruptedException {
            lock.lock();
            try {
                while (size != from) {
                    changed.await();
                }
                size = to;
                if (isFixed) {
                    changed.signalAll();
                } else {
                    changed.signal();
                }
            } finally {
                lock.unlock();
            }
        }

        void putTwo() throws InterruptedException {
            change(0, 1);
            change(0, 1);
        }

        void takeTwo() throws InterruptedException {
            change(1, 0);
            change(1, 0);
        }
    }

    private static void oneSignal(boolean isFixed) throws InterruptedException {
        Buffer buffer = new Buffer(isFixed);
        together(buffer::putTwo, buffer::putTwo, buffer::takeTwo, buffer::takeTwo);
    }

    /// The goroutine joins the group itself, perhaps after the wait (GoKer: misuse of WaitGroup).
    private static void lateJoin(boolean isFixed) throws InterruptedException {
        WaitGroup group = new WaitGroup();
        AtomicInteger done = new AtomicInteger();
        if (isFixed) {
            group.add(1);
        }
        Go.go(() -> {
            if (!isFixed) {
                group.add(1);
            }
            done.incrementAndGet();
            group.done();
        });
        group.await();
        require(done.get() == 1, "the group was done before its member");
    }

    /// Each takes the left fork first; the correction lets the last one begin with the right (both
    /// collections).
    private static void philosophers(boolean isFixed) throws InterruptedException {
        int count = 4;
        List<ReentrantLock> forks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            forks.add(new ReentrantLock());
        }
        Bug.Action[] eaters = new Bug.Action[count];
        for (int i = 0; i < count; i++) {
            boolean isSwapped = isFixed && i == count - 1;
            ReentrantLock first = forks.get(isSwapped ? 0 : i);
            ReentrantLock second = forks.get(isSwapped ? i : (i + 1) % count);
            eaters[i] = () -> {
                first.lock();
                Thread.yield();
                second.lock();
                second.unlock();
                first.unlock();
            };
        }
        together(eaters);
    }
}
