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
/// `-Dheddle.test.schedules=100000`, for all tests of the JVM. The meaning of the attributes is that of [Options].
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(HeddleTestExtension.class)
public @interface HeddleTest {

    int schedules() default 1000;

    long seed() default 1;

    Strategy strategy() default Strategy.MIXED;

    int depth() default 0;

    String[] points() default {};

    Time time() default Time.IDLE;

    Escapes escapes() default Escapes.FAIL;

    int maxSteps() default 100_000;

    boolean leaks() default true;

    String replay() default "";
}
