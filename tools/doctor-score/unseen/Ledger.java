// problem: Two transfers in opposite directions take the two account locks in opposite order and wait for each other
//     forever.
// place: Ledger.transfer
// remedy: Take the locks in one fixed order, for example by account number.

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps 24 accounts. Transfers, statements and the daily interest run side by side. */
public final class Ledger {

    static final class Account {
        final int number;
        final ReentrantLock guard = new ReentrantLock();
        long cents = 1_000_000;

        Account(int number) {
            this.number = number;
        }
    }

    private final List<Account> accounts = new ArrayList<>();
    private final LongAdder transfers = new LongAdder();

    Ledger() {
        for (int i = 0; i < 24; i++) {
            accounts.add(new Account(i));
        }
    }

    void transfer(Account from, Account to, long cents) throws InterruptedException {
        from.guard.lock();
        try {
            Thread.sleep(1); // the fraud check
            to.guard.lock();
            try {
                from.cents -= cents;
                to.cents += cents;
                transfers.increment();
            } finally {
                to.guard.unlock();
            }
        } finally {
            from.guard.unlock();
        }
    }

    long statement(Account account) {
        account.guard.lock();
        try {
            return account.cents;
        } finally {
            account.guard.unlock();
        }
    }

    private void trade(long seed) {
        var random = new Random(seed);
        try {
            while (true) {
                Account from = accounts.get(random.nextInt(24));
                Account to = accounts.get(random.nextInt(24));
                if (from != to) {
                    transfer(from, to, random.nextInt(500));
                }
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var ledger = new Ledger();
        for (int i = 0; i < 40; i++) {
            int seed = i;
            Thread.startVirtualThread(() -> ledger.trade(seed));
        }
        var heartbeat = Thread.startVirtualThread(() -> {
            while (true) {
                try {
                    Thread.sleep(20);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        Thread.sleep(500);
        System.out.println("account 7 has " + ledger.accounts.get(7).cents + " cents");
        heartbeat.join();
    }
}
