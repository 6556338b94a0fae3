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

    /// The method with the wait, and its callers: one of them sends the question.
    private static final int CALLERS = 2;

    private static final Set<String> WRITES =
            Set.of("write", "print", "println", "writeObject", "writeInt", "writeUTF");

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
                        .at(it.getFirst())
                        .toDo(
                                "Complete the future of %s on every path, also for an answer that is an error, late or unknown (completeExceptionally), and limit the wait: orTimeout(5, TimeUnit.SECONDS), or get with a time."
                                        .formatted(it.getFirst().place())));
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
                .anyMatch(it -> completes(it, code)
                        && (hasTakenTheQuestionsOf(waiters, it, code) || hasHeardNothing(waiters, it, dump, code)));
    }

    /// Whether each waiter has sent a question, which an idle thread has taken or which went to a peer, and this idle
    /// thread waits for what comes back: no answer is under way.
    private static boolean hasHeardNothing(
            List<GoroutineSample> waiters, GoroutineSample idle, Dump dump, CodeReader code) {
        if (!isIdle(idle)) {
            return false;
        }
        List<Use> takes = Locks.byId(dump).values().stream()
                .map(GoroutineSample::of)
                .filter(StandingAnswers::isIdle)
                .flatMap(it -> takesOf(it, code).stream())
                .toList();
        return waiters.stream()
                .allMatch(waiter -> waiter.users(CALLERS).stream()
                        .flatMap(it -> new CodePosition(code, it).before().stream())
                        .anyMatch(it -> isWritten(it) || takes.stream().anyMatch(take -> isPutFor(it, take))));
    }

    /// The calls at which this idle thread waits for work. A loop over a channel has no call of its own to receive.
    private static List<Use> takesOf(GoroutineSample idle, CodeReader code) {
        Frame top = idle.usersTop();
        List<Use> takes = top == null
                ? List.of()
                : new CodePosition(code, top)
                        .here().stream()
                                .filter(it -> WaitKind.TAKE.isWait(it) || WaitKind.RECEIVE.isWait(it))
                                .toList();
        boolean isIterating = takes.isEmpty() && idle.waitsFor("chan receive");
        return isIterating ? List.of(new Use(new Call("dev.heddle.Chan", "receive", ""), null)) : takes;
    }

    private static boolean isPutFor(Use put, Use take) {
        WaitKind kind = WaitKind.TAKE.isWait(take) ? WaitKind.TAKE : WaitKind.RECEIVE;
        return kind.isEnd(put) && !put.call().method().equals("close") && put.mayBeOf(take.field());
    }

    private static boolean isWritten(Use use) {
        String owner = use.call().owner();
        boolean isStream =
                owner.endsWith("OutputStream") || owner.endsWith("Writer") || owner.endsWith("SocketChannel");
        return isStream && use.call().isLibrary() && WRITES.contains(use.call().method());
    }

    private static boolean isIdle(GoroutineSample thread) {
        return WaitKind.of(thread).filter(WaitKind::isForWork).isPresent()
                || thread.waitsFor("chan receive", "IO wait");
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
        return isAsync || thread.frames().isEmpty() || (!isIdle(thread) && completes(thread, code));
    }
}
