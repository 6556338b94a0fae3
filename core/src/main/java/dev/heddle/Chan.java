package dev.heddle;

import dev.heddle.internal.event.VainPolls;
import dev.heddle.internal.kernel.Parking;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A channel: values go in at one side and come out at the other in the same order, each received once.
///
/// ```java
/// Chan<String> messages = Chan.make();
/// Go.go(() -> messages.send("ping"));
/// System.out.println(messages.receive());
/// ```
///
/// Without a buffer ([#make()]) a send waits for its receiver: the value is handed from thread to thread. With
/// a buffer ([#make(int)]) a send waits only while the buffer is full. Waiting threads are served first come,
/// first served. Goroutines, other virtual threads and platform threads may meet at the same channel.
///
/// What a thread did before it sent a value happens before the receive of that value returns; a receive from an
/// unbuffered channel happens before its send returns.
///
/// There is no way to ask whether a channel is closed without receiving: the answer would be old. To wait for
/// several channels, or for a limited time, see [Select].
///
/// @param <T> what the channel carries; never null
public final class Chan<T> extends ChanLock implements SendChan<T>, ReceiveChan<T> {
    /*
     * Shape.      A ring of values, and two queues of threads; all guarded by the lock of ChanLock.
     *
     *                 senders: S2 -> S1 -> | v3 v2 v1 | -> R1 -> R2 :receivers
     *
     *             At most one of the queues has somebody in it, except for selects that wait on both sides.
     *
     * Invariants. (I1) a receiver waits only while the ring is empty, a sender only while it is full; (I2) a closed
     *             channel has no waiters, and stays closed; (I3) a partner is claimed under the lock, by one CAS on its
     *             fate, and woken after the lock is released; (I4) nothing between lock and unlock allocates, parks,
     *             unparks or calls foreign code (ChanTimer's Instant excepted, made before anything changes).
     * Who writes. head, count, ring, the queues: the lock's holder.  closed: the closer, under the lock.
     * Orderings.  The lock orders everything but the looks without it: looksEmpty and looksFull read one word that the
     *             holder of the lock writes, with acquire, and *then* `closed`. Closed is final: if it is false after
     *             the look, the channel was open and empty (full) at the look, and the operation may fail there.
     * Progress.   Blocking, for a few dozen instructions; see ChanLock. Failing try operations take no lock.
     * Rejected.   Lock-free queues (Kotlin's, Jox's segments of cells): their selects cannot look at all channels at
     *             one moment, which Go's can, and cancelled waiters leave dead cells behind.
     * Sources.    Go 1.27 chan.go.  Checked by ChanLincheckTest, ChanStressTest; in jcstress/ by SendVsReceive,
     *             PollVsClose, TrySendVsClose.
     */

    private static final VarHandle COUNT =
            ConstantBootstraps.fieldVarHandle(MethodHandles.lookup(), "count", VarHandle.class, Chan.class, int.class);
    private static final VarHandle NUMBER = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "number", VarHandle.class, Chan.class, long.class);

    /// Numbers of channels, drawn when a channel first takes part in a select that locks several.
    private static final AtomicLong NUMBERS = new AtomicLong();

    /// Answers of [#sendLocked(Object)] and [#receiveLocked()] that are not partners.
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

    /// Makes a channel with room for `capacity` values; 0 means none, as [#make()].
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
            waiter = Waiter.sender(value); // was not full at the first look; not made under the lock
        }
    }

    @Override
    public boolean trySend(T value) {
        Objects.requireNonNull(value, "a channel carries no null");
        Parking.checkpoint();
        if (looksFull() && !closed) { // in this order: see Orderings
            VainPolls.count();
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

    /// Who waits must be known to the timer, and is so before it waits; who need not wait is spared that.
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
            waiter = Waiter.receiver(); // was not empty at the first look; not made under the lock
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

    /// Go: closechan. It pushes receivers and then senders on a stack, and readies them as it pops them. The
    /// last one readied, which came first, runs next; the others follow from the youngest to the oldest.
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

    // What follows without an access modifier is for Select and ChanTimer.

    /// Sends if nobody has to wait for that: [#DONE], or the partner to wake, or [#CLOSED]; null if it would
    /// block. Go: chansend.  Holds the lock.
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

    /// Receives if nobody has to wait for that: a value, or the partner to wake, whose `element` is the value,
    /// or [#CLOSED]; null if it would block. Go: chanrecv.  Holds the lock.
    @Nullable
    Object receiveLocked() {
        if (count == 0) {
            if (closed) {
                return CLOSED;
            }
            return senders.dequeue(); // without a buffer the value comes from the sender itself
        }
        Object value = take();
        Waiter sender = senders.dequeue(); // there was no room for its value; now there is
        if (sender == null) {
            return value;
        }
        put(Objects.requireNonNull(sender.element));
        sender.element = value;
        return sender;
    }

    /// Takes the values out of the buffer and drops them; says whether there were any.  Holds the lock.
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

    /// Whether a receive would have found nothing, open or closed, at the moment of the look.  Any thread.
    boolean looksEmpty() {
        if (timer != null && timer.looksDue()) {
            return false;
        }
        return ring.length == 0 ? senders.looksEmpty() : (int) COUNT.getAcquire(this) == 0;
    }

    /// Whether a send would have had to wait, had the channel been open, at the moment of the look.  Any
    /// thread.
    boolean looksFull() {
        return ring.length == 0 ? receivers.looksEmpty() : (int) COUNT.getAcquire(this) == ring.length;
    }

    boolean isClosed() {
        return closed;
    }

    /// This channel's place in the order in which selects lock.  Any thread.
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

    /// Whether there is nothing to receive for ever. After the close the buffer only shrinks, so no lock is
    /// needed.
    private boolean isDrained() {
        return closed && (int) COUNT.getAcquire(this) == 0;
    }

    private @Nullable Object tryReceiveAny() {
        Parking.checkpoint();
        if (looksEmpty() && !closed) { // in this order: see Orderings
            VainPolls.count();
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
