package dev.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/// Asks class loaders what they have loaded, without loading anything.
public final class LoadedClasses {

    private static final MethodHandle FIND = find();

    private LoadedClasses() {}

    private static MethodHandle find() {
        String method = "findLoadedClass";
        try {
            return MethodHandles.privateLookupIn(ClassLoader.class, MethodHandles.lookup())
                    .findVirtual(ClassLoader.class, method, MethodType.methodType(Class.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw Jdk.unexpected("java.lang.ClassLoader." + method, e);
        }
    }

    /// Whether `loader`, or one that it asks first, has loaded a class of that name. Any thread.
    public static boolean isLoaded(ClassLoader loader, String name) {
        return find(loader, name) != null;
    }

    /// The class of that name that `loader`, or one that it asks first, has loaded; null if none has. Any
    /// thread.
    public static @Nullable Class<?> find(ClassLoader loader, String name) {
        for (@Nullable ClassLoader each = loader; each != null; each = each.getParent()) {
            try {
                Class<?> found = (Class<?>) FIND.invokeExact(each, name);
                if (found != null) {
                    return found;
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
        return null;
    }
}
