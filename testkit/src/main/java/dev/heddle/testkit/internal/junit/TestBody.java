package dev.heddle.testkit.internal.junit;

import dev.heddle.testkit.Bubble;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.opentest4j.TestAbortedException;

/// One schedule of a test method: a new instance, the methods before it, the test, the methods after it. All of it is
/// inside the bubble.
final class TestBody implements Bubble.Body {

    private final List<Class<?>> types =
            new ArrayList<>(); // the outermost first; inner classes of @Nested tests follow
    private final Method test;
    private int runs;
    private int abortions;
    private @Nullable TestAbortedException aborted;

    TestBody(TestInstances instances, Method test) {
        instances.getAllInstances().forEach(instance -> types.add(instance.getClass()));
        this.test = test;
        this.test.setAccessible(true);
    }

    @Override
    public void run(Bubble bubble) throws Throwable {
        runs++;
        List<Object> instances = newInstances();
        Throwable thrown = null;
        try {
            for (Object instance : instances) {
                for (Method method : methods(instance, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN)) {
                    call(instance, method, bubble);
                }
            }
            call(instances.getLast(), test, bubble);
        } catch (TestAbortedException abortion) {
            aborted = abortion;
            abortions++;
        } catch (Throwable failure) {
            thrown = failure;
        }
        for (Object instance : instances.reversed()) {
            for (Method method : methods(instance, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP)) {
                try {
                    call(instance, method, bubble);
                } catch (Throwable failure) {
                    if (thrown == null) {
                        thrown = failure;
                    } else if (thrown != failure) {
                        thrown.addSuppressed(failure);
                    }
                }
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /// A failed assumption ends its schedule only. If it failed in all of them, nothing was tested.
    void requireNotAborted() {
        if (aborted != null && abortions == runs) {
            throw aborted;
        }
    }

    private static List<Method> methods(
            Object instance,
            Class<? extends java.lang.annotation.Annotation> annotation,
            HierarchyTraversalMode order) {
        return AnnotationSupport.findAnnotatedMethods(instance.getClass(), annotation, order);
    }

    private List<Object> newInstances() throws Throwable {
        List<Object> instances = new ArrayList<>();
        for (Class<?> type : types) {
            instances.add(newInstance(type, instances.isEmpty() ? null : instances.getLast()));
        }
        return instances;
    }

    private static Object newInstance(Class<?> type, @Nullable Object outer) throws Throwable {
        try {
            if (outer == null || Modifier.isStatic(type.getModifiers())) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            }
            Constructor<?> constructor = type.getDeclaredConstructor(outer.getClass());
            constructor.setAccessible(true);
            return constructor.newInstance(outer);
        } catch (NoSuchMethodException _) {
            throw new IllegalStateException(type.getName()
                    + " has no constructor without parameters: a class with @HeddleTest needs one, because each schedule"
                    + " makes an instance.");
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void call(Object instance, Method method, Bubble bubble) throws Throwable {
        method.setAccessible(true);
        Class<?>[] parameters = method.getParameterTypes();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] != Bubble.class) {
                throw new IllegalStateException(
                        method + " has a parameter other than Bubble, which a schedule cannot fill.");
            }
            arguments[i] = bubble;
        }
        try {
            method.invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
