package dev.heddle.testkit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.HeddleTest;
import dev.heddle.testkit.Strategy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Test classes that the tests of the testkit run by JUnit's launcher: some fail on purpose. Surefire does not find
/// them.
@SuppressWarnings("FutureReturnValueIgnored") // the close of the executor waits
public final class Samples {

    private Samples() {}

    static final class Account {
        private final ReentrantLock lock = new ReentrantLock();
        private int balance;

        Account(int balance) {
            this.balance = balance;
        }

        /// Takes the two locks in an order that depends on the direction.
        void transfer(Account to, int amount) {
            lock.lock();
            try {
                to.lock.lock();
                try {
                    balance -= amount;
                    to.balance += amount;
                } finally {
                    to.lock.unlock();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// The example of the manual.
    public static class AccountSample {
        final Account from = new Account(100);
        final Account to = new Account(0);

        @HeddleTest(schedules = 1_000)
        void transfersKeepTheSum() {
            try (var tasks = Executors.newVirtualThreadPerTaskExecutor()) {
                tasks.submit(() -> from.transfer(to, 10));
                tasks.submit(() -> to.transfer(from, 5));
            }
            assertThat(from.balance + to.balance).isEqualTo(100);
        }
    }

    /// What a schedule gets.
    public static class LifeCycleSample {
        public static final List<String> LOG = new ArrayList<>();
        private final List<String> mine = new ArrayList<>();

        @BeforeEach
        void before() {
            mine.add("before " + Instant.now());
        }

        @HeddleTest(schedules = 3)
        void test(Bubble bubble) throws InterruptedException {
            bubble.advance(Duration.ofMinutes(1));
            mine.add("test " + Instant.now());
        }

        @AfterEach
        void after() {
            mine.add("after " + Thread.currentThread().isVirtual());
            LOG.add(String.join(", ", mine));
        }

        @Test
        void anOrdinaryTestIsUntouched() {
            LOG.add("ordinary " + mine.size() + " " + Thread.currentThread().isVirtual() + " "
                    + Instant.now().isAfter(Instant.parse("2020-01-01T00:00:00Z")));
        }

        @Nested
        class Inner {
            @HeddleTest(schedules = 2)
            void seesTheOuterInstance() {
                mine.add("inner");
            }
        }
    }

    /// Fails without any thread.
    public static class RefusedSample {
        @HeddleTest(schedules = 0)
        void noSchedules() {}
    }

    /// Cannot be filled.
    public static class ParameterSample {
        @HeddleTest
        void takesANumber(int number) {}
    }

    /// Assumes what holds in no schedule, and what holds in some.
    public static class AssumptionSample {
        public static int runs;

        @HeddleTest(schedules = 5)
        void neverHolds() {
            assumeTrue(false, "never");
        }

        @HeddleTest(schedules = 5)
        void holdsSometimes() {
            assumeTrue(runs++ % 2 == 0);
        }
    }

    /// Prepares JUnit's own instance.
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    public static class PerClassSample {
        @BeforeAll
        void prepare() {}

        @HeddleTest
        void test() {}
    }

    /// Uses what an extension has set in JUnit's own instance.
    public static class InjectedSample {
        @TempDir
        Path folder;

        @HeddleTest(schedules = 5)
        void usesTheFolder() {
            assertThat(folder.resolve("file")).doesNotExist();
        }
    }

    /// An annotation of the program's own.
    @HeddleTest(schedules = 4)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Fourfold {}

    /// Strategies of which there are fewer schedules.
    public static class FewSchedulesSample {
        @Fourfold
        void four() {}

        @HeddleTest(strategy = Strategy.GO)
        void one() {}

        @HeddleTest(strategy = Strategy.EXHAUSTIVE, schedules = 9)
        void all() {}
    }

    /// Fails twice.
    public static class AfterEachSample {
        @HeddleTest(schedules = 1)
        void fails() {
            throw new IllegalStateException("first");
        }

        @AfterEach
        void failsToo() {
            throw new IllegalStateException("second");
        }
    }
}
