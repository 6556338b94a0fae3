package dev.heddle.cli.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// The pages that look at the dashboard now. The observed program is asked nothing while there are none.
///
/// A page says when it leaves. One that says nothing for a while has left as well: its browser was killed. The limit
/// is above a minute, because browsers let a page in the background work once a minute only.
final class Viewers {

    private static final long ABSENT_NANOS = TimeUnit.SECONDS.toNanos(90);

    /// Each page has a name of its own. More than a few of them are a mistake, or an attack.
    private static final int MOST = 100;

    private record Viewer(long seenNanos, String scheduler) {}

    private final LongSupplier nanoClock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Viewer> viewers = new HashMap<>(); // guarded by the lock
    private boolean isOver; // guarded by the lock

    Viewers(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// A page has asked for the figures of a scheduler.
    ///
    /// @throws IllegalArgumentException with one sentence, if there are too many pages
    void came(String name, String scheduler) {
        lock.lock();
        try {
            removeAbsent();
            if (viewers.size() >= MOST && !viewers.containsKey(name)) {
                throw new IllegalArgumentException(
                        "%d pages look at this dashboard, which is the limit.".formatted(MOST));
            }
            viewers.put(name, new Viewer(nanoClock.getAsLong(), scheduler));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void left(String name) {
        lock.lock();
        try {
            viewers.remove(name);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isAny() {
        lock.lock();
        try {
            removeAbsent();
            return !viewers.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// The schedulers that pages show.
    Set<String> schedulers() {
        lock.lock();
        try {
            removeAbsent();
            Set<String> names = new LinkedHashSet<>();
            viewers.values().forEach(it -> names.add(it.scheduler()));
            return names;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a page. False if the dashboard ends instead.
    boolean awaitAny() throws InterruptedException {
        lock.lock();
        try {
            while (!isOver && viewers.isEmpty()) {
                changed.await();
            }
            return !isOver;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until no page is left, but not longer than `limit`.
    void awaitNone(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (isAny() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for that time, or until the dashboard ends or the last page has left.
    void pause(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (!isOver && !viewers.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// The dashboard ends.
    void end() {
        lock.lock();
        try {
            isOver = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void removeAbsent() {
        long now = nanoClock.getAsLong();
        viewers.values().removeIf(it -> now - it.seenNanos() > ABSENT_NANOS);
    }
}
