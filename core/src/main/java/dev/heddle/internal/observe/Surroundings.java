package dev.heddle.internal.observe;

import java.util.List;

/// What the goroutines of a dump use: their queues, sockets, timeouts and thread-locals.
///
/// @param queues       the queues that the program's threads and classes refer to
/// @param waits        the threads with a timeout or a peer
/// @param threadLocals the thread-locals with the largest values; empty unless the heap is in use by a large part
public record Surroundings(List<QueueStats> queues, List<WaitDetail> waits, List<ThreadLocalStats> threadLocals) {

    public static final Surroundings UNKNOWN = new Surroundings(List.of(), List.of(), List.of());

    public Surroundings {
        queues = List.copyOf(queues);
        waits = List.copyOf(waits);
        threadLocals = List.copyOf(threadLocals);
    }
}
