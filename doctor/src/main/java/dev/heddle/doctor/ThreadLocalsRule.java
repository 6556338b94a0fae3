package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.ThreadLocalStats;
import java.util.List;
import java.util.Optional;

/// Thread-locals whose values, one for each of many threads, take a large part of the heap.
///
/// With a pool of platform threads a thread-local buffer is one per worker. With virtual threads it is one per request.
final class ThreadLocalsRule implements Rule {

    /// Share of the largest possible heap.
    private static final double SHARE = 0.2;

    /// Threads: with fewer, the values themselves are large, which the program must have wanted.
    private static final int THREADS = 100;

    /// A value for each thread: most of the threads that were looked at have one.
    private static final double HAVE_ONE = 0.5;

    @Override
    public Cause cause() {
        return Cause.THREAD_LOCALS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        long heap = seen.last().heapMax();
        for (Dump dump : seen.dumps()) {
            for (ThreadLocalStats local : dump.surroundings().threadLocals()) {
                double bytes = local.looked() == 0 ? 0 : (double) local.bytes() / local.looked() * local.live();
                if (local.live() >= THREADS && local.threads() >= HAVE_ONE * local.looked() && bytes >= SHARE * heap) {
                    return Optional.of(finding(local, bytes, seen, new CodeReader(seen.classes())));
                }
            }
        }
        return Optional.empty();
    }

    private static Finding finding(ThreadLocalStats local, double bytes, Observation seen, CodeReader code) {
        List<String> users = code.usersOf(local.holder());
        Finding finding = Finding.of(
                Cause.THREAD_LOCALS,
                "the thread-local %s has a %s of about %,d KB for each thread: %,.0f MB for %,d threads"
                        .formatted(
                                local.holder(),
                                local.type(),
                                local.bytes() / local.threads() >> 10,
                                bytes / (1 << 20),
                                local.live()),
                "%d of %d threads that were looked at have one; %,d of at most %,d MB of heap are in use"
                        .formatted(
                                local.threads(),
                                local.looked(),
                                seen.last().heapUsed() >> 20,
                                seen.last().heapMax() >> 20),
                users.isEmpty() ? "no known code uses its field" : "it is used in " + String.join(", ", users));
        return users.isEmpty()
                ? finding
                : finding.toDo(finding.remedy() + " The code to change is in " + String.join(", ", users) + ".");
    }
}
