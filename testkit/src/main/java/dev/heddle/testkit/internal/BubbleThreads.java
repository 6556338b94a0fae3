package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.testkit.internal.choose.Chooser;
import dev.heddle.testkit.internal.choose.RunnableSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.InnocuousThread;
import org.jspecify.annotations.Nullable;

/// The threads of a bubble, and which of them can run.
///
/// All methods but [#ready] are called on the bubble's carrier.
final class BubbleThreads {
    /*
     * Arrivals.   `ready` on the carrier puts the thread into the set at once. Other platform threads (the JVM's
     *             unblocker, pollers, escaped threads) put it into the inbox and unpark the carrier.
     *             A thread that waits for a monitor comes back through the unblocker, at any real time. So that the set
     *             is exact at every choice, `arrive` waits until no thread of ours is on the JVM's list of threads to
     *             unblock (a flag that the JVM sets at the exit of the monitor), then until the unblocker has none in
     *             its hands (Hooks counts them), and only then empties the inbox.
     *
     * Whose code. `ready` and `arrive` also run on the stacks of the test's threads. They take no lock and never park:
     *             a park there would park the virtual thread.
     */

    private static final int SPINS_BEFORE_NAP = 200;
    private static final long NAP_NANOS = 20_000;

    final RunnableSet runnable = new RunnableSet();

    private final Thread carrier = Thread.currentThread();
    private final long seed;
    private final Chooser chooser;
    private final VirtualClock clock;
    private final FaultPlan faults;
    private final List<BubbleThread> all = new ArrayList<>();
    private final IdentityHashMap<Thread, BubbleThread> byThread = new IdentityHashMap<>();
    private final List<BubbleThread> atMonitors = new ArrayList<>();
    private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Stranger stranger;

    /// The carrier has made a thread runnable since the last [#arrive].
    private boolean hasAdded;

    private @Nullable BubbleThread current;
    private int live;
    private int waits;

    /// Whether a thread is briefly away, of which the strategy is not told. See Notifications.
    private boolean isInHandOver;

    /// A thread outside that has woken a thread of the bubble.
    ///
    /// @param isRelease whether it has only released a lock
    record Stranger(Thread waker, Thread woken, boolean isRelease) {}

    BubbleThreads(long seed, Chooser chooser, VirtualClock clock, FaultPlan faults) {
        this.seed = seed;
        this.chooser = chooser;
        this.clock = clock;
        this.faults = faults;
    }

    Thread carrier() {
        return carrier;
    }

    /// The thread that is mounted on the carrier, or null.
    @Nullable
    BubbleThread current() {
        return current;
    }

    /// Threads that have started and not ended.
    int live() {
        return live;
    }

    /// All threads, by number, including ended ones.
    List<BubbleThread> all() {
        return all;
    }

    /// Those that have not ended, in no order.
    Collection<BubbleThread> alive() {
        return byThread.values();
    }

    @Nullable
    BubbleThread find(@Nullable Thread thread) {
        return thread == null ? null : byThread.get(thread);
    }

    int stateOf(BubbleThread thread) {
        return Jdk.stateOf(thread.resumeTask);
    }

    // ---- running

    /// Runs a thread until it unmounts. Returns its state.
    int resume(BubbleThread thread) {
        runnable.remove(thread.number);
        current = thread;
        thread.resumeTask.run();
        current = null;
        int state = stateOf(thread);
        if (state == ThreadState.TERMINATED) {
            end(thread);
        } else if (Internals.isAtMonitor(state)) {
            atMonitors.add(thread);
            thread.waitNumber = ++waits;
        }
        return state;
    }

    private void end(BubbleThread thread) {
        if (!thread.hasEnded) {
            thread.hasEnded = true;
            byThread.remove(thread.thread);
            live--;
        }
    }

    /// Threads that are left will never run again.
    void forget() {
        for (BubbleThread thread : all) {
            if (!thread.hasEnded) {
                Internals.forget(thread.thread);
            }
        }
        live = 0;
    }

    // ---- arrivals

    /// A thread became runnable. Any thread; of the test's threads, pinned.
    void ready(Runnable resumeTask) {
        if (Jdk.currentCarrierThread() == carrier) {
            add(resumeTask);
        } else {
            noteStranger(Jdk.threadOf(resumeTask));
            inbox.add(resumeTask);
            Jdk.unparkCarrier(carrier);
        }
    }

    /// The JVM's own threads are no strangers.
    private void noteStranger(Thread woken) {
        Thread waker = Thread.currentThread();
        ThreadGroup group = waker.getThreadGroup();
        boolean isOfJvm = waker instanceof InnocuousThread || (group != null && group.getParent() == null);
        boolean isRelease = Helpers.isLock(LockSupport.getBlocker(woken));
        if (!isOfJvm && (!isRelease || stranger == null)) {
            stranger = new Stranger(waker, woken, isRelease);
        }
    }

    /// The last thread outside of the bubble that has woken one of it; null if none has.
    @Nullable
    Stranger stranger() {
        return stranger;
    }

    /// Whether a thread has become runnable since the last [#arrive]. The carrier may have added one itself: when it
    /// reads what a thread waits for, the JVM leaves it to the reader to resume that thread.
    boolean hasArrivals() {
        return hasAdded || !inbox.isEmpty();
    }

    private void add(Runnable resumeTask) {
        hasAdded = true;
        Thread thread = Jdk.threadOf(resumeTask);
        BubbleThread known = byThread.get(thread);
        BubbleThread arrived = known == null ? begin(thread, resumeTask) : known;
        if (arrived.isHeldBack) {
            return;
        }
        long slowness = known == null || arrived.number == 0 || arrived == current ? 0 : faults.slowness();
        if (slowness > 0) {
            arrived.isHeldBack = true;
            CarrierPool.Timeout _ = clock.schedule(() -> release(arrived), slowness);
        } else {
            enqueue(arrived);
        }
    }

    private BubbleThread begin(Thread thread, Runnable resumeTask) {
        BubbleThread started = new BubbleThread(all.size(), thread, resumeTask);
        all.add(started);
        byThread.put(thread, started);
        live++;
        chooser.created(started.number);
        Internals.seedRandom(thread, Seeds.of(seed, started.number));
        return started;
    }

    private void enqueue(BubbleThread arrived) {
        if (runnable.add(arrived.number) && !isInHandOver) {
            chooser.readied(arrived.number, stateOf(arrived) == ThreadState.YIELDED);
        }
    }

    private void release(BubbleThread thread) {
        thread.isHeldBack = false;
        enqueue(thread);
    }

    /// Makes the set of runnable threads exact.
    void arrive() {
        if (!atMonitors.isEmpty()) {
            for (int spins = 0; isUnblocking(); spins++) {
                if (spins < SPINS_BEFORE_NAP) {
                    Thread.onSpinWait();
                } else {
                    Jdk.parkCarrier(NAP_NANOS);
                }
            }
        }
        if (!inbox.isEmpty()) {
            for (Runnable task = inbox.poll(); task != null; task = inbox.poll()) {
                add(task);
            }
        }
        hasAdded = false;
        for (int i = atMonitors.size() - 1; i >= 0; i--) {
            BubbleThread thread = atMonitors.get(i);
            if (thread.hasEnded || !Internals.isAtMonitor(stateOf(thread))) {
                atMonitors.remove(i);
            }
        }
    }

    private boolean isUnblocking() {
        for (int i = 0; i < atMonitors.size(); i++) {
            if (Internals.isOnWaitingList(atMonitors.get(i).thread)) {
                return true;
            }
        }
        return Hooks.isUnblockerBusy();
    }

    // ---- monitors

    /// The current thread is about to call Object.wait.
    void waits(Object monitor) {
        if (current != null) {
            current.waitsFor = monitor;
        }
    }

    /// Finds the threads in Object.wait for a monitor. The one that has waited longest; null if there is none. The
    /// set of runnable threads must be exact.
    @Nullable
    BubbleThread findWaiters(Object monitor, RunnableSet waiters) {
        waiters.clear();
        BubbleThread longest = null;
        for (int i = 0; i < atMonitors.size(); i++) {
            BubbleThread thread = atMonitors.get(i);
            if (thread.waitsFor == monitor && Internals.isWaiting(stateOf(thread))) {
                waiters.add(thread.number);
                longest = longest == null || thread.waitNumber < longest.waitNumber ? thread : longest;
            }
        }
        return longest;
    }

    /// Whether a thread whose wait for the monitor has ended without a notification may not have run since. The JVM
    /// takes such a thread for a waiter.
    boolean mayHaveLeaver(Object monitor) {
        for (BubbleThread thread : all) {
            if (thread.waitsFor == monitor && !thread.hasEnded && stateOf(thread) == ThreadState.UNBLOCKED) {
                return true;
            }
        }
        return false;
    }

    /// Between these two the strategy is not told which thread becomes runnable.
    void beginHandOver() {
        isInHandOver = true;
    }

    void endHandOver() {
        isInHandOver = false;
    }

    // ---- faults

    /// Wakes a thread that waits, without a reason.
    void wake(BubbleThread thread) {
        if (Internals.endWait(thread.thread, stateOf(thread))) {
            ready(thread.resumeTask);
        } else {
            LockSupport.unpark(thread.thread);
        }
    }

    /// A thread that waits, other than the test itself; null if there is none.
    @Nullable
    BubbleThread anyWaiting() {
        List<BubbleThread> found = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            BubbleThread thread = all.get(i);
            if (!thread.hasEnded && thread != current && !thread.isHeldBack) {
                int state = stateOf(thread);
                boolean isParked = state == ThreadState.PARKED || state == ThreadState.TIMED_PARKED;
                if (isParked || Internals.isWaiting(state)) {
                    found.add(thread);
                }
            }
        }
        return found.isEmpty() ? null : found.get(faults.pick(found.size()));
    }
}
