package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Many threads that make no progress at one place, each for an answer that the program itself should complete:
/// a `CompletableFuture` without a timeout.
///
/// Each of them has put its question into a queue. The thread that takes from this queue and completes the
/// futures is idle: it has taken all questions, and waits for the next one. So the answers are not slow; they
/// were forgotten.
///
/// A service in which clients wait for an event that is rare looks similar. But its clients ask no question, or
/// another method puts the event into the queue.
final class StandingAnswers {

    /// Fewer may wait for something rare.
    private static final int WAITERS = 8;

    private StandingAnswers() {}

    static Optional<Finding> in(Observation seen) {
        Standing standing = Standing.in(seen);
        Map<String, List<GoroutineSample>> groups = new HashMap<>();
        for (GoroutineSample waiter : standing.threads().values()) {
            if (waitsForAnswer(waiter)) {
                groups.computeIfAbsent(waiter.place(), _ -> new ArrayList<>()).add(waiter);
            }
        }
        CodeReader code = new CodeReader(seen.classes());
        return groups.values().stream()
                .filter(it -> it.size() >= WAITERS)
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .filter(it -> areForgotten(it, seen.dumps().getLast(), code))
                .map(it -> Finding.of(
                                Cause.LEAKED_GOROUTINES,
                                "%d goroutines wait at %s, each for an answer"
                                        .formatted(it.size(), it.getFirst().place()),
                                "all threads at that place did so for %.1f s or more, and the thread that takes their questions is idle"
                                        .formatted(Standing.leastSeconds(seen)))
                        .at(it.getFirst()));
    }

    private static boolean waitsForAnswer(GoroutineSample waiter) {
        return WaitKind.of(waiter).filter(it -> it == WaitKind.FUTURE).isPresent();
    }

    private static boolean areForgotten(List<GoroutineSample> waiters, Dump dump, CodeReader code) {
        if (dump.pools().stream().anyMatch(it -> it.queued() != 0 || !it.busy().isEmpty())) {
            return false;
        }
        Set<Long> standing = new HashSet<>();
        waiters.forEach(it -> standing.add(it.goroutine().id()));
        for (GoroutineStats thread : Locks.byId(dump).values()) {
            GoroutineSample sample = GoroutineSample.of(thread);
            boolean isAtPlace = sample.place().equals(waiters.getFirst().place());
            if (!standing.contains(thread.id()) && (isAtPlace || mayComplete(sample, code))) {
                return false;
            }
        }
        return Locks.byId(dump).values().stream()
                .map(GoroutineSample::of)
                .anyMatch(it -> completes(it, code) && hasTakenTheQuestionsOf(waiters, it, code));
    }

    /// Whether this idle thread waits at a queue, or a channel, that only the waiters fill.
    private static boolean hasTakenTheQuestionsOf(
            List<GoroutineSample> waiters, GoroutineSample idle, CodeReader code) {
        WaitKind kind = WaitKind.of(idle).filter(WaitKind::isForWork).orElse(null);
        Frame top = idle.usersTop();
        if (kind == null || top == null) {
            return false;
        }
        Set<String> queues = new HashSet<>();
        for (Use use : new CodePosition(code, top).here()) {
            if (kind.isWait(use) && use.field() != null) {
                queues.add(use.field());
            }
        }
        List<ThreadBodies.Method> askers =
                new ThreadBodies(code).callers(it -> kind.isEnd(it) && queues.contains(it.field()));
        return !askers.isEmpty()
                && waiters.stream()
                        .allMatch(waiter -> askers.stream().allMatch(it -> waiter.isIn(it.className(), it.name())));
    }

    private static boolean completes(GoroutineSample thread, CodeReader code) {
        return thread.frames().stream()
                .filter(Frame::isUsers)
                .anyMatch(
                        frame -> new CodePosition(code, frame).ahead().stream().anyMatch(WaitKind.FUTURE::isEnd));
    }

    /// Whether the thread works on an answer: it runs a task of a future, or code that completes one, and
    /// does not just wait for its own work.
    private static boolean mayComplete(GoroutineSample thread, CodeReader code) {
        boolean isAsync = thread.frames().stream()
                .anyMatch(it -> it.className().startsWith("java.util.concurrent.CompletableFuture$Async"));
        boolean isIdle = WaitKind.of(thread).filter(WaitKind::isForWork).isPresent();
        return isAsync || thread.frames().isEmpty() || (!isIdle && completes(thread, code));
    }
}
