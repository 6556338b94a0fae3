package dev.heddle.testkit.libraries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.HeddleTest;
import dev.heddle.testkit.ScheduleFailure;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/// HikariCP's pool and Resilience4j's bulkhead, for hours of virtual time in many schedules. In the long form,
/// `-Dheddle.test.schedules=1000`.
@SuppressWarnings({"FutureReturnValueIgnored", "RefactorSwitch"}) // the close of the executor waits
class LibrariesTest {

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger inUse = new AtomicInteger();
    private final AtomicInteger mostInUse = new AtomicInteger();

    private void use(Duration duration) throws InterruptedException {
        mostInUse.accumulateAndGet(inUse.incrementAndGet(), Math::max);
        Thread.sleep(duration);
        inUse.decrementAndGet();
    }

    // ---- HikariCP

    /// A data source whose connections do nothing.
    ///
    /// @param beforeEach is run before a connection is made
    private DataSource fake(Runnable beforeEach) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, _) -> {
                    if (!method.getName().equals("getConnection")) {
                        return defaultOf(method.getReturnType());
                    }
                    beforeEach.run();
                    return connection();
                });
    }

    private Connection connection() {
        open.incrementAndGet();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (_, method, _) -> {
                    switch (method.getName()) {
                        case "isValid", "getAutoCommit" -> {
                            return true;
                        }
                        case "close" -> {
                            open.decrementAndGet();
                            return null;
                        }
                        default -> {
                            return defaultOf(method.getReturnType());
                        }
                    }
                });
    }

    private static Object defaultOf(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
    }

    private HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(fake(() -> {}));
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(Duration.ofHours(5).toMillis());
        config.setThreadFactory(Thread.ofVirtual().factory()); // else it starts platform threads
        return new HikariDataSource(config);
    }

    private void lend() {
        try (HikariDataSource pool = pool(2);
                ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                users.submit(() -> {
                    try (Connection connection = pool.getConnection()) {
                        assertThat(connection.getAutoCommit()).isTrue();
                        use(Duration.ofMinutes(40));
                    }
                    return null;
                });
            }
        }
    }

    @HeddleTest(schedules = 100)
    void hikariNeverLendsMoreConnectionsThanItHas(Bubble bubble) {
        lend();
        assertThat(mostInUse).hasValue(2);
        assertThat(bubble.now()).isAfter(Instant.parse("2000-01-01T01:19:00Z"));
    }

    /// With HikariCP 7.0.2 a connection that one of its threads makes while another closes the pool stays open.
    @Test
    void aConnectionThatHikariForgetsIsFound() {
        ScheduleFailure failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Bubble.check(_ -> {
                    LibrariesTest fresh = new LibrariesTest();
                    fresh.lend();
                    Thread.sleep(Duration.ofMinutes(1)); // connections are closed behind the scenes
                    assertThat(fresh.open).as("open connections").hasValue(0);
                }));
        assertThat(failure).hasMessageContaining("open connections");
    }

    /// The same without a bubble, on platform threads: it is HikariCP's race, and not the testkit's. A thread of the
    /// pool gets its connection just after the close.
    @Test
    void hikariForgetsItOutsideOfABubbleToo() throws InterruptedException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        CountDownLatch isMaking = new CountDownLatch(1);
        CountDownLatch isClosed = new CountDownLatch(1);
        HikariConfig config = new HikariConfig();
        config.setMaximumPoolSize(2);
        config.setThreadFactory(task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
        });
        config.setDataSource(fake(() -> {
            if (open.get() == 1) { // the second one
                isMaking.countDown();
                awaitUninterruptibly(isClosed);
            }
        }));
        try (HikariDataSource _ = new HikariDataSource(config)) {
            isMaking.await();
        }
        isClosed.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(open)
                .as("open connections, when all threads of the pool have ended")
                .hasValue(1);
    }

    /// A driver that connects does not notice interrupts either.
    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean wasInterrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException _) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @HeddleTest(schedules = 100)
    void hikariReplacesAConnectionAtTheEndOfItsLife(Bubble bubble) throws Exception {
        try (HikariDataSource pool = pool(1)) {
            borrow(pool);
            bubble.advance(Duration.ofHours(3)); // maxLifetime is half an hour
            borrow(pool);
        }
    }

    private void borrow(HikariDataSource pool) throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
            use(Duration.ofSeconds(1));
        }
    }

    // ---- Resilience4j

    @HeddleTest(schedules = 100, points = "io.github.resilience4j.bulkhead..")
    void aBulkheadNeverLetsMoreIn() throws Exception {
        Bulkhead bulkhead = Bulkhead.of(
                "two",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(2)
                        .maxWaitDuration(Duration.ofHours(5))
                        .build());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
                callers.submit(() -> bulkhead.executeCallable(() -> {
                    use(Duration.ofMinutes(30));
                    return null;
                }));
            }
        }
        assertThat(mostInUse).hasValue(2);
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isEqualTo(2);
    }

    @HeddleTest(schedules = 100)
    void aFullBulkheadRefusesAfterItsWait() throws Exception {
        Bulkhead bulkhead = Bulkhead.of(
                "one",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(1)
                        .maxWaitDuration(Duration.ofMinutes(10))
                        .build());
        Thread holder = Thread.startVirtualThread(() -> bulkhead.executeRunnable(() -> {
            try {
                use(Duration.ofHours(1));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        Thread.sleep(1);
        assertThat(bulkhead.tryAcquirePermission()).isFalse();
        assertThat(Instant.now()).isEqualTo(Instant.parse("2000-01-01T00:10:00.001Z"));
        holder.join();
    }
}
