package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.testkit.HeddleTest;
import java.util.concurrent.Executors;

/// The manual's first test. It finds a deadlock.
class AccountTest {
    final Account from = new Account(100), to = new Account(0); // new for each schedule

    @HeddleTest
    void transfersKeepTheSum() {
        try (var tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            tasks.submit(() -> from.transfer(to, 10));
            tasks.submit(() -> to.transfer(from, 5));
        }
        assertEquals(100, from.balance() + to.balance());
    }
}
