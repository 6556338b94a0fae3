package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Pool;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A pool of threads that are all taken, with tasks in its queue, while virtual threads wait for results.
///
/// A pool whose threads compute is as fast as the CPUs. A finding needs threads that wait, or a crowd before
/// the pool.
final class PoolSaturatedRule implements Rule {

    /// Share of the dumps in which all threads of the pool are taken and tasks wait. A pool that gets through
    /// its queue now and then is large enough.
    private static final double SHARE = 0.8;

    private static final int DUMPS = 4;

    /// Virtual threads that wait for a result. One may be the program's main thread, which waits for its
    /// batch.
    private static final int WAITERS = 2;

    /// Share of the pool's threads that wait, too. Above it more threads would help; below it the CPUs are
    /// busy.
    private static final double WAITING = 0.5;

    /// Waiters per thread of a pool that computes. A batch has one or two that wait for it.
    private static final int CROWD = 8;

    /// Queued tasks per thread from which on no thread has to be seen that waits for a result: each task
    /// waits for longer than four others take.
    private static final int BACKLOG = 4;

    /// Pairs of dumps between which the queue became longer: tasks still come. A batch that is worked off has
    /// none.
    private static final int ARRIVALS = 2;

    /// Share of the threads that wait, if the backlog alone is the evidence.
    private static final double WAITING_WITH_BACKLOG = 0.8;

    /// Tasks of the pool for each thread that waits for one with a time limit. If there are more, the others' callers
    /// have given up. A caller of several tasks at once does not limit the wait for each of them.
    private static final double ABANDONED = 1.25;

    /// How late a timer's task is, and in which share of the dumps. A task that computes briefly makes
    /// the next one late by some milliseconds; a timer is late for three tenths of the time only if something
    /// occupies it.
    private static final long LATE_MILLIS = 100;

    private static final double LATE_SHARE = 0.3;

    /// One pool in all dumps.
    private static final class Sightings {
        int taken;
        int late;
        long latest;
        int arrivals;
        long firstQueued = -1;
        long lastQueued;
        long queued;
        int waiters;
        int timedWaiters;
        int workers;
        int waitingWorkers;
        int workersOfResults;

        @Nullable
        Pool pool;

        @Nullable
        GoroutineSample worker;

        @Nullable
        GoroutineSample waiter;
    }

    @Override
    public Cause cause() {
        return Cause.POOL_SATURATED;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        Map<String, Sightings> pools = new HashMap<>();
        for (Dump dump : seen.dumps()) {
            for (Pool pool : dump.pools()) {
                if (isTaken(pool)) {
                    add(pools.computeIfAbsent(pool.id(), _ -> new Sightings()), pool, dump);
                }
            }
        }
        return pools.values().stream()
                .filter(it -> isSaturated(it, seen.dumps().size()))
                .max((a, b) -> Long.compare(a.queued, b.queued))
                .flatMap(it -> finding(it, seen));
    }

    /// Whether all threads run tasks, and others wait in the queue: of a timer, tasks that are due.
    private static boolean isTaken(Pool pool) {
        return pool.size() > 0 && pool.busy().size() >= pool.size() && pool.queued() > 0;
    }

    private static boolean isTimer(Pool pool) {
        return pool.lateMillis() >= 0;
    }

    private static void add(Sightings sightings, Pool pool, Dump dump) {
        sightings.taken++;
        sightings.late += pool.lateMillis() >= LATE_MILLIS ? 1 : 0;
        sightings.latest = Math.max(sightings.latest, pool.lateMillis());
        sightings.arrivals += sightings.firstQueued >= 0 && pool.queued() > sightings.lastQueued ? 1 : 0;
        sightings.firstQueued = sightings.firstQueued < 0 ? pool.queued() : sightings.firstQueued;
        sightings.lastQueued = pool.queued();
        sightings.queued += pool.queued();
        sightings.pool = pool;
        Map<Long, GoroutineStats> byId = Locks.byId(dump);
        for (long id : pool.busy()) {
            GoroutineStats worker = byId.get(id);
            if (worker != null) {
                GoroutineSample sighting = GoroutineSample.of(worker);
                sightings.workers++;
                sightings.waitingWorkers += sighting.isWaiting() ? 1 : 0;
                sightings.workersOfResults += waitsForResult(sighting) ? 1 : 0;
                sightings.worker = sighting;
            }
        }
        for (GoroutineStats goroutine : dump.goroutines()) {
            GoroutineSample sighting = GoroutineSample.of(goroutine);
            if (!pool.busy().contains(goroutine.id()) && waitsForResult(sighting)) {
                sightings.waiters++;
                sightings.timedWaiters += hasLimit(sighting) ? 1 : 0;
                sightings.waiter = sighting;
            }
        }
    }

    /// Whether the thread waits for the result of a task.
    private static boolean waitsForResult(GoroutineSample sighting) {
        return sighting.isWaiting()
                && (sighting.isIn("java.util.concurrent.FutureTask", "get", "awaitDone")
                        || sighting.isIn(
                                "java.util.concurrent.CompletableFuture", "get", "join", "waitingGet", "timedGet")
                        || sighting.isIn("java.util.concurrent.ForkJoinTask", "get", "join", "invoke", "awaitDone")
                        || sighting.isIn("java.util.concurrent.AbstractExecutorService", "invokeAll", "invokeAny"));
    }

    /// Whether it gives up after some time.
    private static boolean hasLimit(GoroutineSample waiter) {
        return waiter.isIn("java.util.concurrent.CompletableFuture", "timedGet")
                || waiter.isIn("java.util.concurrent.locks.LockSupport", "parkNanos", "parkUntil");
    }

    /// Whether the callers of many tasks have given up, but the tasks are still run.
    private static boolean isAbandoned(Sightings it) {
        return it.waiters > 0 && it.timedWaiters == it.waiters && it.queued + it.workers >= ABANDONED * it.waiters;
    }

    private static boolean isSaturated(Sightings it, int dumps) {
        Pool pool = it.pool;
        if (it.taken < DUMPS || it.workers == 0 || pool == null) {
            return false;
        }
        boolean waits = it.waitingWorkers >= WAITING * it.workers;
        if (isTimer(pool)) {
            return waits && it.late >= DUMPS && it.late >= LATE_SHARE * dumps;
        }
        int enough = waits ? WAITERS : CROWD * it.workers / it.taken;
        return it.taken >= SHARE * dumps
                && (it.waiters >= enough * it.taken || (waits && waitsForItself(it)) || hasBacklog(it, pool));
    }

    /// Whether tasks come as fast as they are done or faster, and each waits long, though the threads only
    /// wait.
    private static boolean hasBacklog(Sightings it, Pool pool) {
        return it.waitingWorkers >= WAITING_WITH_BACKLOG * it.workers
                && it.queued >= (long) BACKLOG * pool.size() * it.taken
                && it.arrivals >= ARRIVALS
                && it.lastQueued >= it.firstQueued - pool.size();
    }

    /// Whether all threads of the pool wait for results of tasks, which are in the queue behind them.
    private static boolean waitsForItself(Sightings it) {
        return it.workersOfResults == it.workers;
    }

    private static Optional<Finding> finding(Sightings it, Observation seen) {
        Pool pool = it.pool;
        GoroutineSample worker = it.worker;
        if (pool == null || worker == null) {
            return Optional.empty();
        }
        boolean itself = waitsForItself(it);
        List<String> evidence = new ArrayList<>();
        evidence.add("in %d of %d dumps all %d threads of the pool of %s were taken, and %.0f tasks waited in its queue"
                .formatted(it.taken, seen.dumps().size(), pool.size(), pool.name(), (double) it.queued / it.taken));
        evidence.add("%.0f %% of its threads waited themselves, at %s (%s)"
                .formatted(100.0 * it.waitingWorkers / it.workers, worker.place(), worker.doing()));
        if (isTimer(pool)) {
            evidence.add("a task was up to %.1f s late, and in %d of %d dumps later than %d ms"
                    .formatted(it.latest / 1e3, it.late, seen.dumps().size(), LATE_MILLIS));
        }
        GoroutineSample waiter = it.waiter;
        if (waiter != null) {
            evidence.add("%.1f virtual threads waited for results on average, at %s"
                    .formatted((double) it.waiters / it.taken, waiter.place()));
        }
        boolean isAbandoned = waiter != null && !itself && !isTimer(pool) && isAbandoned(it);
        if (isAbandoned) {
            evidence.add(
                    "they wait with a time limit, and are fewer than the %.1f tasks in the pool: the callers of the others have given up, and their tasks are run all the same"
                            .formatted((double) (it.queued + it.workers) / it.taken));
        }
        if (itself) {
            evidence.add("all of its threads wait for results of other tasks: no thread is left to run these");
        }
        Finding finding = new Finding(Cause.POOL_SATURATED, evidence, 0, List.of()).at(worker);
        String remedy = remedy(pool, worker, itself);
        return Optional.of(finding.toDo(isAbandoned ? remedyIfAbandoned(worker, waiter) + " " + remedy : remedy));
    }

    private static String remedyIfAbandoned(GoroutineSample worker, @Nullable GoroutineSample waiter) {
        return "A caller that gives up at %s has to end its task: CompletableFuture.cancel does not stop the work, Future.cancel(true) of ExecutorService.submit interrupts it; and let the task at %s first look whether its time is over. Bound the queue, and pause before asking again."
                .formatted(waiter == null ? "its wait" : waiter.place(), worker.place());
    }

    private static String remedy(Pool pool, GoroutineSample worker, boolean itself) {
        if (isTimer(pool)) {
            return "Let the timer only start the work that waits at %s, in a virtual thread of its own (Thread.startVirtualThread), or give it more threads: Executors.newScheduledThreadPool(n) instead of a single one or a java.util.Timer."
                    .formatted(worker.place());
        }
        boolean isForkJoin = pool.id().startsWith("java.util.concurrent.ForkJoinPool@");
        String size = isForkJoin
                ? "the option -Djava.util.concurrent.ForkJoinPool.common.parallelism=N, if it is the common pool"
                : "the number of threads with which it is made";
        return itself
                ? "Do not wait in the pool at %s for tasks of the same pool: submit these to a virtual thread per task (Executors.newVirtualThreadPerTaskExecutor), or combine the futures (thenCompose) instead of waiting."
                        .formatted(worker.place())
                : "Run tasks that wait, as at %s, in a virtual thread each: use Executors.newVirtualThreadPerTaskExecutor() for supplyAsync, submit, or the library that owns the pool, with a Semaphore if a limit is needed. If it has to be this pool, raise %s."
                        .formatted(worker.place(), size);
    }
}
