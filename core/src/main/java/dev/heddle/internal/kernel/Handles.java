package dev.heddle.internal.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Makes VarHandles in one line.
final class Handles {
    private Handles() {}

    /// A handle on a field of the class whose lookup is given.
    static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
