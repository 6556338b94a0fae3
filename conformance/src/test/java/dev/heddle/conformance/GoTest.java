package dev.heddle.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that stands for one or more of Go's. Its body runs on a goroutine, of a scheduler with 1, 2 and 8 processors.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(OnEveryNumberOfProcs.class)
@interface GoTest {
    /// The file or package of Go's, as in the table: `runtime/chan_test.go`.
    String file();

    /// The names of Go's tests or programs.
    String[] value();

    /// What had to be different here, and why; empty if nothing.
    String adapted() default "";
}
