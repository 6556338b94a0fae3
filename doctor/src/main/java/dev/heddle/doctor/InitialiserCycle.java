package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A deadlock of static initialisers: two classes need each other, and two threads began with different ones. The JVM
/// lets one thread initialise a class and makes all others wait, and knows of no cycle.
///
/// The JVM shows no lock for such a wait. So three facts have to hold. A thread is inside `<clinit>` of one class. The
/// line at which it is refers to another class, whose `<clinit>` is on the stack of the next thread of the cycle. And
/// none of their stacks changed in any dump.
final class InitialiserCycle {

    /// A slow initialiser may show the same stack twice.
    private static final int DUMPS = 4;

    private static final String INITIALISER = "<clinit>";

    /// A thread that runs a static initialiser.
    ///
    /// @param sample       the thread
    /// @param initialises  the classes whose initialisers are on its stack
    /// @param wants        the classes to which the line refers at which it is
    private record Initialising(GoroutineSample sample, Set<String> initialises, Set<String> wants) {

        boolean waitsFor(Initialising other) {
            return other != this && wants.stream().anyMatch(other.initialises::contains);
        }

        /// The class that it waits for.
        String wantedOf(Initialising other) {
            return wants.stream()
                    .filter(other.initialises::contains)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private InitialiserCycle() {}

    static Optional<Finding> in(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < DUMPS) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        Map<Long, Initialising> all = new TreeMap<>();
        Locks.byId(dumps.getLast()).forEach((id, thread) -> {
            GoroutineSample sample = GoroutineSample.of(thread);
            Set<String> classes = sample.frames().stream()
                    .filter(it -> it.method().equals(INITIALISER))
                    .map(Frame::className)
                    .collect(Collectors.toSet());
            if (!classes.isEmpty() && isStill(thread, dumps)) {
                all.put(id, new Initialising(sample, classes, wantedBy(sample, code)));
            }
        });
        for (Initialising start : all.values()) {
            Set<Initialising> path = new LinkedHashSet<>();
            Optional<Initialising> at = Optional.of(start);
            while (at.isPresent() && path.add(at.get())) {
                Initialising now = at.get();
                at = all.values().stream().filter(now::waitsFor).findFirst();
            }
            if (at.isPresent() && at.get() == start) {
                return Optional.of(finding(List.copyOf(path), dumps, seen, code));
            }
        }
        return Optional.empty();
    }

    /// Whether the thread has the same frames in all dumps.
    private static boolean isStill(GoroutineStats thread, List<Dump> dumps) {
        return dumps.stream().allMatch(dump -> {
            GoroutineStats then = Locks.byId(dump).get(thread.id());
            return then != null && then.stack().equals(thread.stack());
        });
    }

    /// The classes that the innermost line refers to. The JVM shows no frame for its own wait.
    private static Set<String> wantedBy(GoroutineSample sample, CodeReader code) {
        Frame top = sample.frames().isEmpty() ? null : sample.frames().getFirst();
        return top == null || !top.isUsers() ? Set.of() : new CodePosition(code, top).classesNeeded();
    }

    private static Finding finding(List<Initialising> cycle, List<Dump> dumps, Observation seen, CodeReader code) {
        List<String> evidence = new ArrayList<>();
        Map<String, Integer> places = new HashMap<>();
        Set<String> classes = new LinkedHashSet<>();
        for (int i = 0; i < cycle.size(); i++) {
            Initialising one = cycle.get(i);
            Initialising next = cycle.get((i + 1) % cycle.size());
            String wanted = one.wantedOf(next);
            classes.add(wanted);
            evidence.add("%s initialises %s and waits at %s until %s is initialised"
                    .formatted(
                            DeadlockRule.nameOf(one.sample.goroutine()),
                            String.join(", ", one.initialises),
                            one.sample.place(),
                            wanted));
        }
        for (GoroutineStats thread : Locks.byId(dumps.getLast()).values()) {
            GoroutineSample sample = GoroutineSample.of(thread);
            if (cycle.stream().noneMatch(it -> it.sample.goroutine().id() == thread.id())
                    && isStill(thread, dumps)
                    && wantedBy(sample, code).stream().anyMatch(classes::contains)) {
                places.merge(sample.place(), 1, Integer::sum);
            }
        }
        places.forEach((place, threads) ->
                evidence.add("%d more threads wait for these classes, at %s".formatted(threads, place)));
        evidence.add("none of their stacks changed in %.1f s, and each keeps its carrier".formatted(seen.seconds()));
        String names = String.join(" and ", classes);
        return new Finding(Cause.DEADLOCK, evidence, 0, List.of())
                .at(cycle.getFirst().sample)
                .toDo(
                        "The static initialisers of %s need each other: break the cycle. Let one of them not use the other class, and read what it needs at its first use instead (a method, or a holder class). As a stopgap initialise one of them before the threads start (Class.forName in main)."
                                .formatted(names));
    }
}
