package dev.heddle.trace;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The goroutines that live during a replay, by what events name them with: a thread, or the number of a goroutine
/// that has no thread yet.
final class Goroutines {

    private final Map<Long, Goroutine> byThread = new HashMap<>();
    private final Map<Long, Goroutine> byNumber = new HashMap<>();

    /// Those that were there before the window and have neither a thread nor a number, by their ids.
    private final Map<Long, Goroutine> unnumbered = new HashMap<>();

    /// The id of the last goroutine without a number that started.
    private long lastUnnumbered = Goroutine.FIRST_UNNUMBERED;

    /// @param unnumberedBefore how many goroutines without a number started before the window
    void begin(long unnumberedBefore) {
        lastUnnumbered = Goroutine.FIRST_UNNUMBERED + unnumberedBefore;
    }

    /// Adds one that was there before the window.
    void addEarlier(Goroutine goroutine) {
        if (goroutine.thread != 0) {
            byThread.put(goroutine.thread, goroutine);
        } else if (goroutine.id() >= Goroutine.FIRST_UNNUMBERED) {
            unnumbered.put(goroutine.id(), goroutine);
        } else {
            byNumber.put(goroutine.id() - Goroutine.FIRST_NUMBERED, goroutine);
        }
    }

    /// Adds a new virtual thread.
    Goroutine createThread(long thread) throws Contradiction {
        return add(byThread, thread, new Goroutine(thread));
    }

    /// Adds a new goroutine that has no thread yet.
    Goroutine create(long number) throws Contradiction {
        return add(byNumber, number, new Goroutine(Goroutine.FIRST_NUMBERED + number));
    }

    private static Goroutine add(Map<Long, Goroutine> map, long key, Goroutine goroutine) throws Contradiction {
        if (map.putIfAbsent(key, goroutine) != null) {
            throw new Contradiction(goroutine.label() + " exists already");
        }
        return goroutine;
    }

    /// The goroutine that that thread means; null if there is none.
    @Nullable
    Goroutine of(long thread) {
        return byThread.get(thread);
    }

    /// A fresh goroutine gets its thread.
    ///
    /// @param number 0: it has none
    Goroutine join(long number, long thread) throws Contradiction {
        Goroutine goroutine = number == 0 ? unnumbered.remove(++lastUnnumbered) : byNumber.remove(number);
        if (goroutine == null) {
            throw new Contradiction("goroutine " + number + " was never created, or runs already");
        }
        Goroutine before = byThread.put(thread, goroutine);
        if (before != null) {
            throw new Contradiction("thread " + thread + " still runs " + before.label());
        }
        goroutine.thread = thread;
        return goroutine;
    }

    /// Removes one that has a thread.
    void remove(Goroutine goroutine) {
        byThread.remove(goroutine.thread);
    }

    /// All of them, in the order of their ids.
    Collection<Goroutine> all() {
        Map<Long, Goroutine> all = new TreeMap<>();
        byThread.values().forEach(it -> all.put(it.id(), it));
        byNumber.values().forEach(it -> all.put(it.id(), it));
        all.putAll(unnumbered);
        return Collections.unmodifiableCollection(all.values());
    }

    int size() {
        return byThread.size() + byNumber.size() + unnumbered.size();
    }

    /// Says of a goroutine what it does, for a contradiction.
    ///
    /// @param goroutine null: a thread means none
    static String describe(@Nullable Goroutine goroutine) {
        if (goroutine == null) {
            return "that thread has ended";
        }
        Machine machine = goroutine.machine;
        return goroutine.label() + " is " + goroutine.state + (machine == null ? "" : " on " + machine);
    }
}
