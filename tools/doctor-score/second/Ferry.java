// problem: A passenger looks whether the gate is open, and only later takes the lock and waits for the signal; if the
//     gate opens in between, the signal is lost and the passenger waits forever.
// place: Gate.pass
// place: Ferry.board
// remedy: Read the state in a loop while the lock is held, before each await.

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A harbour with many small ferries: each trip has a gate, which the crew opens when the ferry is ready. */
public final class Ferry {

    private final LongAdder boarded = new LongAdder();
    private final LongAdder announced = new LongAdder();

    void board(Gate gate) {
        try {
            gate.pass();
            boarded.increment();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void prepare(Gate gate) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(20)); // moors the ferry
            gate.open();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void announce() {
        try {
            while (true) {
                Thread.sleep(30);
                announced.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var harbour = new Ferry();
        for (int i = 0; i < 20; i++) {
            Thread.ofVirtual().name("announcer " + i).start(harbour::announce);
        }
        while (true) {
            var gate = new Gate();
            Thread.startVirtualThread(() -> harbour.board(gate));
            Thread.startVirtualThread(() -> harbour.prepare(gate));
            Thread.sleep(5);
        }
    }
}

/** Passengers wait in front of a gate until it is open. */
final class Gate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private volatile boolean isOpen;

    void pass() throws InterruptedException {
        if (isOpen) {
            return;
        }
        Thread.sleep(3); // shows "please wait" on the display of the gate
        lock.lock();
        try {
            opened.await();
        } finally {
            lock.unlock();
        }
    }

    void open() {
        lock.lock();
        try {
            isOpen = true;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
