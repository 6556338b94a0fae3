package dev.heddle.testkit.libraries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.heddle.testkit.HeddleTest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Mockito beside the testkit: its mocks are made anew in each schedule, and answer on threads of the bubble.
class MockitoTest {

    interface Prices {
        int of(int item);
    }

    /// Final: Mockito has to weave the class, which has points as well.
    static final class Till {
        private int sum;

        synchronized void add(int price) {
            sum += price;
        }

        int sum() {
            return sum;
        }
    }

    private final Prices prices = mock(Prices.class);

    @HeddleTest(schedules = 50)
    void aMockAnswersInVirtualTime() {
        when(prices.of(anyInt())).thenAnswer(call -> {
            Thread.sleep(Duration.ofHours(1));
            return call.<Integer>getArgument(0) * 10;
        });
        Till till = new Till();
        try (ExecutorService buyers = Executors.newVirtualThreadPerTaskExecutor()) {
            buyers.execute(() -> till.add(prices.of(1)));
            buyers.execute(() -> till.add(prices.of(2)));
        }
        assertThat(till.sum()).isEqualTo(30);
        assertThat(Instant.now()).isEqualTo(Instant.parse("2000-01-01T01:00:00Z"));
        verify(prices, times(2)).of(anyInt());
    }

    @HeddleTest(schedules = 50)
    void aFinalClassIsMocked() throws InterruptedException {
        Till till = mock(Till.class);
        when(till.sum()).thenReturn(7);
        Thread buyer = Thread.startVirtualThread(() -> till.add(5));
        buyer.join();
        assertThat(till.sum()).isEqualTo(7);
        verify(till).add(5);
    }
}
