package dev.heddle.jcstress;

import dev.heddle.internal.queue.broken.Numbered;
import dev.heddle.internal.queue.broken.RacyQueue;
import org.jspecify.annotations.Nullable;

/// Shared by the races: small queues, and results as decimal numbers.
final class Races {
    static final int CAPACITY = 4;

    private Races() {}

    /// Fills `queue` with the numbers 1 .. count.
    static <Q extends RacyQueue> Q filled(Q queue, int count) {
        for (int i = 1; i <= count; i++) {
            put(queue, i);
        }
        return queue;
    }

    static void put(RacyQueue queue, int number) {
        queue.put(new Numbered(number), /* next= */ false);
    }

    static void putNext(RacyQueue queue, int number) {
        queue.put(new Numbered(number), /* next= */ true);
    }

    static int get(RacyQueue queue) {
        return number(queue.get());
    }

    /// The number of an entry, 0 for none. Reads a field of the entry, so the entry must have been published
    /// safely.
    static int number(@Nullable Runnable entry) {
        return entry == null ? 0 : ((Numbered) entry).id();
    }

    static int steal(RacyQueue thief, RacyQueue victim) {
        return number(thief.stealFrom(victim, /* includeRunNext= */ false));
    }

    /// Tries to steal while the other actor is about to put. Repeated attempts coincide with the put more often
    /// than a single one.
    static int stealSoon(RacyQueue thief, RacyQueue victim) {
        int stolen = 0;
        for (int i = 0; i < 50 && stolen == 0; i++) {
            stolen = steal(thief, victim);
        }
        return stolen;
    }

    static int stealAlsoNext(RacyQueue thief, RacyQueue victim) {
        return number(thief.stealFrom(victim, /* includeRunNext= */ true));
    }

    /// The numbers left in the queues, in order, as digits; 0 if there are none.
    static int rest(RacyQueue... queues) {
        int digits = 0;
        for (var queue : queues) {
            for (Runnable r = queue.get(); r != null; r = queue.get()) {
                digits = 10 * digits + number(r);
            }
        }
        return digits;
    }

    /// The body of an actor that waits. No thread interrupts it, and jcstress allows no checked exceptions.
    interface Waiting {
        void run() throws InterruptedException;
    }

    static void uninterrupted(Waiting body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
