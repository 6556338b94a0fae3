package dev.heddle;

import dev.heddle.Select.Case;
import dev.heddle.Select.Timeout;
import dev.heddle.internal.event.FailedPolls;
import dev.heddle.internal.event.WaitReason;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// How one call of [Select#select] finds a case and does it: a first pass without an object, and three more passes with
/// one, which holds the cases in locking order. Used by one thread, for one select.
final class SelectPasses {
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

    private static final int FEW = 16;

    private final Case[] cases; // the cases that have a channel, in locking order
    private final boolean hasTimers;

    /// The receivers that have got a value from a timer of this select and are to be woken, linked by `next`.
    private @Nullable Waiter due;
    private @Nullable Timeout timeout;

    /// Pass 0. Returns the case that was done, or null.
    static @Nullable Case trySeeminglyReady(Case[] cases) {
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

    SelectPasses(Case[] all) {
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
                FailedPolls.count();
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
        int locked = 0;
        try {
            for (; locked < cases.length; locked++) {
                if (isFirstOfItsChannel(locked)) {
                    chanOf(cases[locked]).lock();
                }
            }
            do {
                expireTimers();
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
            Waiter.wakeAll(due); // even on OutOfMemoryError: their values are decided
            due = null;
        }
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

    /// Fires all due timers and adds the receivers to wake to [#due].  Holds all locks.
    private void expireTimers() {
        for (Case each : cases) {
            ChanTimer timer = chanOf(each).timer;
            Waiter receiver = timer == null ? null : timer.expire();
            if (receiver != null) {
                receiver.next = due;
                due = receiver;
            }
        }
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
