package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Synchronizers;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Collects what the threads of one dump wait for, and which owners of locks are certain.
///
/// The pictures of a dump are taken one after the other. So a thread that owned a lock when its waiter was pictured may
/// have released the lock before its own picture. An owner counts as certain only if it held the lock at the moment of
/// its own picture.
final class Blockers {

    /// Enough for the places at which a program can be stuck.
    private static final int LIMIT = 256;

    /// Threads in the line of one synchronizer.
    private static final int LINE = 256;

    private final Map<Object, @Nullable Thread> certainOwners = new IdentityHashMap<>();

    /// Notes that a thread waits for this object; does nothing if the object is no synchronizer of the JDK.
    void add(@Nullable Object blocker) {
        if (blocker != null && certainOwners.size() < LIMIT && Synchronizers.typeOf(blocker) != null) {
            certainOwners.putIfAbsent(blocker, null);
        }
    }

    /// The threads that own locks for which others wait, with these locks.
    Map<Thread, List<Object>> owners() {
        Map<Thread, List<Object>> owners = new IdentityHashMap<>();
        for (Object lock : certainOwners.keySet()) {
            Thread owner = Synchronizers.ownerOf(lock);
            if (owner != null) {
                owners.computeIfAbsent(owner, _ -> new ArrayList<>()).add(lock);
            }
        }
        return owners;
    }

    /// Notes that `owner` held these locks at the moment of its picture.
    void confirm(Thread owner, List<Object> locks) {
        locks.forEach(it -> certainOwners.put(it, owner));
    }

    List<Blocker> read() {
        List<Blocker> blockers = new ArrayList<>();
        certainOwners.forEach((blocker, owner) -> blockers.add(new Blocker(
                identity(blocker),
                Objects.requireNonNull(Synchronizers.typeOf(blocker)).getName(),
                Synchronizers.valueOf(blocker),
                owner == null ? 0 : owner.threadId(),
                Synchronizers.lineOf(blocker, LINE).stream()
                        .map(it -> new Blocker.Place(it.thread().threadId(), it.number()))
                        .toList())));
        return blockers;
    }

    /// `class@hash`, as [Object#toString]. Never calls the object's own `toString`, which is user code.
    static String identity(Object object) {
        return object.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(object));
    }
}
