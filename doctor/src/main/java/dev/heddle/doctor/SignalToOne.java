package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A state that lets all waiters go on, and a signal that wakes only one of them.
///
/// Which waiter of a signal takes something shows its code: it changes the state, for example by taking an entry. A
/// method that only reads the state until it is right takes nothing, so the state is right for all that wait there. If
/// the program only calls `signal` or `notify` for it, one goes on, and the others wait until the next change.
///
/// A group in which a single thread is meant to wake looks the same, so the rule asks for one that has been woken: a
/// thread with the same task as the waiters goes on.
final class SignalToOne {

    /// Threads that were not woken.
    private static final int WAITERS = 2;

    /// A recording has at most so many classes. If it is full, other code may wake all.
    private static final int CLASSES = 64;

    private static final Set<String> ONE = Set.of("signal", "notify");
    private static final Set<String> ALL = Set.of("signalAll", "notifyAll");

    private SignalToOne() {}

    /// A finding of the cause lost-wake-up.
    static Optional<Finding> in(Observation seen, CodeReader code) {
        Standing standing = Standing.in(seen);
        if (seen.classes().size() >= CLASSES) {
            return Optional.empty();
        }
        Map<String, List<GoroutineSample>> groups = new TreeMap<>();
        for (GoroutineSample waiter : standing.threads().values()) {
            if (WaitKind.of(waiter).filter(SignalToOne::isSignalled).isPresent()) {
                groups.computeIfAbsent(waiter.place(), _ -> new ArrayList<>()).add(waiter);
            }
        }
        return groups.values().stream()
                .filter(it -> it.size() >= WAITERS)
                .filter(it -> onlyWatches(it.getFirst(), code) && isAnyOfThemAwake(it.getFirst(), standing, seen))
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .flatMap(it -> finding(it, seen, code));
    }

    private static boolean isSignalled(WaitKind kind) {
        return kind == WaitKind.CONDITION || kind == WaitKind.MONITOR;
    }

    /// Whether the waiting method only reads the state, and its caller holds no lock under which it could take
    /// something.
    private static boolean onlyWatches(GoroutineSample waiter, CodeReader code) {
        List<Frame> users = waiter.users(2);
        return new WatchingMethod(code, users.getFirst()).onlyReads()
                && (users.size() < 2
                        || !(new CodePosition(code, users.get(1)).holds(HeldByCode::locks, HeldByCode::unlocks)
                                || new CodePosition(code, users.get(1)).isInMonitor(/* isTop= */ false)));
    }

    /// Whether a thread with the same task as the waiter has run in the meantime.
    private static boolean isAnyOfThemAwake(GoroutineSample waiter, Standing standing, Observation seen) {
        Frame task = waiter.usersBottom();
        Dump last = seen.dumps().getLast();
        return task != null
                && last.goroutines().stream()
                        .filter(it -> !standing.has(it.id()))
                        .map(GoroutineSample::of)
                        .map(GoroutineSample::usersBottom)
                        .anyMatch(it -> it != null && it.is(task.className(), task.method()));
    }

    private static Optional<Finding> finding(List<GoroutineSample> group, Observation seen, CodeReader code) {
        GoroutineSample one = group.getFirst();
        WaitKind kind = WaitKind.of(one).orElseThrow();
        ThreadBodies bodies = new ThreadBodies(code);
        String field = fieldOf(one, kind, code);
        List<ThreadBodies.Method> wakingOne = bodies.callers(it -> isCall(it, kind, ONE, field));
        if (wakingOne.isEmpty()
                || !bodies.callers(it -> isCall(it, kind, ALL, field)).isEmpty()) {
            return Optional.empty();
        }
        boolean wakesTheNext = wakingOne.stream().anyMatch(it -> isAhead(it, one, code));
        if (wakesTheNext) {
            return Optional.empty();
        }
        ThreadBodies.Method waking = wakingOne.getFirst();
        String signal = kind == WaitKind.CONDITION ? "signal" : "notify";
        return Optional.of(Finding.of(
                        Cause.LOST_WAKE_UP,
                        "%d threads make no progress at %s, though a thread with the same task goes on"
                                .formatted(group.size(), one.place()),
                        "they only read a state there and take nothing, so it is right for all of them; but %s.%s calls %s, which wakes one, and nothing calls %sAll"
                                .formatted(waking.className(), waking.name(), signal, signal),
                        "none of them ran in %.1f s or more".formatted(Standing.leastSeconds(seen)))
                .at(one)
                .toDo("Call %sAll instead of %s in %s.%s: every thread that waits at %s can go on then."
                        .formatted(signal, signal, waking.className(), waking.name(), one.place())));
    }

    private static String fieldOf(GoroutineSample waiter, WaitKind kind, CodeReader code) {
        return new CodePosition(code, waiter.users(1).getFirst())
                .here().stream()
                        .filter(it -> kind.isWait(it) && it.field() != null)
                        .map(it -> String.valueOf(it.field()))
                        .findFirst()
                        .orElse("");
    }

    private static boolean isCall(Use use, WaitKind kind, Set<String> methods, String field) {
        return kind.isEnd(use) && methods.contains(use.call().method()) && (field.isEmpty() || use.mayBeOf(field));
    }

    /// Whether the waiter itself comes to this method, and so wakes the next one.
    private static boolean isAhead(ThreadBodies.Method method, GoroutineSample waiter, CodeReader code) {
        return waiter.frames().stream()
                .filter(Frame::isUsers)
                .anyMatch(frame -> frame.is(method.className(), method.name())
                        || code.calls(frame).stream()
                                .anyMatch(it -> it.owner().equals(method.className())
                                        && it.method().equals(method.name())));
    }
}
