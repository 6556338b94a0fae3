package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import java.lang.classfile.ClassModel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A ring buffer written for one thread, used by several goroutines that were busy at the same time.
///
/// Lost and duplicated tasks leave no trace in a scheduler, but the code shows the bug. [RingScan] recognises it,
/// narrowly on purpose. A ring for one thread has no use for a method that moves entries to another ring.
final class RacyQueueRule implements Rule {

    @Override
    public Cause cause() {
        return Cause.RACY_QUEUE;
    }

    @Override
    public boolean needsWarmth() {
        return false;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        for (ClassModel model : code.classes()) {
            RingScan ring = RingScan.of(model);
            if (!ring.isPlainRing()) {
                continue;
            }
            Map<Frame, Boolean> reaches = new HashMap<>();
            for (Dump dump : seen.dumps()) {
                Set<Long> users = new HashSet<>();
                GoroutineSample one = null;
                for (GoroutineSample sighting :
                        dump.goroutines().stream().map(GoroutineSample::of).toList()) {
                    if (sighting.isBusy() && uses(sighting, ring.className(), code, reaches)) {
                        users.add(sighting.goroutine().id());
                        one = sighting;
                    }
                }
                if (users.size() >= 2 && one != null) {
                    return Optional.of(finding(ring, users, one));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean uses(
            GoroutineSample sighting, String className, CodeReader code, Map<Frame, Boolean> reaches) {
        for (Frame frame : sighting.frames()) {
            if (frame.className().equals(className)) {
                return true;
            }
        }
        @Nullable Frame top = sighting.usersTop();
        if (top == null) {
            return false;
        }
        for (Frame frame : sighting.frames()) {
            if (frame.isUsers() && reaches.computeIfAbsent(frame, it -> code.reaches(it, className))) {
                return true;
            }
        }
        return false;
    }

    private static Finding finding(RingScan ring, Set<Long> users, GoroutineSample one) {
        return Finding.of(
                        Cause.RACY_QUEUE,
                        "%s indexes a ring by the plain fields %s, moves entries to other rings, and nothing in it synchronizes"
                                .formatted(ring.className(), String.join(" and ", ring.indexes())),
                        "%d goroutines that use it were busy at the same moment".formatted(users.size()))
                .at(one);
    }
}
