package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Pool;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Waits that no thread can end any more: for a latch, a barrier, a queue, a future, a permit, a signal.
///
/// All code that could end them runs only as the body of threads. None of these is left, or each of them makes
/// no progress in such a wait itself. In the first case a thread has ended without doing its part. In the
/// second case they wait for each other, or the one that should have ended the wait is idle and has forgotten
/// it.
///
/// A wait that a handler or a hook ends looks the same from outside: a latch that keeps a server alive, for
/// example. That code may be called at any time, so nothing is claimed. Workers that wait for tasks are idle.
final class DeadWaits {

    /// A recording has at most so many classes. If it is full, other code may end the wait, too.
    private static final int CLASSES = 64;

    /// Methods that end the wait, for display.
    private static final int METHODS = 3;

    /// One thread that makes no progress.
    ///
    /// @param field the field with the object that it waits for; null if that is not known
    private record Waiter(
            GoroutineSample sample, WaitKind kind, @Nullable String field) {

        boolean isEndedBy(Use use) {
            return kind.isEnd(use) && use.mayBeOf(field);
        }

        boolean isSameWait(Use use) {
            return kind.isWait(use) && use.mayBeOf(field);
        }

        String group() {
            return kind + " at " + sample.place();
        }
    }

    private final Observation seen;
    private final CodeReader code;
    private final ThreadBodies bodies;
    private final Map<GoroutineSample, Set<Use>> ahead = new HashMap<>();

    private DeadWaits(Observation seen) {
        this.seen = seen;
        this.code = new CodeReader(seen.classes());
        this.bodies = new ThreadBodies(code);
    }

    /// A finding of the cause deadlock or lost-tasks.
    static Optional<Finding> in(Observation seen) {
        Standing standing = Standing.in(seen);
        if (standing.threads().isEmpty()
                || seen.classes().size() >= CLASSES
                || !seen.dumps().getLast().complete()
                || seen.dumps().getLast().pools().stream().anyMatch(DeadWaits::mayStartTasks)) {
            return Optional.empty();
        }
        return new DeadWaits(seen).check(standing);
    }

    /// Whether tasks are queued, or come later by a timer.
    private static boolean mayStartTasks(Pool pool) {
        return pool.queued() != 0 || pool.lateMillis() >= 0;
    }

    private Optional<Finding> check(Standing standing) {
        Map<Long, Waiter> dead = new LinkedHashMap<>();
        standing.threads()
                .forEach((id, sample) -> WaitKind.of(sample)
                        .map(kind -> new Waiter(sample, kind, fieldOf(sample, kind)))
                        .filter(this::areEndsKnown)
                        .ifPresent(it -> dead.put(id, it)));
        removeThoseThatOthersMayEnd(dead);
        if (dead.isEmpty()) {
            return Optional.empty(); // before all threads of all dumps are looked at
        }
        Set<String> passed = placesThatThreadsPass(standing);
        dead.values().removeIf(it -> passed.contains(it.group()));
        Map<String, List<Waiter>> groups = dead.values().stream()
                .filter(it -> isStuck(it, dead))
                .collect(Collectors.groupingBy(Waiter::group, LinkedHashMap::new, Collectors.toList()));
        return groups.values().stream()
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .map(it -> finding(it, dead));
    }

    /// Where a thread waits that has run meanwhile, so something ends such waits: a queue may serve the last
    /// waiter first, and then the others make no progress beside it.
    private Set<String> placesThatThreadsPass(Standing standing) {
        Set<String> passed = new HashSet<>();
        for (Dump dump : seen.dumps()) {
            for (GoroutineStats thread : dump.goroutines()) {
                if (!standing.has(thread.id())) {
                    GoroutineSample sample = GoroutineSample.of(thread);
                    WaitKind.of(sample).ifPresent(kind -> passed.add(new Waiter(sample, kind, null).group()));
                }
            }
        }
        return passed;
    }

    /// The field with the object that the waiter's own code waits for.
    private @Nullable String fieldOf(GoroutineSample waiter, WaitKind kind) {
        Frame top = waiter.usersTop();
        String field = null;
        for (Use use : top == null ? List.<Use>of() : new CodePosition(code, top).here()) {
            field = kind.isWait(use) ? use.field() : field;
        }
        return field;
    }

    /// Whether all code that could end the wait is known, and runs only in threads of the program.
    private boolean areEndsKnown(Waiter waiter) {
        boolean isAsynchronous = waiter.kind == WaitKind.FUTURE
                && code.anyCall(
                        it -> it.method().endsWith("Async") || it.method().contains("Timeout"));
        List<ThreadBodies.Method> enders = bodies.callers(waiter::isEndedBy);
        return !isAsynchronous && !enders.isEmpty() && enders.stream().allMatch(bodies::isBody);
    }

    /// Leaves only waits that none but their own members could end.
    private void removeThoseThatOthersMayEnd(Map<Long, Waiter> dead) {
        Map<Long, GoroutineStats> all = Locks.byId(lastDump());
        boolean isChanged = true;
        while (isChanged) {
            Set<Use> possible = new HashSet<>();
            boolean anyCode = false; // of a thread that has not begun, or whose stack is not known
            for (GoroutineStats thread : all.values()) {
                if (!dead.containsKey(thread.id())) {
                    anyCode |= thread.stack().isEmpty();
                    possible.addAll(aheadOf(GoroutineSample.of(thread)));
                }
            }
            boolean any = anyCode;
            isChanged = dead.values().removeIf(it -> any || possible.stream().anyMatch(it::isEndedBy));
        }
    }

    private Dump lastDump() {
        return seen.dumps().getLast();
    }

    private Set<Use> aheadOf(GoroutineSample thread) {
        return ahead.computeIfAbsent(thread, _ -> {
            Set<Use> uses = new HashSet<>();
            thread.frames().stream()
                    .filter(Frame::isUsers)
                    .forEach(it -> uses.addAll(new CodePosition(code, it).ahead()));
            return uses;
        });
    }

    /// Whether the waiter is stuck, and not a worker without a task, nor a waiter for permits that another
    /// has lost.
    private boolean isStuck(Waiter waiter, Map<Long, Waiter> dead) {
        return switch (waiter.kind) {
            case TAKE, RECEIVE, SEND, SEMAPHORE -> isHoldAndWait(waiter, dead) || waiter.kind == WaitKind.SEND;
            case MONITOR, CONDITION, PARK -> !couldEnd(waiter, dead) && !isInWorkersLoop(waiter.sample);
            default -> true;
        };
    }

    /// Whether the waiter's code waits again and again: a worker does.
    private boolean isInWorkersLoop(GoroutineSample waiter) {
        return waiter.frames().stream()
                .filter(Frame::isUsers)
                .skip(1) // the method with the wait has a loop for its condition
                .anyMatch(it -> new CodePosition(code, it).isInLoop());
    }

    /// Whether a thread that makes no progress holds what the waiter waits for.
    private boolean isHoldAndWait(Waiter waiter, Map<Long, Waiter> dead) {
        return waiter.kind.isPermit()
                && dead.values().stream()
                        .anyMatch(holder -> holder.sample.frames().stream()
                                .filter(Frame::isUsers)
                                .anyMatch(frame -> mayHold(new CodePosition(code, frame), waiter)));
    }

    /// Whether a thread at this place holds what the waiter waits for. Entries that are taken in a loop may be work;
    /// permits are held.
    private static boolean mayHold(CodePosition position, Waiter waiter) {
        return position.holds(waiter::isSameWait, waiter::isEndedBy)
                || (waiter.kind == WaitKind.SEMAPHORE && position.gathers(waiter::isSameWait, waiter::isEndedBy));
    }

    /// Whether another thread that makes no progress would end this wait if it went on.
    private boolean couldEnd(Waiter waiter, Map<Long, Waiter> dead) {
        return dead.values().stream()
                .anyMatch(it -> it != waiter && aheadOf(it.sample).stream().anyMatch(waiter::isEndedBy));
    }

    private Finding finding(List<Waiter> group, Map<Long, Waiter> dead) {
        Waiter one = group.getFirst();
        String what = one.field == null ? "" : ", which is in " + one.field;
        String who = "%d %s at %s (%s%s)"
                .formatted(
                        group.size(),
                        group.size() == 1 ? "thread waits" : "threads wait",
                        one.sample.place(),
                        calledBy(one.sample),
                        what);
        String since = "none of them ran in %.1f s or more".formatted(Standing.leastSeconds(seen));
        String methods = bodies.callers(one::isEndedBy).stream()
                .limit(METHODS)
                .map(it -> it.className() + "." + it.name())
                .collect(Collectors.joining(", "));
        boolean isHoldAndWait = isHoldAndWait(one, dead);
        boolean isCircle = !one.kind.isMutual() && (isHoldAndWait || couldEndUnlessIdle(one, dead));
        return isCircle
                ? circle(one, who, since, methods, dead, isHoldAndWait)
                : lost(one, who, since, methods, couldEnd(one, dead));
    }

    /// The same as [#couldEnd], by a thread that does not just wait for work.
    private boolean couldEndUnlessIdle(Waiter waiter, Map<Long, Waiter> dead) {
        return dead.values().stream()
                .filter(it -> !it.kind.isForWork())
                .anyMatch(it -> it != waiter && aheadOf(it.sample).stream().anyMatch(waiter::isEndedBy));
    }

    private Finding circle(
            Waiter one, String who, String since, String methods, Map<Long, Waiter> dead, boolean isHoldAndWait) {
        Waiter other = dead.values().stream()
                .filter(it -> it != one && !it.group().equals(one.group()))
                .filter(it -> aheadOf(it.sample).stream().anyMatch(one::isEndedBy))
                .findFirst()
                .orElse(one);
        String others = other == one
                ? "the threads that would end this wait (in %s) are among them: each holds one and waits for another"
                        .formatted(methods)
                : "the threads that would end this wait (in %s) make no progress themselves, at %s (%s)"
                        .formatted(methods, other.sample.place(), calledBy(other.sample));
        Finding finding = Finding.of(Cause.DEADLOCK, who, others, since).at(one.sample);
        return finding.toDo(
                isHoldAndWait
                        ? "Do not take a second one at %s while the first is held: give the first back before, use it for both, or take both at once (acquire(2)). If they are different ones, take them in the same order everywhere."
                                .formatted(one.sample.place())
                        : "Break the circle at %s: a queue without a bound or offer with a timeout on one of the two ways, or a thread of its own for one direction."
                                .formatted(one.sample.place()));
    }

    private static Finding lost(Waiter one, String who, String since, String methods, boolean isIdle) {
        String left = one.kind.isMutual()
                ? "none of them is left but the waiters: a party is missing"
                : isIdle
                        ? "those that are left are idle and wait for work: they have forgotten this one"
                        : "none of them is left to do it";
        return Finding.of(
                        Cause.LOST_TASKS,
                        who,
                        "only threads that the program starts would end this wait (%s), and %s"
                                .formatted(methods, left),
                        since)
                .at(one.sample)
                .toDo(remedy(one, methods));
    }

    private static String remedy(Waiter one, String methods) {
        String place = one.sample.place();
        return switch (one.kind) {
            case BARRIER, PHASER, EXCHANGER ->
                "A party has ended, by an exception for example, or was never started: compare the number of parties with the number of threads that come to %s, call reset, arriveAndDeregister or forceTermination in a finally block of each party, and wait with a timeout."
                        .formatted(place);
            case PUT, SEND ->
                "The consumer has ended, by an exception for example: catch exceptions inside its loop (%s) and start it again when it ends. At %s use offer with a timeout, so that producers notice."
                        .formatted(methods, place);
            case MONITOR, CONDITION ->
                "The signal (%s) came before the wait, or its thread has ended: check the condition under the same lock as the wait at %s, in a while loop, and set it under that lock before notifyAll; or use a CountDownLatch, which remembers."
                        .formatted(methods, place);
            case PARK ->
                "Park at %s in a loop that reads the state before each park, and call unpark (%s) after the state is set, with the thread that waits now: an unpark of another thread, or before the thread is known, wakes none. Or use a CountDownLatch or a CompletableFuture, which remember."
                        .formatted(place, methods);
            case FUTURE ->
                "Complete the future on every path (%s), also exceptionally, and wait at %s with a timeout (orTimeout, get with a time)."
                        .formatted(methods, place);
            case LATCH, GROUP, SEMAPHORE, TAKE, RECEIVE ->
                Cause.LOST_TASKS.remedyForThreads() + " The call is in " + methods + ".";
        };
    }

    /// The call of the JDK's or of Heddle's in which the thread waits.
    private static String calledBy(GoroutineSample waiter) {
        List<Frame> frames = waiter.frames();
        for (int i = 1; i < frames.size(); i++) {
            if (frames.get(i).isUsers()) {
                Frame called = frames.get(i - 1);
                return called.className().substring(called.className().lastIndexOf('.') + 1) + "." + called.method();
            }
        }
        return waiter.doing();
    }
}
