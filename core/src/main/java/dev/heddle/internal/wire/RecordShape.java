package dev.heddle.internal.wire;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The components of a public record class, looked up once per class: the JDK looks them up anew at each request.
final class RecordShape {

    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return new RecordShape(type);
        }
    };

    private final Class<?> type;
    private final List<RecordComponent> components;
    private final Method[] accessors;
    private final Constructor<?> constructor;

    private RecordShape(Class<?> type) {
        this.type = type;
        this.components = Arrays.asList(type.getRecordComponents());
        this.accessors = components.stream().map(RecordComponent::getAccessor).toArray(Method[]::new);
        try {
            this.constructor = type.getDeclaredConstructor(
                    components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no canonical constructor", e);
        }
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    int size() {
        return accessors.length;
    }

    String name(int index) {
        return components.get(index).getName();
    }

    Type type(int index) {
        return components.get(index).getGenericType();
    }

    @Nullable
    Object get(Record data, int index) {
        try {
            return accessors[index].invoke(data);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " is not public", e);
        }
    }

    /// A new record.
    ///
    /// @throws IllegalArgumentException if the record refuses its components
    Object create(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("a " + type.getSimpleName() + " refuses its values: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " is not public", e);
        }
    }
}
