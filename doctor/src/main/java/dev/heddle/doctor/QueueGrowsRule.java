package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.QueueStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A queue without a bound that only grows: its producers are faster than its consumers, and nothing makes them wait.
final class QueueGrowsRule implements Rule {

    /// Entries. A smaller growth is a burst that the consumers are about to work off.
    private static final long GROWN = 500;

    private static final double PER_SECOND = 100;

    /// A slower growth counts as well if it is steady: in each part of the time half of its fair share or
    /// more, and never a step back by more than a tenth of it. A burst is not.
    private static final long STEADY_GROWN = 100;

    private static final double STEADY_PER_SECOND = 20;

    private static final int STEADY_PARTS = 5;

    /// Growth relative to the length at the start: less is a fluctuation of a long queue.
    private static final double SHARE = 0.05;

    private static final int DUMPS = 3;
    private static final int PARTS = 2;

    /// Capacities above this are no bound: memory ends first.
    private static final long BOUND = 1_000_000;

    private static final Set<String> TAKING =
            Set.of("take", "poll", "pollFirst", "pollLast", "remove", "removeFirst", "drainTo", "takeFirst");

    /// Collections for one thread. They are queues between threads only if the program wakes or unlocks
    /// around them.
    private static final Set<String> PLAIN = Set.of("ArrayDeque", "LinkedList", "PriorityQueue");

    private static final Set<String> SHARING = Set.of("notify", "notifyAll", "signal", "signalAll", "unlock");

    /// A queue at two or more dumps.
    private record Growth(List<QueueStats> looks) {
        long by() {
            return looks.getLast().size() - looks.getFirst().size();
        }
    }

    @Override
    public Cause cause() {
        return Cause.QUEUE_GROWS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        Growth worst = null;
        for (Growth queue : queues(seen.dumps())) {
            if (isGrowing(queue, seen.seconds())
                    && isTakenFrom(queue.looks().getFirst(), code)
                    && (worst == null || queue.by() > worst.by())) {
                worst = queue;
            }
        }
        if (worst == null) {
            return Optional.empty();
        }
        QueueStats last = worst.looks().getLast();
        Finding finding = Finding.of(
                Cause.QUEUE_GROWS,
                "the %2$s in %1$s grew from %3$,d to %4$,d entries in %5$.1f s, by %6$,.0f a second, and has no bound"
                        .formatted(
                                last.holder(),
                                typeOf(last),
                                worst.looks().getFirst().size(),
                                last.size(),
                                seen.seconds(),
                                worst.by() / seen.seconds()),
                "%,d MB of heap in use at the begin, %,d MB at the end"
                        .formatted(seen.first().heapUsed() >> 20, seen.last().heapUsed() >> 20));
        return Optional.of(consumer(seen, code).map(finding::at).orElse(finding));
    }

    private static List<Growth> queues(List<Dump> dumps) {
        Map<String, List<QueueStats>> byId = new LinkedHashMap<>();
        for (Dump dump : dumps) {
            for (QueueStats queue : dump.surroundings().queues()) {
                byId.computeIfAbsent(queue.id(), _ -> new ArrayList<>()).add(queue);
            }
        }
        return byId.values().stream()
                .filter(it -> it.size() >= DUMPS)
                .map(Growth::new)
                .toList();
    }

    /// Delayed tasks are in a queue until their time comes: that is no backlog.
    private static boolean isGrowing(Growth queue, double seconds) {
        QueueStats first = queue.looks().getFirst();
        long grown = queue.by();
        return first.capacity() > BOUND
                && !typeOf(first).startsWith("Delay")
                && grown >= SHARE * first.size()
                && (isFast(queue, seconds) || isSteady(queue, seconds));
    }

    private static boolean isFast(Growth queue, double seconds) {
        return queue.by() >= GROWN && queue.by() >= PER_SECOND * seconds && growsThroughout(queue, PARTS, 5, 5);
    }

    private static boolean isSteady(Growth queue, double seconds) {
        return queue.by() >= STEADY_GROWN
                && queue.by() >= STEADY_PER_SECOND * seconds
                && queue.looks().size() > 2 * STEADY_PARTS
                && growsThroughout(queue, STEADY_PARTS, 2, 10);
    }

    /// Whether each part of the looks has its fair share of the growth, and the queue never became much
    /// shorter in between: consumers that work a burst off make it shorter.
    ///
    /// @param least the part of the fair share that is enough, as a divisor
    /// @param back  the part of it by which the queue may become shorter, as a divisor
    private static boolean growsThroughout(Growth queue, int parts, int least, int back) {
        List<QueueStats> looks = queue.looks();
        double fair = (double) queue.by() / parts;
        for (int i = 1; i < looks.size(); i++) {
            if (looks.get(i - 1).size() - looks.get(i).size() > Math.max(1, fair / back)) {
                return false;
            }
        }
        for (int part = 0; part < parts; part++) {
            long from = looks.get(part * (looks.size() - 1) / parts).size();
            long to = looks.get((part + 1) * (looks.size() - 1) / parts).size();
            if (to - from < fair / least) {
                return false;
            }
        }
        return true;
    }

    /// Whether something takes from the queue. Otherwise it is a list of results or a log that the program
    /// keeps.
    private static boolean isTakenFrom(QueueStats queue, CodeReader code) {
        return uses(queue, code, QueueGrowsRule::isTaking)
                && (!PLAIN.contains(typeOf(queue)) || uses(queue, code, it -> SHARING.contains(it.method())));
    }

    /// Whether the code that uses the queue makes such a call.
    private static boolean uses(QueueStats queue, CodeReader code, Predicate<Call> wanted) {
        return switch (queue.holder().split(" ", 2)[0]) {
            case "the" -> true; // of a pool, which takes
            case "a" -> code.anyCall(wanted); // captured by a task
            default -> code.anyCallBesides(queue.holder(), wanted);
        };
    }

    private static boolean isTaking(Call call) {
        return call.owner().startsWith("java.util.") && TAKING.contains(call.method());
    }

    /// A goroutine whose code takes from a queue: what it does meanwhile is what takes the time.
    private static Optional<GoroutineSample> consumer(Observation seen, CodeReader code) {
        return seen.dumps().getLast().goroutines().stream()
                .map(GoroutineSample::of)
                .filter(it -> it.frames().stream()
                        .anyMatch(frame ->
                                frame.isUsers() && code.ownCalls(frame).stream().anyMatch(QueueGrowsRule::isTaking)))
                .findFirst();
    }

    private static String typeOf(QueueStats queue) {
        String type = queue.id().substring(0, queue.id().indexOf('@'));
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }
}
