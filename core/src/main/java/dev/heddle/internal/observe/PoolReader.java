package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.ThreadPools;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Collects the pools that the threads of one dump work for.
final class PoolReader {

    /// Enough to know whether a thread of a pool runs a task: what lies between its wait and the pool's loop.
    private static final int FRAMES = 12;

    private static final int POOLS = 64;

    private record Members(String name, List<Long> busy) {}

    private final Map<Object, Members> pools = new IdentityHashMap<>();

    /// Notes a thread and its frames, the innermost first.
    void add(Thread thread, List<StackTraceElement> stack) {
        Object pool = ThreadPools.poolOf(thread);
        if (pool == null || (pools.size() == POOLS && !pools.containsKey(pool))) {
            return;
        }
        Members members = pools.computeIfAbsent(pool, _ -> new Members(thread.getName(), new ArrayList<>()));
        if (!isIdle(stack)) {
            members.busy.add(thread.threadId());
        }
    }

    /// Whether the thread waits in its pool for a task.
    private static boolean isIdle(List<StackTraceElement> stack) {
        boolean isWait = true; // so far only frames of Object.wait
        for (StackTraceElement frame : stack.subList(0, Math.min(FRAMES, stack.size()))) {
            if (isWait && frame.getClassName().equals("java.util.TimerThread")) {
                return true; // above its loop there is no task
            }
            isWait &= frame.getClassName().equals("java.lang.Object");
            switch (frame.getClassName() + "." + frame.getMethodName()) {
                case "java.util.concurrent.ThreadPoolExecutor.getTask",
                        "java.util.concurrent.ForkJoinPool.awaitWork",
                        "java.util.concurrent.ForkJoinPool.deactivate" -> {
                    return true;
                }
                default -> {
                    // the search goes on
                }
            }
        }
        return stack.isEmpty();
    }

    List<Pool> read() {
        List<Pool> read = new ArrayList<>();
        pools.forEach((pool, members) -> read.add(new Pool(
                Blockers.identity(pool),
                members.name,
                ThreadPools.sizeOf(pool),
                ThreadPools.limitOf(pool),
                ThreadPools.queuedIn(pool),
                ThreadPools.lateMillisOf(pool),
                members.busy)));
        return read;
    }
}
