package dev.heddle.internal.jdk;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// Reads the fields of any object, without calling its code: how large a queue is, what a task has captured.
///
/// All values are racy reads of single fields.
public final class ObjectFields {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// What is known of a class, for as long as the class lives.
    private static final ClassValue<Layout> LAYOUTS = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
            return Layout.of(type);
        }
    };

    /// Fields of the JDK's own classes, by `class.field`.
    private static final Map<String, Long> OFFSETS = new ConcurrentHashMap<>();

    /// A field that refers to an object.
    ///
    /// @param owner the class that declares it
    /// @param name  its name
    /// @param value the object
    public record Reference(Class<?> owner, String name, Object value) {}

    private record Slot(Class<?> owner, String name, long offset) {}

    /// @param references the instance fields that refer to objects, of superclasses too
    /// @param bytes      the estimated size of an instance
    private record Layout(List<Slot> references, long bytes) {
        private static final int HEADER = 16;
        private static final int REFERENCE = 4; // compressed, as on heaps below 32 GB

        static Layout of(Class<?> type) {
            List<Slot> references = new ArrayList<>();
            long bytes = HEADER;
            for (@Nullable Class<?> each = type; each != null; each = each.getSuperclass()) {
                for (Field field : declaredFields(each)) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        Class<?> fieldType = field.getType();
                        bytes += fieldType == long.class || fieldType == double.class ? Long.BYTES : REFERENCE;
                        if (!fieldType.isPrimitive()) {
                            references.add(new Slot(each, field.getName(), U.objectFieldOffset(field)));
                        }
                    }
                }
            }
            return new Layout(List.copyOf(references), bytes);
        }
    }

    private ObjectFields() {}

    /// The objects that the instance fields of `object` refer to.
    public static List<Reference> referencesOf(Object object) {
        List<Reference> found = new ArrayList<>();
        for (Slot slot : LAYOUTS.get(object.getClass()).references()) {
            Object value = U.getReferenceAcquire(object, slot.offset());
            if (value != null) {
                found.add(new Reference(slot.owner(), slot.name(), value));
            }
        }
        return found;
    }

    /// The objects that the static fields of an initialised class refer to.
    public static List<Reference> staticReferencesOf(Class<?> type) {
        List<Reference> found = new ArrayList<>();
        if (U.shouldBeInitialized(type)) {
            return found;
        }
        for (Field field : declaredFields(type)) {
            if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                Object value = U.getReferenceAcquire(U.staticFieldBase(field), U.staticFieldOffset(field));
                if (value != null) {
                    found.add(new Reference(type, field.getName(), value));
                }
            }
        }
        return found;
    }

    /// The estimated size of the object itself, in bytes.
    public static long bytesOf(Object object) {
        Class<?> type = object.getClass();
        if (!type.isArray()) {
            return LAYOUTS.get(type).bytes();
        }
        return Layout.HEADER + (long) Array.getLength(object) * U.arrayIndexScale(type); // exact but for padding
    }

    /// An `int` field that a class of the JDK declares.
    public static int intOf(Object object, Class<?> owner, String field) {
        return U.getIntVolatile(object, offset(owner, field));
    }

    /// A field of a class of the JDK that refers to an object.
    public static @Nullable Object referenceOf(Object object, Class<?> owner, String field) {
        return U.getReferenceVolatile(object, offset(owner, field));
    }

    private static long offset(Class<?> owner, String field) {
        return OFFSETS.computeIfAbsent(owner.getName() + "." + field, name -> {
            try {
                return U.objectFieldOffset(owner, field);
            } catch (InternalError e) {
                throw Jdk.unexpected(name, e);
            }
        });
    }

    /// None if the type of a field is missing on the class path: such a class cannot be reflected on.
    private static Field[] declaredFields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError | RuntimeException _) {
            return new Field[0];
        }
    }
}
