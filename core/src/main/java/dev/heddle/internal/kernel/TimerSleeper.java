package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.SocketPollers;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The one machine that sleeps until the earliest timer of all processors or until a socket is ready, while
/// others sleep without a limit.
///
/// Go: the blocking netpoll at the end of findRunnable, with pollUntil and netpollBreak.
final class TimerSleeper {
    /*
     * Shape.      sleeper: the machine in this role, or null.  until: when it will wake by itself.  sockets: once the JVM
     *             uses sockets and Heddle polls them; then the role is always wanted, and the sleep is a wait in epoll.
     * Protocol.   The sleeper takes the role (CAS), announces `until`, and then looks at the timers again: a timer pushed
     *             before the announcement is seen by that look; one pushed after it is followed by the pusher's look at
     *             `until`, which wakes the sleeper. Both sides have a full fence between their store and their load.
     *             The same holds for `sockets`: whoever sets it looks at `sleeper` afterwards, and the sleeper reads it
     *             once it has the role.
     * Invariant.  While sockets are in use and a processor is idle, a machine is in this role or on its way to it:
     *             every machine that gives its processor up tries for the role, and Kernel.handOff starts a machine where
     *             the processor comes back without one. While no processor is idle, machines poll when they run dry, and
     *             the system monitor does if none has for a millisecond.
     */

    private static final VarHandle SLEEPER = Handles.field(lookup(), "sleeper", Machine.class);

    /// The system monitor polls if no machine did for so long. Go waits for 10 ms.
    private static final long FORGOTTEN_NANOS = 1_000_000;

    private final Kernel kernel;
    private volatile @Nullable Machine sleeper; // written through SLEEPER
    private volatile long until = Long.MAX_VALUE;
    private volatile @Nullable SocketPollers sockets;

    /// What the sleeper waits in; null if it is parked. Written before `until`, read after it.
    private @Nullable SocketPollers waitsIn;

    /// When sockets were last looked at by somebody who did not wait for them.
    private volatile long lastPoll;

    TimerSleeper(Kernel kernel) {
        this.kernel = kernel;
    }

    boolean isTaken() {
        return sleeper != null;
    }

    /// Sleeps until a timer is due, an earlier one arrives, or a socket is ready. False at once if there is
    /// nothing to wait for, or if another machine does already. The machine has no processor.
    boolean sleep(Machine machine) {
        if (kernel.isEnded()
                || (sockets == null && kernel.earliestTimer() == Long.MAX_VALUE)
                || sleeper != null
                || !SLEEPER.compareAndSet(this, (Machine) null, machine)) {
            return false;
        }
        SocketPollers network = sockets; // after the role was taken: see Protocol
        waitsIn = network;
        long earliest = kernel.earliestTimer();
        do {
            until = earliest;
            earliest = kernel.earliestTimer(); // after the announcement: see Protocol
        } while (earliest < until);
        long nanos = until == Long.MAX_VALUE ? Long.MAX_VALUE : until - kernel.now();
        boolean mayWait = nanos > 0 && !kernel.isEnded();
        if (mayWait && network != null) {
            network.await(toMillis(nanos));
        } else if (mayWait && until != Long.MAX_VALUE) {
            Jdk.parkCarrier(nanos);
            boolean _ = Thread.interrupted();
        }
        until = Long.MAX_VALUE;
        SLEEPER.setVolatile(this, (Machine) null);
        return true;
    }

    /// The machine has failed: it is not in the role any more. On that machine.
    void resign(Machine machine) {
        if (SLEEPER.compareAndSet(this, machine, (Machine) null)) {
            until = Long.MAX_VALUE;
        }
    }

    /// The kernel has ended: only cancelled timers are left, and nobody sleeps for them.
    void end() {
        boolean _ = wakeIfLaterThan(Long.MIN_VALUE);
    }

    /// As in Go: what is below a millisecond becomes one, all else is rounded down and waited for again.
    private static int toMillis(long nanos) {
        return nanos == Long.MAX_VALUE ? -1 : (int) Math.clamp(nanos / 1_000_000, 1, 1_000_000_000);
    }

    /// A timer due at `when` was added, earlier than others of its processor: the sleeper must not sleep past
    /// it. False if nobody sleeps for timers. Go: wakeNetPoller.
    boolean wakeIfLaterThan(long when) {
        VarHandle.fullFence(); // the push before, the look at the sleeper after
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
        SocketPollers network = waitsIn;
        if (network != null) {
            network.wake();
        } else {
            Jdk.unparkCarrier(machine);
        }
    }

    // ---- sockets

    /// The JDK starts a thread to poll sockets: from now on machines do it, and the thread is not needed. False
    /// where that cannot be: the thread has to run. While the JDK's poller is initialised, before any thread
    /// waits.
    synchronized boolean adopt(Thread subPoller) {
        SocketPollers network = sockets != null ? sockets : SocketPollers.create();
        if (network == null || !network.adopt(subPoller)) {
            return false;
        }
        if (sockets == null) {
            sockets = network;
            VarHandle.fullFence(); // the store before, the look at the sleeper after
            Machine machine = sleeper;
            if (machine != null) {
                wake(machine); // it sleeps for timers alone
            }
        }
        return true;
    }

    boolean pollsSockets() {
        return sockets != null;
    }

    /// Makes runnable whose sockets are ready, unless a machine waits for them anyway. True if there were any.
    /// Go: the non-blocking netpoll of findRunnable.
    boolean pollSockets() {
        SocketPollers network = sockets;
        return network != null && sleeper == null && network.isAnyWaiting() && poll(network);
    }

    /// As [#pollSockets], for the machine that was the sleeper: it may have been woken by what another one, in
    /// the role by now, would be woken by again.
    boolean pollSocketsAfterSleep() {
        SocketPollers network = sockets;
        return network != null && poll(network);
    }

    /// As [#pollSockets], when no machine has done so for a while: all of them have other work. System monitor
    /// only.
    void pollSocketsIfForgotten(long now) {
        SocketPollers network = sockets;
        if (network != null && sleeper == null && now - lastPoll > FORGOTTEN_NANOS && network.isAnyWaiting()) {
            boolean _ = poll(network);
        }
    }

    /// Whether sockets are in use and no machine waits for them.
    boolean needsPoller() {
        return sockets != null && sleeper == null;
    }

    private boolean poll(SocketPollers network) {
        lastPoll = kernel.now();
        return network.pollNow() > 0;
    }
}
