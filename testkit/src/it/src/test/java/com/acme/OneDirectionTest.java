package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.HeddleTest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Tests that pass: with a mock, in virtual time, and an ordinary one in the same JVM.
class OneDirectionTest {
    final Account from = new Account(100);
    final Audit audit = mock(Audit.class);

    @HeddleTest(schedules = 100)
    void aTransferReachesTheOtherAccount(Bubble bubble) throws InterruptedException {
        Account to = new Account(0);
        Thread transfer = Thread.startVirtualThread(() -> {
            from.transfer(to, 10);
            audit.moved(10);
        });
        bubble.advance(Duration.ofHours(1));
        transfer.join();
        verify(audit).moved(anyInt());
        assertEquals(Instant.parse("2000-01-01T01:00:00Z"), Instant.now());
        assertEquals(100, from.balance() + to.balance());
    }

    interface Audit {
        void moved(int amount);
    }

    @Test
    void anOrdinaryTestHasTheRealClock() {
        System.out.println("the tests are in " + getClass().getModule()); // for the script
        assertEquals(true, Instant.now().isAfter(Instant.parse("2020-01-01T00:00:00Z")));
    }
}
