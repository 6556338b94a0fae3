package dev.heddle;

import dev.heddle.internal.event.FailedPolls;
import dev.heddle.internal.runtime.Parking;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A channel: values are received in the order in which they were sent, each of them once.
///
/// ```java
/// Chan<String> messages = Chan.make();
/// Go.go(() -> messages.send("ping"));
/// System.out.println(messages.receive());
/// ```
///
/// Without a buffer ([#make()]) a send waits for its receiver: the value is handed from thread to thread. With a buffer
/// ([#make(int)]) a send waits only while the buffer is full. Waiting threads are served first come, first served.
/// Goroutines, other virtual threads and platform threads may use the same channel.
///
/// What a thread did before it sent a value happens before the receive of that value returns. A receive from an
/// unbuffered channel happens before the matching send returns.
///
/// There is no way to ask whether a channel is closed without receiving: the answer could be stale when the caller
/// uses it. To wait for several channels, or for a limited time, see [Select].
///
/// @param <T> what the channel carries; never null
public final class Chan<T> extends ChanLock implements SendChan<T>, ReceiveChan<T> {
    /*
     * Shape.      A ring of values, and two queues of threads; all guarded by the lock of ChanLock.
     *
     *                 senders: S2 -> S1 -> | v3 v2 v1 | -> R1 -> R2 :receivers
     *
     *             At most one of the queues has waiters, unless selects wait on both sides.
     *
     * Invariants. (I1) a receiver waits only while the ring is empty, a sender only while it is full; (I2) a closed
     *             channel has no waiters, and stays closed; (I3) a partner is claimed under the lock, by one CAS on its
     *             fate, and woken after the lock is released; (I4) nothing between lock and unlock allocates, parks,
     *             unparks or calls foreign code. Two exceptions allocate, before they change any state: ChanTimer's
     *             Instant, and the IllegalStateException of a second close.
     * Who writes. head, count, ring, the queues: the lock's holder.  closed: the closer, under the lock.
     * Orderings.  The lock orders everything except the checks without it. Such a check calls looksEmpty or looksFull,
     *             which reads, with acquire, one word that the lock's holder writes. *Then* it reads `closed`. A closed
     *             channel stays closed: if `closed` is still false after the first read, the channel was open and empty
     *             (full) at the first read, and the operation may fail as of that moment.
     * Progress.   Blocking, for a few dozen instructions; see ChanLock. Most try operations that fail take no lock.
     * Rejected.   Lock-free queues (Kotlin's, Jox's segments of cells): their selects cannot check all channels at one
     *             moment, as Go's can, and cancelled waiters leave dead cells behind.
     * Sources.    Go 1.27 chan.go.  Checked by ChanLincheckTest, ChanStressTest; in jcstress/ by SendVsReceive,
     *             PollVsClose, TrySendVsClose.
     */

    private static final VarHandle COUNT =
            ConstantBootstraps.fieldVarHandle(MethodHandles.lookup(), "count", VarHandle.class, Chan.class, int.class);
    private static final VarHandle NUMBER = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "number", VarHandle.class, Chan.class, long.class);

    /// The last channel number given out. A channel draws its number when a select first needs a locking order.
    private static final AtomicLong NUMBERS = new AtomicLong();

    /// Results of [#sendLocked(Object)] and [#receiveLocked()] that are neither a value nor a partner.
    static final Object DONE = new Object();

    static final Object CLOSED = new Object();

    private static final Object[] NO_RING = {};

    /// Set for the channel of a [Timer] or [Ticker].
    final @Nullable ChanTimer timer;

    final WaitQueue receivers = new WaitQueue();
    final WaitQueue senders = new WaitQueue();

    private final @Nullable Object[] ring;
    private int head;
    private int count;
    private volatile boolean closed;
    private long number;

    Chan(int capacity, @Nullable ChanTimer timer) {
        this.ring = capacity == 0 ? NO_RING : new Object[capacity];
        this.timer = timer;
    }

    /// Makes a channel without a buffer.
    ///
    /// @param <T> what the channel carries
    public static <T> Chan<T> make() {
        return new Chan<>(0, null);
    }

    /// Makes a channel with a buffer for `capacity` values; 0 means no buffer, as [#make()].
    ///
    /// @param <T> what the channel carries
    /// @throws IllegalArgumentException `makechan: size out of range`, if `capacity` is negative
    public static <T> Chan<T> make(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("makechan: size out of range");
        }
        return new Chan<>(capacity, null);
    }

    @Override
    public void send(T value) throws InterruptedException {
        Objects.requireNonNull(value, "a channel carries no null");
        enter();
        Waiter waiter = looksFull() ? Waiter.sender(value) : null;
        while (true) {
            Object answer;
            lock();
            try {
                answer = sendLocked(value);
                if (answer == null && waiter != null) {
                    senders.enqueue(waiter);
                }
            } finally {
                unlock();
            }
            if (answer != null) {
                finishSend(answer);
                return;
            }
            if (waiter != null) {
                awaitReceiver(waiter);
                return;
            }
            waiter = Waiter.sender(value); // became full since the first check; allocated outside the lock, then retry
        }
    }

    @Override
    public boolean trySend(T value) {
        Objects.requireNonNull(value, "a channel carries no null");
        Parking.checkpoint();
        if (looksFull() && !closed) { // in this order: see Orderings
            FailedPolls.count();
            return false;
        }
        Object answer;
        lock();
        try {
            answer = sendLocked(value);
        } finally {
            unlock();
        }
        if (answer == null) {
            return false;
        }
        finishSend(answer);
        return true;
    }

    @Override
    public @Nullable T receive() throws InterruptedException {
        enter();
        if (isDrained()) {
            return null;
        }
        return timer == null ? receiveOrWait() : receiveFrom(timer);
    }

    /// Registers with the timer before blocking. A receive that need not wait skips the registration.
    private @Nullable T receiveFrom(ChanTimer timer) throws InterruptedException {
        Object answer = looksEmpty() ? null : receiveNow();
        if (answer != null) {
            return finishReceive(answer);
        }
        timer.block();
        try {
            return receiveOrWait();
        } finally {
            timer.unblock();
        }
    }

    private @Nullable T receiveOrWait() throws InterruptedException {
        Waiter waiter = looksEmpty() ? Waiter.receiver() : null;
        while (true) {
            Object answer;
            Waiter due = null;
            lock();
            try {
                if (timer != null) {
                    due = timer.expire();
                }
                answer = receiveLocked();
                if (answer == null && waiter != null) {
                    receivers.enqueue(waiter);
                }
            } finally {
                unlock();
            }
            Waiter.wakeAll(due);
            if (answer != null) {
                return finishReceive(answer);
            }
            if (waiter != null) {
                return awaitSender(waiter);
            }
            waiter = Waiter.receiver(); // became empty since the first check; allocated outside the lock, then retry
        }
    }

    @Override
    public @Nullable T tryReceive() {
        Object answer = tryReceiveAny();
        return answer == null ? null : finishReceive(answer);
    }

    @Override
    @SuppressWarnings("unchecked") // the two constants hold no T
    public Received<T> poll() {
        Object answer = tryReceiveAny();
        if (answer == null) {
            return (Received<T>) Received.Nothing.INSTANCE;
        }
        T value = finishReceive(answer);
        return value == null ? (Received<T>) Received.Closed.INSTANCE : new Received.Value<>(value);
    }

    /// Closes the channel and wakes all waiters in Go's order. Go pushes receivers and then senders on a stack,
    /// and readies each as it pops it. The waiter readied last, which arrived first, runs next. The others
    /// follow from the latest arrival to the earliest.
    /// Go: closechan.
    @Override
    public void close() {
        Waiter woken;
        lock();
        try {
            if (closed) {
                throw new IllegalStateException("close of closed channel");
            }
            closed = true;
            woken = senders.closeAll(receivers.closeAll(null));
        } finally {
            unlock();
        }
        Waiter.wakeAll(woken);
    }

    @Override
    public int len() {
        if (timer != null) {
            return 0;
        }
        return (int) COUNT.getAcquire(this);
    }

    @Override
    public int cap() {
        return timer != null ? 0 : ring.length;
    }

    @Override
    public Iterator<T> iterator() {
        return new Range();
    }

    @Override
    public String toString() {
        return "Chan[" + len() + "/" + cap() + (closed ? ", closed]" : "]");
    }

    // The package-private methods below are for Select and ChanTimer.

    /// Sends if that is possible without waiting. Returns [#DONE], or the receiver to wake, or [#CLOSED]; null
    /// if the send would block. Holds the lock.
    /// Go: chansend.
    @Nullable
    Object sendLocked(Object value) {
        if (closed) {
            return CLOSED;
        }
        Waiter receiver = receivers.handTo(value);
        if (receiver != null) {
            return receiver;
        }
        if (count == ring.length) {
            return null;
        }
        put(value);
        return DONE;
    }

    /// Receives if that is possible without waiting. Returns a value, or the sender to wake, whose `element` is
    /// the value, or [#CLOSED]; null if the receive would block. Holds the lock.
    /// Go: chanrecv.
    @Nullable
    Object receiveLocked() {
        if (count == 0) {
            if (closed) {
                return CLOSED;
            }
            return senders.dequeue(); // no buffer: the value comes from the sender itself
        }
        Object value = take();
        Waiter sender = senders.dequeue(); // it waited for room in the buffer; now there is room
        if (sender == null) {
            return value;
        }
        put(Objects.requireNonNull(sender.element));
        sender.element = value;
        return sender;
    }

    /// Drops all values in the buffer; returns whether there were any.  Holds the lock.
    boolean drainLocked() {
        boolean any = count > 0;
        while (count > 0) {
            take();
        }
        return any;
    }

    static void finishSend(Object answer) {
        if (answer == CLOSED) {
            throw new IllegalStateException("send on closed channel");
        }
        if (answer instanceof Waiter receiver) {
            Parking.unpark(receiver.thread);
        }
    }

    @SuppressWarnings("unchecked") // only values of T get in
    @Nullable
    T finishReceive(Object answer) {
        if (answer == CLOSED) {
            return null;
        }
        if (answer instanceof Waiter sender) {
            Object value = sender.element;
            Parking.unpark(sender.thread);
            return (T) value;
        }
        return (T) answer;
    }

    /// Whether there was nothing to receive, in an open or closed channel, at the moment of the check.  Any thread.
    boolean looksEmpty() {
        if (timer != null && timer.looksDue()) {
            return false;
        }
        return ring.length == 0 ? senders.looksEmpty() : (int) COUNT.getAcquire(this) == 0;
    }

    /// Whether a send would have had to wait at the moment of the check, if the channel was open.  Any thread.
    boolean looksFull() {
        return ring.length == 0 ? receivers.looksEmpty() : (int) COUNT.getAcquire(this) == ring.length;
    }

    boolean isClosed() {
        return closed;
    }

    /// This channel's position in the order in which selects lock channels.  Any thread.
    long number() {
        long mine = (long) NUMBER.getAcquire(this);
        if (mine == 0) {
            NUMBER.compareAndSet(this, 0L, NUMBERS.incrementAndGet());
            mine = (long) NUMBER.getAcquire(this);
        }
        return mine;
    }

    private static void enter() throws InterruptedException {
        Parking.checkpoint();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /// Whether there will never be anything to receive again. After the close the buffer only shrinks, so no
    /// lock is needed.
    private boolean isDrained() {
        return closed && (int) COUNT.getAcquire(this) == 0;
    }

    private @Nullable Object tryReceiveAny() {
        Parking.checkpoint();
        if (looksEmpty() && !closed) { // in this order: see Orderings
            FailedPolls.count();
            return null;
        }
        return isDrained() ? CLOSED : receiveNow();
    }

    private @Nullable Object receiveNow() {
        Object answer;
        Waiter due = null;
        lock();
        try {
            if (timer != null) {
                due = timer.expire();
            }
            answer = receiveLocked();
        } finally {
            unlock();
        }
        Waiter.wakeAll(due);
        return answer;
    }

    private void awaitReceiver(Waiter waiter) throws InterruptedException {
        if (waiter.await(/* timed= */ false, 0) == null) {
            leave(senders, waiter);
        } else if (waiter.closed) {
            throw new IllegalStateException("send on closed channel");
        }
    }

    @SuppressWarnings("unchecked") // only values of T get in
    private @Nullable T awaitSender(Waiter waiter) throws InterruptedException {
        if (waiter.await(/* timed= */ false, 0) == null) {
            leave(receivers, waiter);
        }
        return (T) waiter.element; // null if closed
    }

    private void leave(WaitQueue queue, Waiter waiter) throws InterruptedException {
        lock();
        try {
            queue.remove(waiter);
        } finally {
            unlock();
        }
        Thread.interrupted();
        throw new InterruptedException();
    }

    private void put(Object value) {
        int tail = head - (ring.length - count); // not head + count, which overflows in very long rings
        ring[tail < 0 ? tail + ring.length : tail] = value;
        count++;
    }

    private Object take() {
        Object value = Objects.requireNonNull(ring[head]);
        ring[head] = null;
        head = head + 1 == ring.length ? 0 : head + 1;
        count--;
        return value;
    }

    private final class Range implements Iterator<T> {
        private @Nullable T next;
        private boolean ended;

        @Override
        public boolean hasNext() {
            if (next == null && !ended) {
                try {
                    next = receive();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    var cancelled = new CancellationException("interrupted while receiving");
                    cancelled.initCause(e);
                    throw cancelled;
                }
                ended = next == null;
            }
            return next != null;
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the channel is closed and drained");
            }
            T value = Objects.requireNonNull(next);
            next = null;
            return value;
        }
    }
}
