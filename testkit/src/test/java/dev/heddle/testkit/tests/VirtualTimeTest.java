package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every way of the JDK and of Heddle's API to wait for an hour returns at once, after an hour of virtual time.
@SuppressWarnings("JavaUtilDate") // one of the clocks
class VirtualTimeTest {

    private static final Duration HOUR = JdkWaits.HOUR;
    private static final long HOUR_NANOS = HOUR.toNanos();
    private static final Options OPTIONS = Options.defaults().withSchedules(5);

    @TestFactory
    Stream<DynamicTest> anHourPassesAtOnce() {
        return Stream.of(JdkWaits.all(), HeddleWaits.all())
                .flatMap(waits -> waits.entrySet().stream())
                .map(wait -> DynamicTest.dynamicTest(wait.getKey(), () -> check(wait.getValue())));
    }

    private static void check(Bubble.Body wait) {
        Bubble.check(OPTIONS, bubble -> {
            long nanos = System.nanoTime();
            long millis = System.currentTimeMillis();
            wait.run(bubble);
            assertThat(System.nanoTime() - nanos).isBetween(HOUR_NANOS, HOUR_NANOS + 1_000_000);
            assertThat(System.currentTimeMillis() - millis).isEqualTo(HOUR.toMillis());
            assertThat(bubble.now())
                    .isBetween(Instant.parse("2000-01-01T01:00:00Z"), Instant.parse("2000-01-01T01:00:00.001Z"));
        });
    }

    @TestFactory
    Stream<DynamicTest> allClocksAgree() {
        LocalDateTime expected = LocalDateTime.parse("2000-01-01T01:00:00");
        return Stream.of(
                clock("Instant", () -> LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC), expected),
                clock("LocalDateTime", () -> LocalDateTime.now(ZoneId.of("UTC")), expected),
                clock("Date", () -> LocalDateTime.ofInstant(new Date().toInstant(), ZoneOffset.UTC), expected),
                clock("Calendar", () -> local(Calendar.getInstance()), expected),
                clock("GregorianCalendar", () -> local(new GregorianCalendar()), expected),
                clock("Clock", () -> LocalDateTime.now(Clock.systemUTC()), expected),
                clock("System::currentTimeMillis", () -> local(System::currentTimeMillis), expected));
    }

    /// A library that takes its clock as a parameter is given a method reference.
    private static LocalDateTime local(LongSupplier millis) {
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis.getAsLong()), ZoneOffset.UTC);
    }

    @Test
    void aReferenceToNanoTimeIsAClockOfTheBubble() {
        LongSupplier clock = System::nanoTime;
        Bubble.check(OPTIONS, _ -> {
            long before = clock.getAsLong();
            Thread.sleep(HOUR);
            assertThat(clock.getAsLong() - before).isEqualTo(HOUR_NANOS);
        });
        long before = System.nanoTime();
        assertThat(clock.getAsLong()).as("the real time, outside").isBetween(before, before + HOUR_NANOS);
    }

    private static LocalDateTime local(Calendar calendar) {
        return LocalDateTime.ofInstant(calendar.toInstant(), ZoneOffset.UTC);
    }

    private static DynamicTest clock(String name, Supplier<LocalDateTime> now, LocalDateTime expected) {
        return DynamicTest.dynamicTest(
                name,
                () -> Bubble.check(OPTIONS, _ -> {
                    Thread.sleep(HOUR);
                    assertThat(now.get()).isEqualTo(expected);
                }));
    }
}
