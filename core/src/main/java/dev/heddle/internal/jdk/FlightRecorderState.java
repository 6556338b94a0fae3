package dev.heddle.internal.jdk;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/// Tells whether the JVM's flight recorder has been started, without loading any class of it: that would take longer
/// than the start of a scheduler.
///
/// The JDK itself needs to know: exceptions and file streams report to the recorder only once it runs. So the recorder
/// sets a flag in `java.lang.Throwable` when the first recording is made, by whatever way. It never clears the flag.
public final class FlightRecorderState {

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final String FLAG = "jfrTracing";

    private final Object base;
    private final long offset;

    private FlightRecorderState(Field flag) {
        base = U.staticFieldBase(flag);
        offset = U.staticFieldOffset(flag);
    }

    /// @throws ReflectiveOperationException if this JDK has no such flag
    public static FlightRecorderState find() throws ReflectiveOperationException {
        return new FlightRecorderState(Throwable.class.getDeclaredField(FLAG));
    }

    /// Whether there is a recording, or there was one. Costs a read. Any thread.
    public boolean isStarted() {
        return U.getBooleanVolatile(base, offset);
    }
}
