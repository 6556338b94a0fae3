package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ObjectFields;
import dev.heddle.internal.jdk.SocketPeers;
import dev.heddle.internal.jdk.TcpTimes;
import dev.heddle.internal.jdk.ThreadLocalValues;
import dev.heddle.internal.jdk.TransferQueues;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.locks.LockSupport;

/// Reads what the goroutines of a scheduler use, dump after dump. It looks for queues anew in each window.
final class SurroundingsReader {

    /// Sockets whose peers are asked for in a dump: one system call each.
    private static final int SOCKETS = 1_000;

    /// Readers of one peer from which on the times of their connections are read: fewer are no pile.
    private static final int READERS = 8;

    /// Threads whose thread-locals are read. They resemble each other, so a part of them tells the size of all.
    private static final int THREADS = 50;

    /// Objects that are followed to estimate the size of a value.
    private static final int OBJECTS = 200;

    private static final int LARGEST = 5;

    /// Share of the heap in use from which on thread-locals are read: below it they do no harm.
    private static final double FULL = 0.2; // what the rule about them takes for much

    /// A queue that the program may drop: the doctor must not keep it alive.
    private record KnownQueue(WeakReference<Object> queue, String id, String holder) {}

    private final List<KnownQueue> queues = new ArrayList<>();
    private Map<Object, String> holders = Map.of();
    private boolean isNewWindow = true;
    private boolean areThreadLocalsRead;

    /// Forgets what the last window found: the program may have made new queues.
    void startWindow() {
        isNewWindow = true;
        areThreadLocalsRead = false;
        queues.clear();
    }

    Surroundings next(Collection<Thread> threads, Collection<String> frames) {
        if (isNewWindow) {
            isNewWindow = false;
            ProgramObjects known = ProgramObjects.search(threads, frames);
            known.queues()
                    .forEach((queue, holder) ->
                            queues.add(new KnownQueue(new WeakReference<>(queue), Blockers.identity(queue), holder)));
            holders = new WeakHashMap<>(known.threadLocals()); // a ThreadLocal is equal to itself only
        }
        List<ThreadLocalStats> threadLocals = List.of();
        if (!areThreadLocalsRead && isHeapFull()) {
            areThreadLocalsRead = true;
            threadLocals = threadLocals(threads);
        }
        List<QueueStats> all = sizes();
        all.addAll(FutureChains.of(threads));
        addDelayedTasks(all);
        return new Surroundings(all, waits(threads), threadLocals);
    }

    private List<QueueStats> sizes() {
        List<QueueStats> sizes = new ArrayList<>();
        for (KnownQueue each : queues) {
            Object queue = each.queue().get();
            if (queue != null) {
                sizes.add(QueueSizes.of(queue, each.id(), each.holder()));
            }
        }
        return sizes;
    }

    /// The tasks that wait for their time in the common pool: of `delayedExecutor`, `orTimeout` and
    /// `completeOnTimeout`.
    private static void addDelayedTasks(List<QueueStats> all) {
        ForkJoinPool pool = ForkJoinPool.commonPool();
        long tasks = pool.getDelayedTaskCount();
        if (tasks > 0) {
            all.add(new QueueStats(
                    "java.util.concurrent.DelayScheduler@" + Integer.toHexString(System.identityHashCode(pool)),
                    "the common pool",
                    tasks,
                    Integer.MAX_VALUE,
                    0));
        }
    }

    private static List<WaitDetail> waits(Collection<Thread> threads) {
        Map<Thread, SocketPeers.Peer> peers = SocketPeers.ofReaders(SOCKETS);
        Map<String, Integer> readers = new HashMap<>();
        peers.values().forEach(it -> readers.merge(it.address(), 1, Integer::sum));
        Map<Thread, Integer> waitIds = waitIds(threads);
        List<WaitDetail> waits = new ArrayList<>();
        for (Thread thread : threads) {
            long timeout = Jdk.parkTimeoutOf(thread);
            int waitId = waitIds.getOrDefault(thread, 0);
            SocketPeers.Peer peer = peers.get(thread);
            if (peer != null) {
                boolean isShared = readers.getOrDefault(peer.address(), 0) >= READERS;
                TcpTimes times = isShared ? TcpTimes.of(peer.descriptor()) : null;
                waits.add(new WaitDetail(
                        thread.threadId(),
                        timeout,
                        waitId,
                        peer.address(),
                        times == null ? -1 : times.sentMillis(),
                        times == null ? -1 : times.receivedMillis()));
            } else if (timeout >= 0 || waitId != 0) {
                waits.add(new WaitDetail(thread.threadId(), timeout, waitId, null, -1, -1));
            }
        }
        return waits;
    }

    private static Map<Thread, Integer> waitIds(Collection<Thread> threads) {
        Map<Thread, Integer> ids = new HashMap<>();
        Set<Object> done = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Thread thread : threads) {
            Object blocker = LockSupport.getBlocker(thread);
            if (blocker instanceof LinkedTransferQueue<?> queue && done.add(queue)) {
                ids.putAll(TransferQueues.waitsAt(queue));
            }
        }
        return ids;
    }

    private static boolean isHeapFull() {
        Runtime memory = Runtime.getRuntime();
        return memory.totalMemory() - memory.freeMemory() > FULL * memory.maxMemory();
    }

    /// The thread-locals with the largest values in some of the threads.
    private List<ThreadLocalStats> threadLocals(Collection<Thread> threads) {
        Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>()); // a shared object counts once
        Map<Object, Object> examples = new IdentityHashMap<>();
        Map<Object, long[]> sums = new IdentityHashMap<>(); // threads, bytes
        int looked = 0;
        for (Thread thread : threads) {
            if (looked == THREADS) {
                break;
            }
            looked++;
            for (ThreadLocalValues.Entry entry : ThreadLocalValues.of(thread)) {
                long[] sum = sums.computeIfAbsent(entry.key(), _ -> new long[2]);
                sum[0]++;
                sum[1] += bytes(entry.value(), counted);
                examples.put(entry.key(), entry.value());
            }
        }
        List<ThreadLocalStats> stats = new ArrayList<>();
        for (Map.Entry<Object, long[]> each : sums.entrySet()) {
            Object example = examples.getOrDefault(each.getKey(), "");
            stats.add(new ThreadLocalStats(
                    holders.getOrDefault(each.getKey(), each.getKey().getClass().getName()),
                    example.getClass().getTypeName(),
                    (int) each.getValue()[0],
                    each.getValue()[1],
                    threads.size(),
                    looked));
        }
        stats.sort(Comparator.comparingLong(ThreadLocalStats::bytes).reversed());
        return stats.subList(0, Math.min(LARGEST, stats.size()));
    }

    /// The estimated size of a value and of what it refers to.
    private static long bytes(Object value, Set<Object> counted) {
        Queue<Object> open = new ArrayDeque<>(List.of(value));
        long bytes = 0;
        int left = OBJECTS;
        for (Object next = open.poll(); next != null && left > 0; next = open.poll()) {
            if (next instanceof Thread
                    || next instanceof Class<?>
                    || next instanceof ClassLoader
                    || !counted.add(next)) {
                continue;
            }
            left--;
            bytes += ObjectFields.bytesOf(next);
            if (next instanceof Object[] array) {
                for (int i = 0; i < Math.min(left, array.length); i++) {
                    if (array[i] != null) {
                        open.add(array[i]);
                    }
                }
            } else if (!next.getClass().isArray()) {
                ObjectFields.referencesOf(next).forEach(it -> open.add(it.value()));
            }
        }
        return bytes;
    }
}
