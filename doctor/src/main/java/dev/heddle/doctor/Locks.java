package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Lock information in dumps.
final class Locks {

    /// Reasons of waits that the owner of a lock ends, as Go names them.
    private static final Set<String> REASONS = Set.of("sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock");

    private Locks() {}

    static Map<Long, GoroutineStats> byId(Dump dump) {
        Map<Long, GoroutineStats> found = new HashMap<>();
        dump.goroutines().forEach(it -> found.put(it.id(), it));
        return found;
    }

    /// Whether the goroutine waits for a lock: one with an owner, or a monitor. A pinned goroutine that waits for a
    /// lock blocks its carrier.
    static boolean isLockWait(GoroutineStats goroutine) {
        return goroutine.owner() != 0
                || goroutine.state() == GoroutineState.PINNED
                || (goroutine.waitReason() != null && REASONS.contains(goroutine.waitReason()));
    }
}
