package dev.heddle.testkit.internal.junit;

import dev.heddle.testkit.ScheduleFailure;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.TestInstances;

/// Fields that an extension of JUnit has set in the one instance that it knows, such as those with `@Mock` or
/// `@TempDir`. They are null in the instances of the schedules, and the test that uses one fails with a
/// NullPointerException.
final class InjectedFields {

    private final List<String> names = new ArrayList<>();

    /// @param instances JUnit's own, whose tests and methods were not called
    InjectedFields(TestInstances instances) {
        for (Object instance : instances.getAllInstances()) {
            for (Class<?> type = instance.getClass(); type != null; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (isAnnotated(field) && isSet(field, instance)) {
                        names.add(type.getSimpleName() + "." + field.getName());
                    }
                }
            }
        }
    }

    private static boolean isAnnotated(Field field) {
        return field.getAnnotations().length > 0
                && !field.getType().isPrimitive()
                && !Modifier.isStatic(field.getModifiers())
                && !Modifier.isFinal(field.getModifiers());
    }

    private static boolean isSet(Field field, Object instance) {
        try {
            field.setAccessible(true);
            return field.get(instance) != null;
        } catch (IllegalAccessException | RuntimeException _) {
            return false; // in a module that is not open, where no extension could set it either
        }
    }

    /// Adds a remedy to the failure, if there are such fields.
    void explain(ScheduleFailure failure) {
        if (!names.isEmpty()) {
            failure.addSuppressed(new IllegalStateException("JUnit's extensions set the fields " + names
                    + " in one instance of the test class, but each schedule has an instance of its own, in which they are"
                    + " null: set them where they are declared, or in @BeforeEach."));
        }
    }
}
