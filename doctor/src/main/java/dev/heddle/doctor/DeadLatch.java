package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Pool;
import dev.heddle.stats.GoroutineStats;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A latch that no thread can count down any more. All code that counts down runs only as the body of threads that the
/// program starts, and none of these is left: one has ended without counting down.
///
/// A latch that keeps a server alive until it is stopped looks the same from outside. But the code that counts it down
/// is a handler or a hook, which may be called at any time.
final class DeadLatch {

    private static final String LATCH = "java.util.concurrent.CountDownLatch";

    private static final int DUMPS = 4;

    /// A recording has at most so many classes. If it is full, others may count down, too.
    private static final int CLASSES = 64;

    /// Methods that count down, for display.
    private static final int METHODS = 3;

    private DeadLatch() {}

    static Optional<Finding> in(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < DUMPS
                || seen.classes().size() >= CLASSES
                || !dumps.stream().allMatch(Dump::complete)) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        for (Blocker latch : dumps.getLast().blockers()) {
            if (latch.type().equals(LATCH) && latch.value() > 0 && isFrozen(latch, dumps)) {
                Optional<Finding> finding = check(latch, seen, code);
                if (finding.isPresent()) {
                    return finding;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Finding> check(Blocker latch, Observation seen, CodeReader code) {
        Dump now = seen.dumps().getLast();
        Set<Long> waiters = new HashSet<>();
        latch.line().forEach(it -> waiters.add(it.thread()));
        ThreadBodies bodies = new ThreadBodies(code);
        List<ThreadBodies.Method> counters = bodies.callersOf(LATCH, "countDown");
        if (counters.isEmpty()
                || !counters.stream().allMatch(bodies::isBody)
                || now.pools().stream().mapToLong(Pool::queued).anyMatch(it -> it != 0)) {
            return Optional.empty();
        }
        Map<Long, GoroutineStats> byId = Locks.byId(now);
        boolean couldCount = byId.values().stream()
                .filter(it -> !waiters.contains(it.id()))
                .anyMatch(it -> couldCount(GoroutineSample.of(it), code));
        return couldCount
                ? Optional.empty()
                : byId.values().stream()
                        .filter(it -> waiters.contains(it.id()))
                        .map(GoroutineSample::of)
                        .filter(DeadLatch::waitsWithoutTimeout)
                        .findFirst()
                        .map(it -> finding(it, latch, counters, seen));
    }

    /// Whether the latch had this count in all dumps, and one thread was in the same wait for it.
    private static boolean isFrozen(Blocker latch, List<Dump> dumps) {
        Set<Blocker.Place> always = new HashSet<>(latch.line());
        for (Dump dump : dumps) {
            Optional<Blocker> then = dump.blockers().stream()
                    .filter(it -> it.id().equals(latch.id()) && it.value() == latch.value())
                    .findFirst();
            always.retainAll(then.map(Blocker::line).orElse(List.of()));
        }
        return !always.isEmpty();
    }

    /// Whether the thread has not begun, or is in a method from which it may come to count down.
    private static boolean couldCount(GoroutineSample thread, CodeReader code) {
        return thread.frames().isEmpty()
                || thread.frames().stream()
                        .filter(Frame::isUsers)
                        .anyMatch(frame -> code.calls(frame).stream()
                                .anyMatch(it ->
                                        it.owner().equals(LATCH) && it.method().equals("countDown")));
    }

    private static boolean waitsWithoutTimeout(GoroutineSample waiter) {
        return waiter.isIn(LATCH, "await")
                && waiter.isIn("java.util.concurrent.locks.AbstractQueuedSynchronizer", "acquireSharedInterruptibly");
    }

    private static Finding finding(
            GoroutineSample waiter, Blocker latch, List<ThreadBodies.Method> counters, Observation seen) {
        String methods = counters.stream()
                .limit(METHODS)
                .map(it -> it.className() + "." + it.name())
                .collect(Collectors.joining(", "));
        return Finding.of(
                        Cause.LOST_TASKS,
                        "goroutine %d waits at %s for a latch with a count of %d; nothing changed in %.1f s"
                                .formatted(waiter.goroutine().id(), waiter.place(), latch.value(), seen.seconds()),
                        "only threads that the program starts count down (%s), and none of them is left"
                                .formatted(methods))
                .at(waiter)
                .toDo(Cause.LOST_TASKS.remedyForThreads() + " The call is in " + methods + ".");
    }
}
