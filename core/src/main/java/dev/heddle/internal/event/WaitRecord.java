package dev.heddle.internal.event;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// What a parked thread waits for, and since when: the thread's *blocker*, as the JDK calls it.
///
/// The record is the very object that the thread's partner needs anyway (a channel's waiter, a wait group's node), so
/// knowing the reason costs one field. Thread dumps of the JDK show it too ("parking to wait for").
public abstract class WaitRecord {
    private final long sinceNanos = CoarseClock.nanos();

    /// Why the thread waits.  Any thread.
    public abstract WaitReason waitReason();

    /// When the wait began, on the [CoarseClock]; 0 if no system monitor was running then.  Any thread.
    public final long sinceNanos() {
        return sinceNanos;
    }

    /// Roughly how long the thread has waited; -1 if no system monitor was running when the wait began. The
    /// [CoarseClock] is only as exact as the monitor's samples.  Any thread.
    public final long nanosSoFar() {
        return sinceNanos == 0 ? -1 : Math.max(0, System.nanoTime() - sinceNanos);
    }

    /// The record of `thread` if it is parked in Heddle now, else null. The answer may be stale.  Any thread.
    public static @Nullable WaitRecord of(Thread thread) {
        return LockSupport.getBlocker(thread) instanceof WaitRecord waiting ? waiting : null;
    }

    @Override
    public String toString() {
        return waitReason().toString();
    }

    /// A record for a blocker that is not one itself.
    public static final class Plain extends WaitRecord {
        private final WaitReason reason;

        @SuppressWarnings("UnusedVariable") // for heap dumps: what it waited for
        private final Object blocker;

        public Plain(WaitReason reason, Object blocker) {
            this.reason = reason;
            this.blocker = blocker;
        }

        @Override
        public WaitReason waitReason() {
            return reason;
        }

        @Override
        public String toString() {
            return reason + " on " + blocker;
        }
    }
}
