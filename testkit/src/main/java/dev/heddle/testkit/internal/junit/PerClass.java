package dev.heddle.testkit.internal.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/// Refuses methods that prepare the one instance of a test class with `@TestInstance(PER_CLASS)`: each schedule has an
/// instance of its own, which they would not have prepared.
final class PerClass {

    private PerClass() {}

    static void refuse(ExtensionContext context) {
        boolean isPerClass = context.getTestInstanceLifecycle()
                .filter(TestInstance.Lifecycle.PER_CLASS::equals)
                .isPresent();
        if (isPerClass) {
            for (Class<? extends Annotation> annotation : List.of(BeforeAll.class, AfterAll.class)) {
                for (Method method : AnnotationSupport.findAnnotatedMethods(
                        context.getRequiredTestClass(), annotation, HierarchyTraversalMode.TOP_DOWN)) {
                    require(method, annotation);
                }
            }
        }
    }

    private static void require(Method method, Class<? extends Annotation> annotation) {
        if (!Modifier.isStatic(method.getModifiers())) {
            throw new ExtensionConfigurationException("@" + annotation.getSimpleName() + " "
                    + method.getDeclaringClass().getSimpleName() + "." + method.getName()
                    + " is not static: each schedule of a @HeddleTest has an instance of its own, which it would not see;"
                    + " make it static, or use @BeforeEach and @AfterEach.");
        }
    }
}
