package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.EpollPollers;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.trace.EventKind;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The one machine that sleeps until the earliest timer of all processors or until a socket is ready, while others
/// sleep without a limit.
/// Go: the blocking netpoll at the end of findRunnable, with pollUntil and netpollBreak.
final class Sleeper {
    /*
     * Shape.      sleeper: the machine in this role, or null.  until: when it will wake by itself.  Once Heddle polls
     *             sockets (NetPoller), the role is always wanted, and the sleep is a wait in epoll.
     * Protocol.   The sleeper takes the role (CAS), announces `until`, and then checks the timers again. That check
     *             sees a timer pushed before the announcement. The thread that pushes a timer later checks `until`
     *             after the push, and wakes the sleeper. Both sides have a full fence between their store and their
     *             load. NetPoller announces the first socket in the same way, and Machines.launch a processor that
     *             waits for a machine when no thread can be made: the sleeper is the one machine that can take it.
     * Invariant.  While sockets are in use and a processor is idle, a machine is in this role or on its way to it.
     *             Every machine that gives its processor up tries to take the role, and Machines.handOff starts a
     *             machine where the processor becomes idle without one.
     * Checked by  WakeProtocolTest, SocketsTest; docs/model/sleeper.pml.
     */

    private static final VarHandle SLEEPER = Handles.field(lookup(), "sleeper", Machine.class);

    private final Kernel kernel;
    private volatile @Nullable Machine sleeper; // taken through SLEEPER
    private volatile long until = Long.MAX_VALUE;

    /// The pollers in which the sleeper waits; null if it is parked. Written before `until`, read after it.
    private @Nullable EpollPollers waitsIn;

    Sleeper(Kernel kernel) {
        this.kernel = kernel;
    }

    boolean isTakenBy(Machine machine) {
        return sleeper == machine;
    }

    boolean isTaken() {
        return sleeper != null;
    }

    /// Sleeps until a timer is due, an earlier one arrives, or a socket is ready. False at once if there is
    /// nothing to wait for, or if another machine is the sleeper already. The machine has no processor.
    boolean sleep(Machine machine) {
        if (kernel.isEnded()
                || (!kernel.sockets.isInUse() && kernel.timers.earliest() == Long.MAX_VALUE)
                || sleeper != null
                || !SLEEPER.compareAndSet(this, (Machine) null, machine)) {
            return false;
        }
        EpollPollers network = kernel.sockets.pollers(); // after the role was taken: see Protocol
        waitsIn = network;
        long earliest = kernel.timers.earliest();
        do {
            until = earliest;
            earliest = kernel.timers.earliest(); // after the announcement: see Protocol
        } while (earliest < until);
        long nanos = until == Long.MAX_VALUE ? Long.MAX_VALUE : until - kernel.now();
        boolean mayWait = nanos > 0 && !kernel.isEnded() && kernel.idle.pendingProcessors() == 0; // see Protocol
        machine.note(EventKind.SLEEP_BEGIN, nanos == Long.MAX_VALUE ? -1 : nanos, network == null ? 0 : 1);
        if (mayWait && network != null) {
            network.await(toMillis(nanos));
        } else if (mayWait && until != Long.MAX_VALUE) {
            Jdk.parkSelf(nanos);
        }
        machine.note(EventKind.SLEEP_END);
        until = Long.MAX_VALUE;
        sleeper = null;
        return true;
    }

    /// Gives the role up because the machine has failed. On that machine.
    void resign(Machine machine) {
        if (SLEEPER.compareAndSet(this, machine, (Machine) null)) {
            until = Long.MAX_VALUE;
        }
    }

    /// As in Go: less than a millisecond becomes one millisecond. Other times are rounded down; the rest takes
    /// another sleep.
    private static int toMillis(long nanos) {
        return nanos == Long.MAX_VALUE ? -1 : (int) Math.clamp(nanos / 1_000_000, 1, 1_000_000_000);
    }

    /// A timer due at `when` was added, earlier than others of its processor: the sleeper must not sleep past
    /// it. False if no machine is the sleeper.
    /// Go: wakeNetPoller.
    boolean wakeIfLaterThan(long when) {
        VarHandle.fullFence(); // between the push and the check of the sleeper
        Machine machine = sleeper;
        if (machine == null) {
            return false;
        }
        if (until > when) {
            wake(machine);
        }
        return true;
    }

    private void wake(Machine machine) {
        EpollPollers network = waitsIn;
        if (network != null) {
            network.wake();
        } else {
            Jdk.unparkCarrier(machine);
        }
    }

    /// Sockets are in use from now on: a machine that sleeps for timers only has to wake up and wait in epoll. The
    /// caller has published the pollers, followed by a full fence.
    void wakeForSockets() {
        Machine machine = sleeper;
        if (machine != null) {
            wake(machine);
        }
    }

    /// Whether sockets are in use and no machine waits for them.
    boolean isWantedForSockets() {
        return kernel.sockets.isInUse() && sleeper == null;
    }
}
