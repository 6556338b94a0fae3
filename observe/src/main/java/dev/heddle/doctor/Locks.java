package dev.heddle.doctor;

import dev.heddle.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// What dumps say of locks.
final class Locks {

    /// Waits that the owner of a lock ends, in Go's words.
    private static final Set<String> REASONS = Set.of("sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock");

    private Locks() {}

    static Map<Long, GoroutineStats> byId(Dump dump) {
        Map<Long, GoroutineStats> found = new HashMap<>();
        dump.goroutines().forEach(it -> found.put(it.id(), it));
        return found;
    }

    /// Whether it wants a lock: one with an owner, or a monitor. A pinned one blocks its carrier for it.
    static boolean isLockWait(GoroutineStats goroutine) {
        return goroutine.owner() != 0
                || goroutine.state() == GoroutineState.SYSCALL
                || (goroutine.waitReason() != null && REASONS.contains(goroutine.waitReason()));
    }
}
