package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.QueueStats;
import dev.heddle.internal.observe.WaitDetail;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Timers that cost more than what they are for: very many that expire, or a heap of cancelled ones that is kept until
/// they would have expired.
final class TimerStormRule implements Rule {

    /// Timers that expire a second. Each costs some microseconds for the heap, the wake-up and the switch:
    /// from here on a tenth of a CPU.
    private static final double FIRED = 20_000;

    /// Timers that are set, on average. A few threads that tick every millisecond do what they were written
    /// for; a storm is made by many that tick for each.
    private static final double SET = 500;

    /// Delayed tasks in an executor. Each holds on to what its task refers to.
    private static final long KEPT = 10_000;

    /// Share of them that was cancelled.
    private static final double CANCELLED = 0.5;

    private static final long SHORT_NANOS = 20_000_000;

    /// Queues of tasks that wait for their time.
    private static final Set<String> DELAYED = Set.of("DelayScheduler", "DelayedWorkQueue");

    /// Delayed tasks from which on a steady growth is a finding. Fewer keep little alive.
    private static final long PILE = 1_000;

    /// Of the growth, the share by which the number of threads may grow as well: a timer for each of the
    /// threads that guard something is a program that gets more work.
    private static final double NEW_THREADS = 0.5;

    /// Methods that set timers, for display.
    private static final int SETTERS = 4;

    @Override
    public Cause cause() {
        return Cause.TIMER_STORM;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        if (seen.dumps().isEmpty()) {
            return Optional.empty();
        }
        Dump last = seen.dumps().getLast();
        for (QueueStats queue : last.surroundings().queues()) {
            if (queue.size() >= KEPT && queue.cancelled() >= CANCELLED) {
                return Optional.of(Finding.of(
                        Cause.TIMER_STORM,
                        "%s has %,d delayed tasks, of which %.0f %% are cancelled"
                                .formatted(queue.holder(), queue.size(), 100 * queue.cancelled()),
                        "a cancelled task stays in the queue, with all that it refers to, until its time has come"));
            }
        }
        Optional<Finding> pile = pile(seen);
        if (pile.isPresent()) {
            return pile;
        }
        double fired = seen.rate(it -> it.snapshot().stats().timersFired());
        if (fired < FIRED || seen.mean(it -> it.snapshot().stats().timers()) < SET) {
            return Optional.empty();
        }
        Finding finding = Finding.of(
                Cause.TIMER_STORM,
                "%,.0f timers expired a second; %,d are set"
                        .formatted(fired, seen.last().snapshot().stats().timers()),
                "the process used %.1f CPUs meanwhile".formatted(seen.rate(it -> it.cpuNanos()) / 1e9));
        return Optional.of(shortSleeper(last)
                .map(it -> withLoop(finding.at(it), it, new CodeReader(seen.classes())))
                .orElse(finding));
    }

    /// If the sleepers ask for something after each sleep, it says for what: they should wait for that.
    private static Finding withLoop(Finding finding, GoroutineSample sleeper, CodeReader code) {
        Frame top = sleeper.usersTop();
        PollingLoop loop = top == null ? null : code.pollingLoop(top, Call::sleeps);
        if (loop == null) {
            return finding;
        }
        List<String> evidence = new ArrayList<>(finding.evidence());
        evidence.add("most of them sleep in a loop that asks %s again and again, at %s"
                .formatted(String.join(", ", loop.asks()), loop.place()));
        return new Finding(finding.cause(), evidence, finding.goroutine(), finding.stack())
                .toDo(
                        "Do not ask %s in a loop at %s, but wait for it: CountDownLatch.await, CompletableFuture.join, Condition.await or BlockingQueue.take. The thread that changes it counts down, completes, signals or puts."
                                .formatted(String.join(", ", loop.asks()), loop.place()));
    }

    /// Delayed tasks that become more and more: a time limit for each request, which no code cancels when the
    /// request is done. The tasks and what they refer to stay until their time comes.
    private static Optional<Finding> pile(Observation seen) {
        long threads = seen.growth(it -> it.snapshot().stats().live());
        List<QueueGrowth> piles = QueueGrowth.in(seen.dumps()).stream()
                .filter(it -> DELAYED.contains(it.type()) && it.last().size() >= PILE)
                .filter(it -> it.isFast(seen.seconds()) && threads < NEW_THREADS * it.by())
                .toList();
        if (piles.isEmpty()) {
            return Optional.empty();
        }
        Set<String> setters = TimerSetters.in(new CodeReader(seen.classes()));
        return setters.isEmpty() ? Optional.empty() : Optional.of(pile(piles.getFirst(), threads, setters, seen));
    }

    private static Finding pile(QueueGrowth queue, long threads, Set<String> setters, Observation seen) {
        String where = String.join(", ", setters.stream().limit(SETTERS).toList());
        Finding finding = Finding.of(
                Cause.TIMER_STORM,
                "the delayed tasks of %s grew from %,d to %,d in %.1f s, by %,.0f a second"
                        .formatted(
                                queue.last().holder(),
                                queue.first().size(),
                                queue.last().size(),
                                seen.seconds(),
                                queue.by() / seen.seconds()),
                "each stays, with all that it refers to, until its time has come; %,d threads came meanwhile"
                        .formatted(Math.max(0, threads)),
                "%.0f %% of them are cancelled; they are set in %s"
                        .formatted(100 * queue.last().cancelled(), where));
        boolean areCancelled = queue.last().cancelled() >= CANCELLED;
        return setter(seen, setters)
                .map(finding::at)
                .orElse(finding)
                .toDo(
                        areCancelled
                                ? "Call setRemoveOnCancelPolicy(true) on the ScheduledThreadPoolExecutor: without it a cancelled task stays in the queue until its time has come (%s)."
                                        .formatted(where)
                                : "Cancel the timer when what it guards is done: keep the ScheduledFuture and call cancel in a finally block, or use orTimeout on the request's own future, which cancels by itself (%s). Let the task refer to as little as possible."
                                        .formatted(where));
    }

    /// A thread that is in one of these methods.
    private static Optional<GoroutineSample> setter(Observation seen, Set<String> setters) {
        return seen.dumps().reversed().stream()
                .flatMap(it -> it.goroutines().stream())
                .map(GoroutineSample::of)
                .filter(it -> it.frames().stream()
                        .anyMatch(frame -> setters.contains(frame.className() + "." + frame.method())))
                .findFirst();
    }

    /// A goroutine of the largest group that waits with a short timeout.
    private static Optional<GoroutineSample> shortSleeper(Dump dump) {
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        Map<String, Integer> sizes = new HashMap<>();
        Map<String, GoroutineSample> members = new HashMap<>();
        for (WaitDetail wait : dump.surroundings().waits()) {
            GoroutineStats goroutine = byId.get(wait.thread());
            if (goroutine != null && wait.timeoutNanos() >= 0 && wait.timeoutNanos() <= SHORT_NANOS) {
                GoroutineSample sample = GoroutineSample.of(goroutine);
                sizes.merge(sample.place(), 1, Integer::sum);
                members.put(sample.place(), sample);
            }
        }
        return sizes.entrySet().stream().max(Map.Entry.comparingByValue()).map(it -> members.get(it.getKey()));
    }
}
