package dev.heddle.internal.kernel;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The time of the system monitor's last look, for stamps that must cost nothing.
///
/// Reading it is one load of a cached line, where `System.nanoTime()` costs a tenth of a goroutine switch. It is late
/// by as much as the monitor sleeps; a thread that parked during the monitor's deep sleep seems to have parked before
/// it.
/// Go stamps waiting goroutines still more coarsely, in the garbage collector (F89).
public final class CoarseClock {
    private static final VarHandle NOW = ConstantBootstraps.staticFieldVarHandle(
            MethodHandles.lookup(), "now", VarHandle.class, CoarseClock.class, long.class);

    @SuppressWarnings("UnusedVariable") // accessed through NOW
    private static long now;

    private CoarseClock() {}

    /// The `System.nanoTime()` of the last [#tick(long)], or 0 if there was none.  Any thread.
    public static long nanos() {
        return (long) NOW.getOpaque(); // opaque: not torn, not hoisted; nothing is ordered by a stamp
    }

    /// Moves the clock.  System monitor only.
    public static void tick(long nanoTime) {
        NOW.setOpaque(nanoTime);
    }
}
