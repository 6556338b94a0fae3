package dev.heddle.testkit;

import dev.heddle.testkit.internal.junit.HeddleTestExtension;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A JUnit test that runs under many schedules, each in a [Bubble].
///
/// ```java
/// @HeddleTest(schedules = 500)
/// void transfersKeepTheSum() { ... }
///
/// @HeddleTest(schedules = 1)
/// void entryExpiresAfterAnHour(Bubble bubble) { ... }
/// ```
///
/// Every schedule has a new instance of the test class, and runs its `@BeforeEach` and `@AfterEach` methods inside the
/// bubble. The only parameter that a test may have is its [Bubble]. The report has one entry for all schedules.
///
/// Each attribute can be overridden by a system property of the same name after `heddle.test.`, as in
/// `-Dheddle.test.schedules=100000`, for all tests of the JVM. An annotation of one's own may carry it, as other
/// annotations of JUnit.
///
/// A failed assumption ends its schedule. The test counts as aborted if all schedules end so.
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(HeddleTestExtension.class)
public @interface HeddleTest {

    /// How many schedules run.
    int schedules() default 1000;

    /// From what the schedules and all random numbers of the test follow.
    long seed() default 1;

    /// How threads are scheduled.
    Strategy strategy() default Strategy.MIXED;

    /// Preemptions, priority changes or delays, depending on the [Strategy]; 0 means the strategy's default.
    int depth() default 0;

    /// Classes that get points, beside those of the test's own package: `com.acme..` is a package with all below
    /// it, `com.acme.*` a package, `com.acme.Cache` a class. The one word `none` means no points at all. Only
    /// at a point can a thread be switched that does not wait.
    String[] points() default {};

    /// When the clock may move.
    Time time() default Time.IDLE;

    /// What happens when the test leaves its bubble.
    Escapes escapes() default Escapes.FAIL;

    /// After how many steps a schedule is taken for a livelock.
    int maxSteps() default 100_000;

    /// Whether a thread that outlives the test fails it.
    boolean leaks() default true;

    /// The code of one schedule, as a failure has printed it, which then runs instead of all.
    String replay() default "";
}
