package dev.heddle;

import dev.heddle.internal.event.VainPolls;
import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.runtime.Parking;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Waits until one of several channel operations can go ahead, and does that one. Go: `select`.
///
/// ```java
/// import static dev.heddle.Select.*;
///
/// select(
///         receive(messages, message -> show(message)),
///         send(heartbeats, "alive", () -> beats++),
///         timeout(Duration.ofSeconds(1), () -> show("nothing new")));
/// ```
///
/// If several can go ahead, each is chosen with the same probability. `orElse` goes ahead when no other case can. The
/// chosen case is also the result, so a loop can check which one it was and what it received:
///
/// ```java
/// var job = receive(jobs);
/// var stop = receive(context.done());
/// while (select(job, stop) != stop) {
///     work(job.value());
/// }
/// ```
///
/// A case may be used any number of times, by one thread at a time. A case whose channel is null is never ready. A
/// receive from a closed channel is always ready; once the channel is drained, it gives null. The same channel may
/// occur in several cases.
public final class Select {
    /*
     * Passes.     0. Check every case without locks. If some seem ready, choose one of them at random, lock its
     *                channel, and do the operation. Most selects end here.
     *             1. Lock all channels in the order of their numbers. Again choose one of the ready cases. If there is
     *                none, no channel was ready at one common moment, so `orElse` may go ahead.
     *             2. Still under all locks, enqueue a waiter for every case at its channel. Unlock, park.
     *             3. The group's fate names the winner. The other waiters leave their queues, one lock at a time.
     *
     * Invariants. (I1) locks are taken in rising order of number, each once, however often the channel occurs; (I2)
     *             partners and contenders are woken when no lock is held; (I3) a group has one fate: see Waiter.
     * Rejected.   Go's shuffled order of polling in pass 0: replacing the choice with probability 1/k needs no array.
     *             Queueing at one channel after the other without all locks: two selects that are each other's
     *             partners could each believe that the other has gone.
     * Sources.    Go 1.27 select.go, selectgo.
     *             Checked by SelectTest, ChanLincheckTest, ChanStressTest; in jcstress/ by SelectVsSelect.
     */

    private Select() {}

    /// Waits until one of `cases` can go ahead, does it, runs its handler, and returns it. Without cases it
    /// waits until the thread is interrupted.  Any thread.
    ///
    /// @throws InterruptedException if the thread is interrupted, at entry or while it waits, and then no operation
    /// was
    ///     done; or if a handler throws it
    /// @throws IllegalStateException `send on closed channel`, if the chosen case sends on a closed channel
    public static Case select(Case... cases) throws InterruptedException {
        Parking.checkpoint();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Case chosen = trySeeminglyReady(cases);
        if (chosen == null) {
            chosen = new Attempt(cases).run();
        }
        chosen.runHandler();
        return chosen;
    }

    /// A case that receives from `chan`.
    ///
    /// @param <T> what the channel carries
    public static <T> Receive<T> receive(@Nullable ReceiveChan<T> chan) {
        return new Receive<>((Chan<T>) chan, null);
    }

    /// A case that receives from `chan` and passes the value to `handler`, or null if the channel is closed and
    /// drained.
    ///
    /// @param <T> what the channel carries
    public static <T> Receive<T> receive(@Nullable ReceiveChan<T> chan, ReceiveHandler<? super T> handler) {
        return new Receive<>((Chan<T>) chan, Objects.requireNonNull(handler));
    }

    /// A case that sends `value` on `chan`.
    ///
    /// @param <T> what the channel carries
    public static <T> Send<T> send(@Nullable SendChan<T> chan, T value) {
        return new Send<>((Chan<T>) chan, value, null);
    }

    /// A case that sends `value` on `chan`, and then runs `handler`.
    ///
    /// @param <T> what the channel carries
    public static <T> Send<T> send(@Nullable SendChan<T> chan, T value, Handler handler) {
        return new Send<>((Chan<T>) chan, value, Objects.requireNonNull(handler));
    }

    /// A case that goes ahead when no other case could within `duration`.
    public static Case timeout(Duration duration) {
        return new Timeout(Durations.saturatedNanos(duration), null);
    }

    /// A case that goes ahead, and runs `handler`, when no other case could within `duration`.
    public static Case timeout(Duration duration, Handler handler) {
        return new Timeout(Durations.saturatedNanos(duration), Objects.requireNonNull(handler));
    }

    /// A case that goes ahead at once if no other can.
    /// Go: `default`.
    public static Case orElse() {
        return new Timeout(0, null);
    }

    /// A case that goes ahead at once, and runs `handler`, if no other can.
    /// Go: `default`.
    public static Case orElse(Handler handler) {
        return new Timeout(0, Objects.requireNonNull(handler));
    }

    /// The code to run after a case went ahead.
    @FunctionalInterface
    public interface Handler {
        /// Runs after the operation is complete, with no lock held.
        void run() throws InterruptedException;
    }

    /// The code to run with a received value.
    ///
    /// @param <T> what the channel carries
    @FunctionalInterface
    public interface ReceiveHandler<T> {
        /// Runs after the operation is complete, with no lock held. `value` is null if the channel is
        /// closed and drained.
        void accept(@Nullable T value) throws InterruptedException;
    }

    /// One of the operations of a select. Made by the factory methods of [Select].
    public abstract static sealed class Case {
        final @Nullable Chan<?> chan;

        Case(@Nullable Chan<?> chan) {
            this.chan = chan;
        }

        /// Whether the case seemed able to go ahead at the moment of the check.  Any thread.
        abstract boolean looksReady();

        /// Does the operation if that is possible without waiting. Returns the result of
        /// [Chan#sendLocked(Object)] or [Chan#receiveLocked()], or null if it would block. Holds the
        /// channel's lock.
        abstract @Nullable Object attemptLocked();

        /// Completes an operation that [#attemptLocked()] did. No lock is held.
        abstract void finish(Object answer);

        /// Completes an operation that a partner did while this case's waiter was queued. No lock is held.
        abstract void finishWaiting(Waiter waiter);

        abstract WaitQueue queue();

        abstract @Nullable Object element();

        abstract void runHandler() throws InterruptedException;
    }

    /// A case that receives.
    ///
    /// @param <T> what the channel carries
    public static final class Receive<T> extends Case {
        private final @Nullable Chan<T> from;
        private final @Nullable ReceiveHandler<? super T> handler;
        private @Nullable T value;

        Receive(@Nullable Chan<T> from, @Nullable ReceiveHandler<? super T> handler) {
            super(from);
            this.from = from;
            this.handler = handler;
        }

        /// The value received when this case was last chosen; null if the channel was closed and drained.
        public @Nullable T value() {
            return value;
        }

        private Chan<T> from() {
            return Objects.requireNonNull(from);
        }

        @Override
        boolean looksReady() {
            return from != null && (!from.looksEmpty() || from.isClosed());
        }

        @Override
        @Nullable
        Object attemptLocked() {
            return from().receiveLocked();
        }

        @Override
        void finish(Object answer) {
            value = from().finishReceive(answer);
        }

        @Override
        @SuppressWarnings("unchecked") // only values of T get into the channel
        void finishWaiting(Waiter waiter) {
            value = (T) waiter.element;
        }

        @Override
        WaitQueue queue() {
            return from().receivers;
        }

        @Override
        @Nullable
        Object element() {
            return null;
        }

        @Override
        void runHandler() throws InterruptedException {
            if (handler != null) {
                handler.accept(value);
            }
        }
    }

    /// A case that sends.
    ///
    /// @param <T> what the channel carries
    public static final class Send<T> extends Case {
        private final @Nullable Chan<T> to;
        private final T value;
        private final @Nullable Handler handler;

        Send(@Nullable Chan<T> to, T value, @Nullable Handler handler) {
            super(to);
            this.to = to;
            this.value = Objects.requireNonNull(value, "a channel carries no null");
            this.handler = handler;
        }

        private Chan<T> to() {
            return Objects.requireNonNull(to);
        }

        @Override
        boolean looksReady() {
            return to != null && (!to.looksFull() || to.isClosed());
        }

        @Override
        @Nullable
        Object attemptLocked() {
            return to().sendLocked(Objects.requireNonNull(value));
        }

        @Override
        void finish(Object answer) {
            Chan.finishSend(answer);
        }

        @Override
        void finishWaiting(Waiter waiter) {
            if (waiter.closed) {
                Chan.finishSend(Chan.CLOSED);
            }
        }

        @Override
        WaitQueue queue() {
            return to().senders;
        }

        @Override
        @Nullable
        Object element() {
            return value;
        }

        @Override
        void runHandler() throws InterruptedException {
            if (handler != null) {
                handler.run();
            }
        }
    }

    /// A case that goes ahead when no other case can within its time limit.
    private static final class Timeout extends Case {
        final long nanos;
        private final @Nullable Handler handler;

        Timeout(long nanos, @Nullable Handler handler) {
            super(null);
            this.nanos = nanos;
            this.handler = handler;
        }

        @Override
        boolean looksReady() {
            return false;
        }

        @Override
        Object attemptLocked() {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        void finish(Object answer) {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        void finishWaiting(Waiter waiter) {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        WaitQueue queue() {
            throw new AssertionError("a timeout has no channel");
        }

        @Override
        @Nullable
        Object element() {
            return null;
        }

        @Override
        void runHandler() throws InterruptedException {
            if (handler != null) {
                handler.run();
            }
        }
    }

    /// Pass 0. Returns the case that was done, or null.
    private static @Nullable Case trySeeminglyReady(Case[] cases) {
        Case chosen = chooseReady(cases);
        if (chosen == null) {
            return null;
        }
        Chan<?> chan = Objects.requireNonNull(chosen.chan);
        Object answer;
        Waiter due = null;
        chan.lock();
        try {
            if (chan.timer != null) {
                due = chan.timer.expire();
            }
            answer = chosen.attemptLocked();
        } finally {
            chan.unlock();
        }
        Waiter.wakeAll(due);
        if (answer == null) {
            return null;
        }
        chosen.finish(answer);
        return chosen;
    }

    /// Chooses one of the cases that seem ready, each with the same probability; null if there is none.
    private static @Nullable Case chooseReady(Case[] cases) {
        Case chosen = null;
        int ready = 0;
        for (Case each : cases) {
            if (each.looksReady()) {
                ready++;
                // The k-th ready case replaces the one chosen so far with probability 1/k: uniform in the end.
                if (ready == 1 || ThreadLocalRandom.current().nextInt(ready) == 0) {
                    chosen = each;
                }
            }
        }
        return chosen;
    }

    /// Passes 1 to 3.
    private static final class Attempt {
        private static final int FEW = 16;

        private final Case[] cases; // the cases that have a channel, in locking order
        private final boolean hasTimers;
        private @Nullable Timeout timeout;

        Attempt(Case[] all) {
            var withChannel = new Case[all.length];
            boolean anyTimer = false;
            int n = 0;
            for (Case each : all) {
                if (each.chan != null) {
                    withChannel[n++] = each;
                    anyTimer |= each.chan.timer != null;
                } else if (each instanceof Timeout limit && (timeout == null || limit.nanos < timeout.nanos)) {
                    timeout = limit;
                }
            }
            hasTimers = anyTimer;
            cases = n == all.length ? withChannel : Arrays.copyOf(withChannel, n);
            sort(cases);
        }

        Case run() throws InterruptedException {
            Timeout limit = timeout;
            if (limit != null && limit.nanos == 0) {
                Case ready = tryAll(null);
                if (ready == null) {
                    VainPolls.count();
                }
                return ready == null ? limit : ready;
            }
            long deadline = limit == null ? 0 : System.nanoTime() + limit.nanos;
            boolean forEver = cases.length == 0 && limit == null;
            var group = Waiter.group(forEver ? WaitReason.SELECT_NO_CASES : WaitReason.SELECT);
            var waiters = new Waiter[cases.length];
            for (int i = 0; i < waiters.length; i++) {
                waiters[i] = Waiter.ofCase(group, cases[i], cases[i].element());
            }
            Case ready = hasTimers ? tryAll(null) : null; // if no wait is needed, skips registering with the timers
            if (ready != null) {
                return ready;
            }
            Waiter winner;
            int blocked = 0;
            try {
                for (; hasTimers && blocked < cases.length; blocked++) {
                    blockTimer(cases[blocked]);
                }
                ready = tryAll(waiters);
                if (ready != null) {
                    return ready;
                }
                winner = group.await(limit != null, deadline);
            } finally {
                unblockTimers(blocked);
            }
            leave(waiters, winner);
            if (winner != null) {
                Case chosen = Objects.requireNonNull(winner.selectCase);
                chosen.finishWaiting(winner);
                return chosen;
            }
            if (Thread.interrupted() || limit == null) {
                throw new InterruptedException();
            }
            return limit;
        }

        /// Passes 1 and 2: does a ready case and returns it. If none is ready, enqueues `waiters`, unless
        /// null, and returns null.
        private @Nullable Case tryAll(Waiter @Nullable [] waiters) {
            Case chosen;
            Object answer = null;
            Waiter due = null;
            int locked = 0;
            try {
                for (; locked < cases.length; locked++) {
                    if (isFirstOfItsChannel(locked)) {
                        chanOf(cases[locked]).lock();
                    }
                }
                do {
                    due = expireTimers(due);
                    chosen = chooseReady(cases);
                    if (chosen != null) {
                        answer = chosen.attemptLocked(); // null if all partners in the queue gave up: choose again
                    }
                } while (chosen != null && answer == null);
                if (chosen == null && waiters != null) {
                    for (int i = 0; i < waiters.length; i++) {
                        cases[i].queue().enqueue(waiters[i]);
                    }
                }
            } finally {
                for (int i = 0; i < locked; i++) {
                    if (isFirstOfItsChannel(i)) {
                        chanOf(cases[i]).release();
                    }
                }
                for (int i = 0; i < locked; i++) {
                    if (isFirstOfItsChannel(i)) {
                        chanOf(cases[i]).wakeContender();
                    }
                }
            }
            Waiter.wakeAll(due);
            if (chosen != null && answer != null) {
                chosen.finish(answer);
            }
            return chosen;
        }

        private boolean isFirstOfItsChannel(int i) {
            return i == 0 || cases[i].chan != cases[i - 1].chan;
        }

        /// Pass 3: removes all waiters but the winner, which is in no queue any more.
        private void leave(Waiter[] waiters, @Nullable Waiter winner) {
            for (int i = 0; i < waiters.length; i++) {
                if (waiters[i] != winner) {
                    Chan<?> chan = chanOf(cases[i]);
                    chan.lock();
                    try {
                        cases[i].queue().remove(waiters[i]);
                    } finally {
                        chan.unlock();
                    }
                }
            }
        }

        /// Fires all due timers and puts the receivers to wake in front of `chain`, linked by `next`.  Holds
        /// all locks.
        private @Nullable Waiter expireTimers(@Nullable Waiter chain) {
            for (Case each : cases) {
                ChanTimer timer = chanOf(each).timer;
                Waiter due = timer == null ? null : timer.expire();
                if (due != null) {
                    due.next = chain;
                    chain = due;
                }
            }
            return chain;
        }

        private static void blockTimer(Case each) {
            ChanTimer timer = chanOf(each).timer;
            if (timer != null) {
                timer.block();
            }
        }

        /// Deregisters from the timers of the first `blocked` cases.
        private void unblockTimers(int blocked) {
            for (int i = 0; i < blocked; i++) {
                ChanTimer timer = chanOf(cases[i]).timer;
                if (timer != null) {
                    timer.unblock();
                }
            }
        }

        /// Sorts by channel number. Shuffles the cases of one channel, because they join its queue in this
        /// order.
        private static void sort(Case[] cases) {
            if (cases.length <= FEW) {
                sortFew(cases);
            } else {
                Arrays.sort(cases, Comparator.comparingLong(each -> chanOf(each).number()));
            }
            int start = 0;
            for (int end = 1; end <= cases.length; end++) {
                if (end == cases.length || cases[end].chan != cases[start].chan) {
                    shuffle(cases, start, end);
                    start = end;
                }
            }
        }

        /// Insertion sort: the cases are nearly sorted most of the time, since channels draw their numbers
        /// here, in about the order of the cases.
        private static void sortFew(Case[] cases) {
            for (int i = 1; i < cases.length; i++) {
                Case each = cases[i];
                long number = chanOf(each).number();
                int at = i;
                while (at > 0 && chanOf(cases[at - 1]).number() > number) {
                    cases[at] = cases[at - 1];
                    at--;
                }
                cases[at] = each;
            }
        }

        private static void shuffle(Case[] cases, int from, int to) {
            for (int i = to - 1; i > from; i--) {
                int other = from + ThreadLocalRandom.current().nextInt(i - from + 1);
                Case swapped = cases[i];
                cases[i] = cases[other];
                cases[other] = swapped;
            }
        }

        private static Chan<?> chanOf(Case each) {
            return Objects.requireNonNull(each.chan);
        }
    }
}
