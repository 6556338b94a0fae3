package dev.heddle.internal.event;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The time of the system monitor's last sample, for time stamps that must cost almost nothing.
///
/// Reading it is one load from a cached line, while `System.nanoTime()` costs a tenth of a goroutine switch. The clock
/// lags by as long as the monitor sleeps. A thread that parked during the monitor's deep sleep seems to have parked
/// before that sleep. Go stamps waiting goroutines still more coarsely, in the garbage collector (F89).
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

    /// Sets the clock.  System monitor only.
    public static void tick(long nanoTime) {
        NOW.setOpaque(nanoTime);
    }
}
