package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.FutureStages;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.Inspector;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures chains of futures: stages that a `CompletableFuture` has not run yet, each behind the one before. Such a
/// chain is a queue that no field refers to: the program keeps its last stage only, which does not know those before
/// it. But the thread that runs the first stage has all others behind it.
final class FutureChains {

    /// The longest chain that is counted: some milliseconds.
    private static final int COUNTED = 100_000;

    private static final int UNBOUNDED = Integer.MAX_VALUE;

    private FutureChains() {}

    /// The longest chain for each class of stages, as if it were a queue.
    static List<QueueStats> of(Collection<Thread> threads) {
        Map<String, QueueStats> longest = new LinkedHashMap<>();
        for (Thread thread : threads) {
            Goroutine goroutine = Inspector.goroutineOf(thread);
            Object stage = FutureStages.stageOf(goroutine == null ? Jdk.taskOf(thread) : goroutine.body());
            Object action = stage == null ? null : FutureStages.actionOf(stage);
            if (stage != null && action != null) {
                String type = action.getClass().getName();
                int lambda = type.indexOf("$$Lambda");
                String id = "java.util.concurrent.CompletableFuture@"
                        + Integer.toHexString(System.identityHashCode(action.getClass()));
                QueueStats chain = new QueueStats(
                        id,
                        "the chain of futures of " + (lambda < 0 ? type : type.substring(0, lambda)),
                        FutureStages.stagesBehind(stage, COUNTED),
                        UNBOUNDED,
                        /* cancelled= */ 0);
                longest.merge(id, chain, (a, b) -> a.size() >= b.size() ? a : b);
            }
        }
        return List.copyOf(longest.values());
    }
}
