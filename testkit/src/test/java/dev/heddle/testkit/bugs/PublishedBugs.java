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
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Twelve bugs of the kinds that GoBench (GoKer) and JaConTeBe collect from real programs: order violation, double
/// lock, missed notification, misuse of channels, ABBA, leak after a timeout, double close, lost update, check then
/// act, one signal for many, a wait group that is joined late, and dining philosophers.
@SuppressWarnings("WaitNotInLoop") // one of the bugs
public final class PublishedBugs {

    private PublishedBugs() {}

    public static List<Bug> all() {
        return List.of(
                Bug.of("order violation", PublishedBugs::orderViolation),
                Bug.of("double lock", PublishedBugs::doubleLock),
                Bug.of("missed notification", PublishedBugs::missedNotification),
                Bug.of("send on closed channel", PublishedBugs::sendOnClosed),
                Bug.of("ABBA", PublishedBugs::abba),
                new Bug("leak after timeout", _ -> leakAfterTimeout(0), _ -> leakAfterTimeout(1)),
                Bug.of("double close", PublishedBugs::doubleClose),
                Bug.of("lost update", PublishedBugs::lostUpdate),
                Bug.of("check then act", Classics::checkThenAct),
                Bug.of("one signal for many", Classics::signals),
                Bug.of("late join of a wait group", PublishedBugs::lateJoin),
                Bug.of("dining philosophers", isFixed -> Classics.philosophers(1, isFixed)));
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
        int[] uses = new int[1];
        Classics.inTwoOrders(isFixed, new Object(), new Object(), (outer, inner) -> nested(outer, inner, uses));
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

    /// Both collections: atomicity violation.
    private static void lostUpdate(boolean isFixed) throws InterruptedException {
        Classics.Account account = new Classics.Account(new LinkedBlockingQueue<>());
        together(() -> account.deposit(1, isFixed), () -> account.deposit(2, isFixed));
        account.requireBalance(3);
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
}
