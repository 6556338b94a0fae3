package dev.heddle.internal.kernel;

import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealRule;
import org.jspecify.annotations.Nullable;

/// The threads that yielded on one processor, in the order of their turns, and the round that the processor is in.
///
/// They belong at the end of the global queue (F18). Nevertheless they stay with their processor: a thread that
/// continues elsewhere has to move all its data to another core's cache. [Rounds] decides when a round begins.
///
/// There are two rings: one of threads that still wait for their turn in this round, and one of threads that have had
/// it and are due in the next round. Beginning a round swaps the rings. Thieves can take from both.
final class Yielded {
    /*
     * Shape.      state = | round:63 | ring that is due:1 |. A thread that yields is put into the other ring.
     * Who writes. state: the owner of the processor. The rings: as LocalRunQueue says.
     * Orderings.  A thief reads state, then a ring. Meanwhile the owner may begin a round, and the thief then takes
     *             a thread that is due one round later than it believed: a turn too early, and no entry is ever lost
     *             or doubled, since every entry leaves its ring by the CAS of LocalRunQueue.
     *             An entry never moves from one ring of a processor to the other, so a scan of both misses only what is
     *             on its way to a thief, which then wakes a machine (FindRunnable.takeYielded).
     *             Checked by YieldedLincheckTest, TurnsTest; docs/model/wake.pml (THEFTS).
     */

    /// Entries of each ring: 8 KB.
    static final int CAPACITY = 2048;

    private final LocalRunQueue even;
    private final LocalRunQueue odd;
    private volatile long state;

    Yielded() {
        this(CAPACITY);
    }

    /// Rings of `capacity` entries: checkers use small ones.
    Yielded(int capacity) {
        even = new LocalRunQueue(capacity);
        odd = new LocalRunQueue(capacity);
    }

    // ---- owner of the processor

    /// Appends a thread: it is due in the next round. The ring is not full, so `overflow` is not used.
    void put(Runnable entry, LocalRunQueue.Overflow overflow) {
        next().put(entry, /* next= */ false, overflow);
    }

    /// The thread whose turn it is in this round; null if all have had theirs.
    @Nullable
    Runnable take() {
        return due().takeHead();
    }

    /// Whether all have had their turn in this round.
    boolean isRoundOver() {
        return due().peekHead() == null;
    }

    /// Whether threads wait here, in this round or for the next one.
    boolean hasWaiting() {
        return !isRoundOver() || next().peekHead() != null;
    }

    /// Whether a [#put] has to make room first.
    boolean isFull() {
        return next().isFull();
    }

    /// Begins a round. All have had their turn in the one before.
    void begin(long round) {
        state = round << 1 | (state & 1 ^ 1);
    }

    /// Takes half of the victim's threads that are due in `round` or earlier, to have their turn here, and
    /// returns one of them; null if there are none. The own round is over.
    @Nullable
    Runnable stealDue(Yielded victim, long round) {
        long seen = victim.state;
        Runnable stolen = roundOf(seen) <= round ? steal(victim.ring(seen)) : null;
        return stolen == null && roundOf(seen) < round ? steal(victim.ring(seen ^ 1)) : stolen;
    }

    private @Nullable Runnable steal(LocalRunQueue ring) {
        return due().stealFrom(ring, StealRule.GO, /* includeRunNext= */ false); // the policy must not affect fairness
    }

    /// For a thief without work: the threads that are due first, whatever their round.
    @Nullable
    Runnable stealAny(Yielded victim, StealRule policy) {
        long seen = victim.state;
        LocalRunQueue due = due();
        Runnable stolen = due.stealFrom(victim.ring(seen), policy, /* includeRunNext= */ false);
        return stolen != null ? stolen : due.stealFrom(victim.ring(seen ^ 1), policy, /* includeRunNext= */ false);
    }

    /// Moves what fits to the end of `chunk`, in the order of the turns.
    void drainInto(RunBatch chunk) {
        int _ = due().drainInto(chunk);
        int _ = next().drainInto(chunk);
    }

    /// The ring whose threads are due in this round.
    LocalRunQueue due() {
        return ring(state);
    }

    /// The ring whose threads are due in the next round.
    LocalRunQueue next() {
        return ring(state ^ 1);
    }

    void clearDead() {
        even.clearDead();
        odd.clearDead();
    }

    // ---- any thread

    /// The round that the processor is in.
    long round() {
        return roundOf(state);
    }

    /// Whether a thread waits here that is due in `round` or earlier. Racy for others than the owner.
    boolean isBehind(long round) {
        long seen = state;
        return (roundOf(seen) <= round && ring(seen).size() > 0)
                || (roundOf(seen) < round && ring(seen ^ 1).size() > 0);
    }

    boolean isEmpty() {
        return even.isEmpty() && odd.isEmpty();
    }

    /// Racy for others than the owner.
    int size() {
        return even.size() + odd.size();
    }

    private LocalRunQueue ring(long state) {
        return (state & 1) == 0 ? even : odd;
    }

    private static long roundOf(long state) {
        return state >> 1;
    }
}
