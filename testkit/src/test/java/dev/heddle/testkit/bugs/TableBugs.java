package dev.heddle.testkit.bugs;

import static dev.heddle.testkit.bugs.Bug.require;
import static dev.heddle.testkit.bugs.Bug.start;
import static dev.heddle.testkit.bugs.Bug.together;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// The smallest programs that tell the strategies apart: which bugs are found without points, and by which strategy.
@SuppressWarnings({"LockNotBeforeTry", "NonAtomicVolatileUpdate", "WaitNotInLoop"}) // these are the bugs
public final class TableBugs {

    private TableBugs() {}

    public static List<Bug> all() {
        return List.of(
                Bug.of("lost update across a wait", TableBugs::acrossWait),
                Bug.of("lock order, ReentrantLock", TableBugs::lockOrder),
                Bug.of("lock order, monitors", TableBugs::monitorOrder),
                Bug.of("4 philosophers", isFixed -> Classics.philosophers(2, isFixed)),
                Bug.of("missed signal", TableBugs::missedSignal),
                Bug.of("signal instead of signalAll", Classics::signals),
                Bug.of("notify instead of notifyAll", TableBugs::notifications),
                Bug.of("n++ by two threads", TableBugs::increments),
                Bug.of("check then act", Classics::checkThenAct),
                threePreemptions(),
                new Bug("timeout and answer at one instant", _ -> answer(100), _ -> answer(99)));
    }

    /// The one that no schedule with two preemptions finds.
    public static Bug threePreemptions() {
        return Bug.of("needs three preemptions", TableBugs::threePreemptions);
    }

    /// The audit has one place, so a deposit waits.
    private static void acrossWait(boolean isFixed) throws InterruptedException {
        BlockingQueue<Integer> audit = new LinkedBlockingQueue<>(1);
        Classics.Account account = new Classics.Account(audit);
        together(
                () -> takeThree(audit),
                () -> account.deposit(1, isFixed),
                () -> account.deposit(2, isFixed),
                () -> account.deposit(4, isFixed));
        account.requireBalance(7);
    }

    private static void takeThree(BlockingQueue<Integer> audit) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            audit.take();
        }
    }

    private static void lockOrder(boolean isFixed) throws InterruptedException {
        Classics.<Lock>inTwoOrders(isFixed, new ReentrantLock(), new ReentrantLock(), TableBugs::nested);
    }

    private static void nested(Lock outer, Lock inner) {
        outer.lock();
        inner.lock();
        inner.unlock();
        outer.unlock();
    }

    private static void monitorOrder(boolean isFixed) throws InterruptedException {
        int[] uses = new int[1];
        Classics.inTwoOrders(isFixed, new Object(), new Object(), (outer, inner) -> nested(outer, inner, uses));
    }

    private static void nested(Object outer, Object inner, int[] uses) {
        synchronized (outer) {
            uses[0]++;
            synchronized (inner) {
                uses[0]++;
            }
        }
    }

    /// Checks outside of the lock, and waits inside.
    private static final class Gate {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition opened = lock.newCondition();
        private volatile boolean isOpen;

        void pass(boolean isFixed) throws InterruptedException {
            if (!isOpen) {
                lock.lock();
                if (!isFixed || !isOpen) {
                    opened.await();
                }
                lock.unlock();
            }
        }

        void open() {
            lock.lock();
            isOpen = true;
            opened.signalAll();
            lock.unlock();
        }
    }

    private static void missedSignal(boolean isFixed) throws InterruptedException {
        Gate gate = new Gate();
        together(() -> gate.pass(isFixed), gate::open);
    }

    private static final class MonitorPlace extends Classics.Place {
        private final boolean isFixed;

        MonitorPlace(boolean isFixed) {
            this.isFixed = isFixed;
        }

        @Override
        synchronized void change(int from, int to) throws InterruptedException {
            while (size != from) {
                wait();
            }
            size = to;
            if (isFixed) {
                notifyAll();
            } else {
                notify();
            }
        }
    }

    private static void notifications(boolean isFixed) throws InterruptedException {
        new MonitorPlace(isFixed).use();
    }

    private static final class Counter {
        private int count;

        void increment(boolean isFixed) {
            if (isFixed) {
                synchronized (this) {
                    count++;
                }
            } else {
                count++;
            }
        }
    }

    private static void increments(boolean isFixed) throws InterruptedException {
        Counter counter = new Counter();
        together(() -> counter.increment(isFixed), () -> counter.increment(isFixed));
        require(counter.count == 2, "count " + counter.count);
    }

    /// Two flags, each raised and lowered at once. The reader must read the first while it is up, let the writer
    /// go on, and read the second while that is up: three preemptions.
    private static final class Flags {
        private volatile boolean isFirstUp;
        private volatile boolean isSecondUp;
        private volatile boolean areBothSeen;

        void raise() {
            isFirstUp = true;
            isFirstUp = false;
            isSecondUp = true;
            isSecondUp = false;
        }

        void read() {
            if (isFirstUp && isSecondUp) {
                areBothSeen = true;
            }
        }
    }

    private static void threePreemptions(boolean isFixed) throws InterruptedException {
        Flags flags = new Flags();
        ReentrantLock lock = new ReentrantLock();
        together(() -> perhapsLocked(isFixed, lock, flags::raise), () -> perhapsLocked(isFixed, lock, flags::read));
        require(!flags.areBothSeen, "both flags were seen up");
    }

    private static void perhapsLocked(boolean isLocked, Lock lock, Runnable action) {
        if (isLocked) {
            lock.lock();
            action.run();
            lock.unlock();
        } else {
            action.run();
        }
    }

    /// The client waits 100 ms, and the server answers after `delay` ms. At 100 ms it depends on the schedule whether
    /// the server still finds the client.
    private static void answer(int delay) throws InterruptedException {
        SynchronousQueue<String> answers = new SynchronousQueue<>();
        boolean[] wasTaken = new boolean[1];
        Thread server = start(() -> {
            Thread.sleep(delay);
            wasTaken[0] = answers.offer("answer");
        });
        String answer = answers.poll(100, TimeUnit.MILLISECONDS);
        server.join();
        require(wasTaken[0], "the answer was lost, and the client got " + answer);
    }
}
