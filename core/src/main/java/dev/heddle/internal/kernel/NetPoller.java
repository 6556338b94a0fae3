package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.EpollPollers;
import dev.heddle.internal.trace.EventKind;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Makes threads runnable whose sockets are ready, without blocking. The wait for sockets is part of [Sleeper].
/// Go: netpoll.
final class NetPoller {
    /*
     * Who polls when.
     *             A machine waits in epoll    while a processor is idle (Sleeper). It polls when it wakes up.
     *             No processor is idle        a machine whose queues are empty polls before it steals; the system
     *                                         monitor polls if no machine has done so for a millisecond.
     * Before use. The JDK starts a thread for each of its pollers when a socket is first used. Heddle adopts the poller
     *             of such a thread, and the thread never runs.
     * Publishing. `pollers` is set once. The thread that sets it checks afterwards whether a machine sleeps without
     *             epoll, and wakes it; a machine that takes the role of sleeper reads `pollers` once it has the role.
     *             Both sides have a full fence between their store and their load.
     */

    /// The system monitor polls if no machine has polled for this long. Go waits for 10 ms.
    private static final long FORGOTTEN_NANOS = 1_000_000;

    private final Kernel kernel;

    /// Not null once the JVM uses sockets and Heddle polls them.
    private volatile @Nullable EpollPollers pollers;

    /// When sockets were last polled.
    private volatile long lastPoll;

    NetPoller(Kernel kernel) {
        this.kernel = kernel;
    }

    /// What a machine waits in until a socket is ready; null while Heddle polls no sockets.
    @Nullable
    EpollPollers pollers() {
        return pollers;
    }

    /// Whether Heddle polls sockets.
    boolean isInUse() {
        return pollers != null;
    }

    /// Called when the JDK starts a thread to poll sockets. If true, machines poll from now on, and the thread
    /// is not needed. False if Heddle cannot poll: then the thread has to run. Called while the JDK's poller is
    /// initialised, before any thread waits.
    synchronized boolean adopt(Thread subPoller) {
        EpollPollers network = pollers != null ? pollers : EpollPollers.create();
        if (network == null || !network.adopt(subPoller)) {
            return false;
        }
        if (pollers == null) {
            pollers = network;
            VarHandle.fullFence(); // between the store and the check of the sleeper
            kernel.sleeper.wakeForSockets();
        }
        return true;
    }

    /// Polls, unless a machine waits in epoll anyway. True if threads became runnable.
    /// Go: the non-blocking netpoll of findRunnable.
    boolean pollUnlessAwaited() {
        EpollPollers network = pollers;
        return network != null && !kernel.sleeper.isTaken() && network.isAnyWaiting() && poll(network);
    }

    /// Polls for the machine that was the sleeper, even if another machine has taken the role by now: the ready
    /// sockets that woke this machine would also wake the new sleeper.
    void pollAfterSleep() {
        EpollPollers network = pollers;
        if (network != null) {
            boolean _ = poll(network);
        }
    }

    /// Polls if no machine has done so for a while because all have other work. System monitor only.
    void pollIfForgotten(long now) {
        EpollPollers network = pollers;
        if (network != null
                && !kernel.sleeper.isTaken()
                && now - lastPoll > FORGOTTEN_NANOS
                && network.isAnyWaiting()) {
            boolean _ = poll(network);
        }
    }

    private boolean poll(EpollPollers network) {
        lastPoll = kernel.now();
        int ready = network.pollNow();
        if (ready > 0) {
            kernel.tracing.note(EventKind.NETPOLL, ready);
        }
        return ready > 0;
    }
}
