package dev.heddle.internal.observe;

import java.util.List;

/// A pool of threads at the moment of a dump: a `ThreadPoolExecutor`, a `ForkJoinPool`, or the one thread of a
/// `java.util.Timer`.
///
/// @param id     its class and hash, as `class@hash`
/// @param name   the name of one of its threads
/// @param size   how many threads it has
/// @param limit  how many it may have
/// @param queued how many tasks wait in its queue, of a timer only due tasks; -1 if that is not known
/// @param lateMillis of a timer, for how long the first of its tasks has been due; -1 if it is no timer
/// @param busy   the threads that run a task, as far as the dump has them; platform or virtual ones
public record Pool(String id, String name, int size, int limit, long queued, long lateMillis, List<Long> busy) {

    public Pool {
        busy = List.copyOf(busy);
    }
}
