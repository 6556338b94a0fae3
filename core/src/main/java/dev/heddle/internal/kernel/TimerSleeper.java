package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.SocketPollers;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The one machine that sleeps until the earliest timer of all processors or until a socket is ready, while others
/// sleep without a limit.
///
/// Go: the blocking netpoll at the end of findRunnable, with pollUntil and netpollBreak.
final class TimerSleeper {
    /*
     * Shape.      sleeper: the machine in this role, or null.  until: when it will wake by itself.  sockets: not null
     *             once the JVM uses sockets and Heddle polls them. From then on the role is always wanted, and the
     *             sleep is a wait in epoll.
     * Protocol.   The sleeper takes the role (CAS), announces `until`, and then checks the timers again. That check
     *             sees a timer pushed before the announcement. The thread that pushes a timer later checks `until`
     *             after the push, and wakes the sleeper. Both sides have a full fence between their store and their
     *             load. The same holds for `sockets`: the thread that sets it checks `sleeper` afterwards, and the
     *             sleeper reads `sockets` once it has the role.
     * Invariant.  While sockets are in use and a processor is idle, a machine is in this role or on its way to it.
     *             Every machine that gives its processor up tries to take the role, and Kernel.handOff starts a machine
     *             where the processor becomes idle without one. While no processor is idle, machines poll when they run
     *             dry, and the system monitor polls if no machine has done so for a millisecond.
     */

    private static final VarHandle SLEEPER = Handles.field(lookup(), "sleeper", Machine.class);

    /// The system monitor polls if no machine has polled for this long. Go waits for 10 ms.
    private static final long FORGOTTEN_NANOS = 1_000_000;

    private final Kernel kernel;
    private volatile @Nullable Machine sleeper; // written through SLEEPER
    private volatile long until = Long.MAX_VALUE;
    private volatile @Nullable SocketPollers sockets;

    /// The pollers in which the sleeper waits; null if it is parked. Written before `until`, read after it.
    private @Nullable SocketPollers waitsIn;

    /// When sockets were last polled without blocking.
    private volatile long lastPoll;

    TimerSleeper(Kernel kernel) {
        this.kernel = kernel;
    }

    boolean isTaken() {
        return sleeper != null;
    }

    /// Sleeps until a timer is due, an earlier one arrives, or a socket is ready. False at once if there is
    /// nothing to wait for, or if another machine is the sleeper already. The machine has no processor.
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

    /// Gives the role up because the machine has failed. On that machine.
    void resign(Machine machine) {
        if (SLEEPER.compareAndSet(this, machine, (Machine) null)) {
            until = Long.MAX_VALUE;
        }
    }

    /// The kernel has ended: wakes the sleeper. No machine sleeps for timers any more.
    void end() {
        boolean _ = wakeIfLaterThan(Long.MIN_VALUE);
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
        SocketPollers network = waitsIn;
        if (network != null) {
            network.wake();
        } else {
            Jdk.unparkCarrier(machine);
        }
    }

    // ---- sockets

    /// Called when the JDK starts a thread to poll sockets. If true, machines poll from now on, and the thread
    /// is not needed. False if Heddle cannot poll: then the thread has to run. Called while the JDK's poller is
    /// initialised, before any thread waits.
    synchronized boolean adopt(Thread subPoller) {
        SocketPollers network = sockets != null ? sockets : SocketPollers.create();
        if (network == null || !network.adopt(subPoller)) {
            return false;
        }
        if (sockets == null) {
            sockets = network;
            VarHandle.fullFence(); // between the store and the check of the sleeper
            Machine machine = sleeper;
            if (machine != null) {
                wake(machine); // it sleeps for timers only
            }
        }
        return true;
    }

    boolean pollsSockets() {
        return sockets != null;
    }

    /// Makes threads runnable whose sockets are ready, unless the sleeper waits for them anyway. True if there
    /// were any.
    /// Go: the non-blocking netpoll of findRunnable.
    boolean pollSockets() {
        SocketPollers network = sockets;
        return network != null && sleeper == null && network.isAnyWaiting() && poll(network);
    }

    /// As [#pollSockets], for the machine that was the sleeper, even if another machine has taken the role by
    /// now: the ready sockets that woke this machine would also wake the new sleeper.
    boolean pollSocketsAfterSleep() {
        SocketPollers network = sockets;
        return network != null && poll(network);
    }

    /// As [#pollSockets], if no machine has polled for a while because all have other work. System monitor only.
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
