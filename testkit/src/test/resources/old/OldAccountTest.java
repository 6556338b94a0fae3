package old;

import dev.heddle.testkit.HeddleTest;
import java.util.concurrent.locks.ReentrantLock;

/// The example of the manual as a class file of Java 8: a test compiles it so. There JaCoCo counts in another way.
public class OldAccountTest {

    static final class Account {
        private final ReentrantLock lock = new ReentrantLock();
        private int balance;

        void transfer(Account to) {
            lock.lock();
            to.lock.lock();
            balance--;
            to.balance++;
            to.lock.unlock();
            lock.unlock();
        }
    }

    private final Account from = new Account();
    private final Account to = new Account();

    @HeddleTest
    void transfers() throws InterruptedException {
        Thread one = Thread.startVirtualThread(() -> from.transfer(to));
        Thread two = Thread.startVirtualThread(() -> to.transfer(from));
        one.join();
        two.join();
    }
}
