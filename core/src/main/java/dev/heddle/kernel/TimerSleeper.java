package dev.heddle.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.jdk.Jdk;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The one machine that sleeps until the earliest timer of all processors, while others sleep without a limit.
///
/// Go: the blocking netpoll at the end of findRunnable, with pollUntil and netpollBreak.
final class TimerSleeper {
    /*
     * Shape.      sleeper: the machine in this role, or null.  until: when it will wake by itself.
     * Protocol.   The sleeper takes the role (CAS), announces `until`, and then looks at the timers again: a timer pushed
     *             before the announcement is seen by that look; one pushed after it is followed by the pusher's look at
     *             `until`, which wakes the sleeper. Both sides have a full fence between their store and their load.
     */

    private static final VarHandle SLEEPER = Handles.field(lookup(), "sleeper", Machine.class);

    private final Kernel kernel;
    private volatile @Nullable Machine sleeper; // written through SLEEPER
    private volatile long until = Long.MAX_VALUE;

    TimerSleeper(Kernel kernel) {
        this.kernel = kernel;
    }

    boolean isTaken() {
        return sleeper != null;
    }

    /// Sleeps until a timer is due or an earlier one arrives. False at once if there is no timer, or if another
    /// machine sleeps for them already. The machine has no processor.
    boolean sleepUntilNextTimer(Machine machine) {
        if (kernel.isEnded()
                || kernel.earliestTimer() == Long.MAX_VALUE
                || sleeper != null
                || !SLEEPER.compareAndSet(this, (Machine) null, machine)) {
            return false;
        }
        long earliest = kernel.earliestTimer();
        do {
            until = earliest;
            earliest = kernel.earliestTimer(); // after the announcement: see Protocol
        } while (earliest < until);
        if (until != Long.MAX_VALUE && !kernel.isEnded()) {
            long nanos = until - kernel.now();
            if (nanos > 0) {
                Jdk.parkCarrier(nanos);
                boolean _ = Thread.interrupted();
            }
        }
        until = Long.MAX_VALUE;
        SLEEPER.setVolatile(this, (Machine) null);
        return true;
    }

    /// The kernel has ended: only cancelled timers are left, and nobody sleeps for them.
    void end() {
        boolean _ = wakeIfLaterThan(Long.MIN_VALUE);
    }

    /// A timer due at `when` was added, earlier than others of its processor: the sleeper must not sleep past it.
    /// False if nobody sleeps for timers. Go: wakeNetPoller.
    boolean wakeIfLaterThan(long when) {
        VarHandle.fullFence(); // the push before, the look at the sleeper after
        Machine machine = sleeper;
        if (machine == null) {
            return false;
        }
        if (until > when) {
            Jdk.unparkCarrier(machine);
        }
        return true;
    }
}
