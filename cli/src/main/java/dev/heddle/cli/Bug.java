package dev.heddle.cli;

import dev.heddle.doctor.Cause;
import java.nio.file.Files;
import java.nio.file.Path;

/// The ten bugs of "Work Stealing: Find the Bug", and ten more that programs with plain virtual threads have; as
/// programs in `examples/bugs/`.
enum Bug {
    LOCKED_WORKERS(
            "Bug01LockedWorkers", "LockOSThread starvation: workers that cannot share the work", Cause.LOCKED_WORKERS),
    ONE_PROCESSOR("Bug02OneProcessor", "GOMAXPROCS=1: one core of many", Cause.PROCS_BELOW_CPUS),
    TIGHT_LOOP("Bug03TightLoop", "a tight loop without a scheduling point", Cause.CPU_HOG),
    UNBOUNDED_SPAWN(
            "Bug04UnboundedSpawn",
            "hot producer, cold consumer: a goroutine per event, without bound",
            Cause.UNBOUNDED_SPAWN),
    RACY_QUEUE("Bug05RacyQueue", "a home-made work-stealing queue without atomics", Cause.RACY_QUEUE),
    SLOW_TAIL("Bug06SlowTail", "a slow tail that stealing is blamed for", Cause.SLOW_LOCK),
    LOOP_WITHOUT_YIELD("Bug07LoopWithoutYield", "a home-made scheduler that never waits", Cause.BUSY_LOOP),
    SELECT_SPIN("Bug08SelectSpin", "a select with a default, in a loop", Cause.SELECT_SPIN),
    BLOCKING_CALLS(
            "Bug09BlockingCalls", "blocking native calls, as many at once as there are events", Cause.BLOCKING_CALLS),
    TOO_MANY_PROCESSORS(
            "Bug10TooManyProcessors", "GOMAXPROCS of the host in a container with a quota", Cause.PROCS_ABOVE_CPUS),
    POOL_EXHAUSTED("Bug11PoolExhausted", "a connection that is held during something else", Cause.POOL_EXHAUSTED),
    CONVOY("Bug12Convoy", "one lock around the whole of each request", Cause.CONVOY),
    LATCH_DEADLOCK("Bug13LatchDeadlock", "a latch, and the lock that is needed to count it down", Cause.DEADLOCK),
    PINNED_INITIALISER("Bug14PinnedInitialiser", "a class initialiser that waits", Cause.PINNED_CARRIERS),
    COMMON_POOL("Bug15CommonPool", "blocking calls in the common pool", Cause.POOL_SATURATED),
    UNBOUNDED_QUEUE("Bug16UnboundedQueue", "a queue without a bound", Cause.QUEUE_GROWS),
    NO_READ_TIMEOUT(
            "Bug17NoReadTimeout", "socket reads without a timeout, of a server that is silent", Cause.SOCKET_READS),
    SLEEP_POLLING("Bug18SleepPolling", "workers that sleep briefly and ask again", Cause.SLEEP_POLLING),
    THUNDERING_HERD("Bug19ThunderingHerd", "notifyAll for what one waiter takes", Cause.THUNDERING_HERD),
    THREAD_LOCALS("Bug20ThreadLocals", "a buffer in a thread-local of every virtual thread", Cause.THREAD_LOCALS);

    private final String program;
    private final String title;
    private final Cause cause;

    Bug(String program, String title, Cause cause) {
        this.program = program;
        this.title = title;
        this.cause = cause;
    }

    int number() {
        return Integer.parseInt(program, 3, 5, 10); // the digits in its file name
    }

    String title() {
        return title;
    }

    /// The cause that the doctor reports for it.
    Cause cause() {
        return cause;
    }

    /// The name of its class.
    String program() {
        return program;
    }

    /// @throws IllegalArgumentException with one sentence, if there is no such bug
    static Bug numbered(int number) {
        if (number < 1 || number > values().length) {
            throw new IllegalArgumentException(
                    "there are bugs 1 to %d, and no bug %d".formatted(values().length, number));
        }
        return values()[number - 1];
    }

    /// Its path in the source tree, for display.
    String path() {
        return "examples/bugs/" + program + ".java";
    }

    /// Its source file, in the tree from which this command was built.
    Path source() {
        Path source = HeddleJar.locate().resolve("../../../" + path()).normalize();
        if (!Files.exists(source)) {
            throw new IllegalStateException(
                    "the sources of the bugs, " + path() + ", are not beside this build of Heddle.");
        }
        return source;
    }
}
