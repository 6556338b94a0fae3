package dev.heddle.doctor;

import dev.heddle.internal.observe.QueueStats;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A queue without a bound that only grows: its producers are faster than its consumers, and nothing makes them wait.
final class QueueGrowsRule implements Rule {

    /// Growth relative to the length at the start: less is a fluctuation of a long queue.
    private static final double SHARE = 0.05;

    /// Capacities above this are no bound: memory ends first.
    private static final long BOUND = 1_000_000;

    private static final Set<String> TAKING =
            Set.of("take", "poll", "pollFirst", "pollLast", "remove", "removeFirst", "drainTo", "takeFirst");

    /// Collections for one thread. They are queues between threads only if the program wakes or unlocks
    /// around them.
    private static final Set<String> PLAIN = Set.of("ArrayDeque", "LinkedList", "PriorityQueue");

    private static final Set<String> SHARING = Set.of("notify", "notifyAll", "signal", "signalAll", "unlock");

    /// A chain of futures is listed as a queue of this class.
    private static final String CHAIN = "CompletableFuture";

    private static final String CHAIN_CLASS = "java.util.concurrent." + CHAIN;

    @Override
    public Cause cause() {
        return Cause.QUEUE_GROWS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        CodeReader code = new CodeReader(seen.classes());
        QueueGrowth worst = null;
        for (QueueGrowth queue : QueueGrowth.in(seen.dumps())) {
            if (isGrowing(queue, seen.seconds())
                    && isTakenFrom(queue, code)
                    && (worst == null || queue.by() > worst.by())) {
                worst = queue;
            }
        }
        if (worst == null) {
            return Optional.empty();
        }
        if (worst.type().equals(CHAIN)) {
            return Optional.of(chain(worst, seen));
        }
        QueueStats last = worst.last();
        Finding finding = Finding.of(
                Cause.QUEUE_GROWS,
                "the %2$s in %1$s grew from %3$,d to %4$,d entries in %5$.1f s, by %6$,.0f a second, and has no bound"
                        .formatted(
                                last.holder(),
                                worst.type(),
                                worst.first().size(),
                                last.size(),
                                seen.seconds(),
                                worst.by() / seen.seconds()),
                heap(seen));
        return Optional.of(consumer(seen, code).map(finding::at).orElse(finding));
    }

    private static String heap(Observation seen) {
        return "%,d MB of heap in use at the begin, %,d MB at the end"
                .formatted(seen.first().heapUsed() >> 20, seen.last().heapUsed() >> 20);
    }

    /// Stages of futures, of which each waits for the one before: one consumer, and no bound.
    private static Finding chain(QueueGrowth chain, Observation seen) {
        String owner = chain.last().holder().substring(chain.last().holder().lastIndexOf(' ') + 1);
        Finding finding = Finding.of(
                Cause.QUEUE_GROWS,
                "%s grew from %,d to %,d stages in %.1f s, by %,.0f a second: each waits for the one before"
                        .formatted(
                                chain.last().holder(),
                                chain.first().size(),
                                chain.last().size(),
                                seen.seconds(),
                                chain.by() / seen.seconds()),
                "stages are added in " + String.join(", ", addersOf(owner, new CodeReader(seen.classes()))),
                heap(seen));
        return seen.dumps().getLast().goroutines().stream()
                .map(GoroutineSample::of)
                .filter(it -> isStageOf(it, owner))
                .findFirst()
                .map(finding::at)
                .orElse(finding)
                .toDo(
                        "Do not make one chain of %s for all: a chain for each key whose order matters, or a stage that does several at once. Bound what waits: a Semaphore around the call that adds, or an ArrayBlockingQueue with one consumer instead of the chain."
                                .formatted(owner));
    }

    /// The methods of the class that add a stage behind a future.
    private static List<String> addersOf(String owner, CodeReader code) {
        List<String> adders = new ThreadBodies(code)
                        .callers(it -> it.call().owner().startsWith("java.util.concurrent.Complet")
                                && (it.call().method().startsWith("then")
                                        || it.call().method().startsWith("handle")
                                        || it.call().method().startsWith("whenComplete")))
                        .stream()
                        .filter(it -> it.className().equals(owner))
                        .map(it -> it.className() + "." + it.name())
                        .toList();
        return adders.isEmpty() ? List.of(owner) : adders;
    }

    private static boolean isStageOf(GoroutineSample thread, String owner) {
        Frame bottom = thread.usersBottom();
        return bottom != null
                && bottom.className().equals(owner)
                && thread.frames().stream().anyMatch(it -> it.className().startsWith(CHAIN_CLASS));
    }

    /// Delayed tasks are in a queue until their time comes: that is no backlog, and a matter of
    /// [TimerStormRule].
    private static boolean isGrowing(QueueGrowth queue, double seconds) {
        return queue.first().capacity() > BOUND
                && !queue.type().startsWith("Delay")
                && queue.by() >= SHARE * queue.first().size()
                && (queue.isFast(seconds) || queue.isSteady(seconds));
    }

    /// Whether something takes from the queue. Otherwise it is a list of results or a log that the program
    /// keeps.
    private static boolean isTakenFrom(QueueGrowth queue, CodeReader code) {
        return uses(queue.first(), code, QueueGrowsRule::isTaking)
                && (!PLAIN.contains(queue.type()) || uses(queue.first(), code, it -> SHARING.contains(it.method())));
    }

    /// Whether the code that uses the queue makes such a call.
    private static boolean uses(QueueStats queue, CodeReader code, Predicate<Call> wanted) {
        return switch (queue.holder().split(" ", 2)[0]) {
            case "the" -> true; // of a pool, which takes, or of futures, which run
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
}
