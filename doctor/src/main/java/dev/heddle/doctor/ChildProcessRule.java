package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Threads that wait without a limit for child processes that do not end.
///
/// A pipe has room for 64 KB. A child that writes more than that waits until the program reads, and a program that
/// waits for the end of the child before it reads waits for ever. The code shows the order of the two. A supervisor
/// that starts its children and waits for them all day reads nothing, and none of them comes and goes.
final class ChildProcessRule implements Rule {

    /// One may be a job that takes its time.
    private static final int WAITERS = 2;

    private static final Set<String> CLASSES = Set.of("java.lang.Process", "java.lang.ProcessImpl");

    private static final Set<String> READS = Set.of("getInputStream", "getErrorStream", "inputReader", "errorReader");

    /// After these, the program need not read.
    private static final Set<String> REDIRECTS = Set.of("inheritIO", "redirectOutput", "redirectError");

    @Override
    public Cause cause() {
        return Cause.CHILD_PROCESSES;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        Standing standing = Standing.in(seen);
        Map<String, List<GoroutineSample>> groups = new TreeMap<>();
        for (GoroutineSample waiter : standing.threads().values()) {
            if (waitsForChild(waiter)) {
                groups.computeIfAbsent(waiter.place(), _ -> new ArrayList<>()).add(waiter);
            }
        }
        CodeReader code = new CodeReader(seen.classes());
        return groups.values().stream()
                .filter(it -> it.size() >= WAITERS)
                .filter(it -> readsAfterwards(it.getFirst(), code) || othersPass(it, standing, seen))
                .max((a, b) -> Integer.compare(a.size(), b.size()))
                .map(it -> finding(it, readsAfterwards(it.getFirst(), code), seen));
    }

    private static boolean waitsForChild(GoroutineSample thread) {
        return thread.usersTop() != null
                && thread.frames().stream()
                        .anyMatch(it ->
                                CLASSES.contains(it.className()) && it.method().equals("waitFor"));
    }

    /// Whether the waiter reads the output of the child only behind this line.
    private static boolean readsAfterwards(GoroutineSample waiter, CodeReader code) {
        List<Frame> users = waiter.users(2);
        return users.stream().anyMatch(it -> new CodePosition(code, it).behind(ChildProcessRule::reads))
                && users.stream()
                        .noneMatch(it -> new CodePosition(code, it)
                                .hasCalled(use -> reads(use)
                                        || REDIRECTS.contains(use.call().method())));
    }

    private static boolean reads(Use use) {
        return CLASSES.contains(use.call().owner()) && READS.contains(use.call().method());
    }

    /// Whether other threads come to the place and leave it: the children mostly end, but these do not.
    private static boolean othersPass(List<GoroutineSample> waiters, Standing standing, Observation seen) {
        Set<Long> others = new HashSet<>();
        for (Dump dump : seen.dumps()) {
            for (GoroutineStats thread : Locks.byId(dump).values()) {
                if (!standing.has(thread.id())
                        && GoroutineSample.of(thread)
                                .place()
                                .equals(waiters.getFirst().place())) {
                    others.add(thread.id());
                }
            }
        }
        seen.dumps().getLast().goroutines().stream()
                .filter(it ->
                        GoroutineSample.of(it).place().equals(waiters.getFirst().place()))
                .forEach(it -> others.remove(it.id()));
        return !others.isEmpty();
    }

    private static Finding finding(List<GoroutineSample> waiters, boolean readsLater, Observation seen) {
        GoroutineSample one = waiters.getFirst();
        String order = readsLater
                ? "their output is read only after that: a child that writes more than its pipe holds (64 KB) waits for the reader, and the reader for the child"
                : "other children ended meanwhile; these do not, and nothing limits the wait";
        return Finding.of(
                        Cause.CHILD_PROCESSES,
                        "%d threads wait for the end of child processes at %s".formatted(waiters.size(), one.place()),
                        order,
                        "none of them ran in %.1f s or more".formatted(Standing.leastSeconds(seen)))
                .at(one)
                .toDo(
                        "Read the output while the child runs, before the waitFor at %s (redirectErrorStream(true), then getInputStream().readAllBytes()), or send it to a file (redirectOutput); close the child's input if it reads any; and wait with a limit: waitFor(10, TimeUnit.SECONDS), then destroyForcibly."
                                .formatted(one.place()));
    }
}
