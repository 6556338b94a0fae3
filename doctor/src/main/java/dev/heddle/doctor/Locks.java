package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Lock information in dumps.
final class Locks {

    /// Reasons of waits that the owner of a lock ends, as Go names them.
    private static final Set<String> REASONS = Set.of("sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock");

    private Locks() {}

    /// The goroutines and platform threads of a dump.
    static Map<Long, GoroutineStats> byId(Dump dump) {
        Map<Long, GoroutineStats> found = new HashMap<>();
        dump.platform().forEach(it -> found.put(it.id(), it));
        dump.goroutines().forEach(it -> found.put(it.id(), it));
        return found;
    }

    /// The owners of locks, each read at the same moment as the owner's stack: a lock of
    /// `java.util.concurrent` by its owner, a monitor by the thread that holds it.
    static Map<String, Long> owners(Dump dump) {
        Map<String, Long> owners = new HashMap<>();
        byId(dump).values().forEach(thread -> {
            boolean waitsOnUnknown = thread.blocker() == null && "sync.Cond.Wait".equals(thread.waitReason());
            for (String monitor : waitsOnUnknown ? List.<String>of() : thread.monitors()) {
                if (!monitor.equals(thread.blocker())) { // Object.wait has released it
                    owners.put(monitor, thread.id());
                }
            }
        });
        for (Blocker blocker : dump.blockers()) {
            if (blocker.owner() != 0) {
                owners.put(blocker.id(), blocker.owner());
            }
        }
        return owners;
    }

    /// Whether the goroutine waits for a lock: one with an owner, or a monitor. A pinned goroutine that waits
    /// for a lock blocks its carrier.
    static boolean isLockWait(GoroutineStats goroutine) {
        return goroutine.owner() != 0
                || goroutine.state() == GoroutineState.PINNED
                || (goroutine.blocker() != null
                        && goroutine.blocker().startsWith("java.util.concurrent.locks.StampedLock@"))
                || (goroutine.waitReason() != null && REASONS.contains(goroutine.waitReason()));
    }
}
