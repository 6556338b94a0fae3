package dev.heddle.doctor;

import java.util.Locale;

/// A problem that the doctor can find, the most urgent first. Findings are reported in this order.
public enum Cause {
    DEADLOCK("threads wait for each other", """
            Take the locks in the same order everywhere, or hold one at a time. Do not wait for another thread's answer \
            with a lock in hand that this thread needs."""),
    LOST_WAKE_UP("waiters make no progress though they could go on: their wake-up was lost", """
            Threads that wait for different things wait at one lock, and notify or signal wakes one that cannot use it. \
            Use notifyAll, or a ReentrantLock with a Condition for each side and signal the other side's, or a \
            BlockingQueue."""),
    LOST_TASKS("threads wait for what no thread is left to do", """
            A task was dropped, or `done` not called on some path. Use WaitGroup.go, which cannot forget it; look for a \
            queue of your own that loses entries.""", """
            A task has ended without counting down, by an exception for example. Call countDown in a finally block, or \
            submit the tasks and wait for their futures, which also end with an exception."""),
    LOST_UNLOCK("threads wait for a lock that no thread releases", """
            A path between lock and unlock returns or throws without unlocking: call unlock in a finally block, right \
            after lock. A thread that takes a lock twice has to release it twice."""),
    RACY_QUEUE("a home-made queue is used by several goroutines without atomics", """
            Tasks get lost or run twice. Claim entries by compareAndSet on the head (copy first, claim then, retry if it \
            fails), or use Chan or a queue of java.util.concurrent."""),
    LEAKED_GOROUTINES("threads wait for an answer that never comes", """
            Somebody has to receive, send or close on every path: give the channel room for the answer, or let the \
            goroutine select on context.done() too. 'heddle leaks PID' says for sure which ones nobody can wake.""", """
            Somebody has to count down or complete on every path: call countDown or completeExceptionally in a finally \
            block, and wait with a timeout (await(5, SECONDS), orTimeout). 'heddle leaks PID' says for sure which \
            threads nobody can wake."""),
    UNBOUNDED_SPAWN("goroutines are started faster than they end", """
            Bound them: a fixed number of workers behind a channel with a capacity, a channel as semaphore, or \
            ErrGroup.setLimit. The producer has to wait when the work is not done.""", """
            Bound them: acquire a permit of a Semaphore before each start and release it at the end of the thread, or start \
            a fixed number of threads that take from an ArrayBlockingQueue. The producer has to wait when the work is \
            not done."""),
    QUEUE_GROWS("a queue without a bound only grows", """
            Give the queue a capacity (new ArrayBlockingQueue<>(1_000), new LinkedBlockingQueue<>(1_000)) and use put, so \
            that producers wait when the consumers are behind; or add consumers. For an executor: a ThreadPoolExecutor \
            with a bounded queue and CallerRunsPolicy."""),
    SLOW_CONSUMER("producers wait for consumers that are too few or too slow", """
            Start more consumers of that queue, or take what they wait for (I/O, a lock, a sleep) out of their loop; a \
            larger queue only delays the wait. If late work is worthless, use offer with a timeout and drop it."""),
    SOCKET_READS("many wait for the answer of one peer, without a timeout", """
            Call Socket.setSoTimeout before reading (HttpRequest.timeout, the driver's socketTimeout), and limit how many \
            ask that peer at once, for example by a Semaphore. Then look at why the peer does not answer."""),
    SOCKET_WRITES("threads wait for peers that do not read", """
            A socket has no timeout for writes. Put what is to be sent into a queue with a capacity for each connection, \
            with one thread that writes, and close the connection when its queue stays full; or close it from a timer, \
            which ends the write."""),
    CHILD_PROCESSES("threads wait for child processes that do not end", """
            Read the output while the child runs, and wait with a limit."""),
    SERIAL_SERVER("one thread serves all requests, one after the other", """
            Start a virtual thread for each request, and let the thread that takes them only take them."""),
    LOCKED_WORKERS("workers locked to their threads cannot share the work", """
            Remove Go.lockOSThread unless a library needs that very thread, and let all workers receive from one \
            channel."""),
    SELECT_SPIN("a loop asks channels again and again without waiting", """
            Leave the default (orElse) away, or use receive instead of tryReceive; for something to do now and then, add \
            a timeout case."""),
    BUSY_LOOP("a loop looks for work all the time and never waits", """
            Wait when there is nothing to do: receive from a channel, acquire a semaphore, park. A yield alone lets \
            others run but burns the CPU.""", """
            Wait when there is nothing to do: take from a BlockingQueue instead of polling it, acquire a Semaphore, await \
            a Condition. A yield alone lets others run but burns the CPU."""),
    YIELD_POLLING("a loop yields until something happens", """
            Wait for the event instead: BlockingQueue.take, CountDownLatch.await, CompletableFuture.join, Condition.await \
            or LockSupport.park with an unpark by the thread that changes the state. A yield lets others run, but the \
            loop is runnable again at once."""),
    SLEEP_POLLING("loops sleep briefly and ask again", """
            Wait for the event instead: BlockingQueue.take or poll with a timeout, CountDownLatch.await, Future.get, \
            Condition.await. The waiter then wakes at once and only when there is something to do."""),
    THUNDERING_HERD("all waiters are woken for what only one can have", """
            Wake only the waiters that can use the event. If any of them can, wake one: notify or Condition.signal \
            instead of notifyAll or signalAll, or a BlockingQueue or Semaphore. If each waits for something of its own, \
            give each of these a condition or a future of its own."""),
    HOT_CALL("the CPU goes into one kind of call", """
            Call it less often, or replace it by what costs less."""),
    CPU_HOG("a loop computes for long without giving way", """
            Call Go.gosched() every millisecond or so (a select with a default does not yield), or \
            cut the work into smaller goroutines. The agent's option preempt=CLASS does it without a change of code.""", """
            Start the JVM with -javaagent:heddle.jar=preempt=CLASS, with the class of the loop: Heddle then interrupts it \
            as Go does. Or let an executor of platform threads compute (Executors.newFixedThreadPool, as many threads as \
            CPUs), and wait for its result."""),
    BLOCKING_CALLS("many blocking calls at once, each of which keeps a thread", """
            Let only a few in at a time (a channel as semaphore, a small pool); others wait as goroutines, which cost \
            next to nothing. What is pinned by a native frame counts too.""", """
            Let only a few in at a time: acquire a permit of a Semaphore before the call and release it in a finally \
            block. Others wait as virtual threads, which cost next to nothing."""),
    POOL_EXHAUSTED("threads wait long for a pool or semaphore of which nothing is free", """
            Hold it for a shorter time: do what waits before taking or after giving back. Or make it larger."""),
    POOL_SATURATED("all threads of a pool are taken while virtual threads wait for it", """
            Run tasks that wait in virtual threads (Executors.newVirtualThreadPerTaskExecutor), or make the pool \
            larger."""),
    PINNED_CARRIERS("virtual threads wait and keep their carriers", """
            Do not wait in a class initialiser, nor in code that native code calls."""),
    CONVOY("many threads wait for one lock, and few go on", """
            Hold the lock for a shorter time: compute before taking it, under it only store the result. Or divide what \
            it guards: a ConcurrentHashMap, a LongAdder, a lock for each part."""),
    SLOW_LOCK("the slow ones wait for a lock, not for the scheduler", """
            Do not sleep, do I/O or wait for a channel while holding it: take the data out under the lock, and do the \
            slow part after it."""),
    SLOW_DISK("goroutines wait for the disk", """
            Collect what several goroutines write and call force or sync once for all of them (group commit), on one \
            goroutine, outside of locks; or write less durably (force(false), no DSYNC)."""),
    SLOW_DNS("goroutines wait for the addresses of host names", """
            Look the name up once and keep the connection (pool, keep-alive), or cache longer \
            (security property networkaddress.cache.ttl, also networkaddress.cache.negative.ttl); then look at the \
            resolver: 'getent hosts NAME' shows its delay."""),
    THREAD_LOCALS("thread-locals of many threads fill the heap", """
            Do not cache per thread what a virtual thread uses once: make the buffer a local variable, keep some in a \
            bounded pool (ArrayBlockingQueue), or pass context by ScopedValue. Or call remove at the end of the task."""),
    GC_PRESSURE("the garbage collector takes the time, not the scheduler", """
            Give the heap more room (-Xmx) or allocate less; stealing and processors have nothing to do with it."""),
    PROCS_ABOVE_CPUS("more processors than CPUs", """
            Leave GOMAXPROCS (heddle.procs) unset: the default follows affinity and the container's quota. 'heddle procs' \
            shows what it would be."""),
    THROTTLED("the CPU quota stops the process", """
            Raise the quota, or do less at the same time: the process is stopped for the rest of each period in which it \
            used its quota up. 'heddle procs' shows the figures."""),
    PROCS_BELOW_CPUS("fewer processors than CPUs, and work that waits for them", """
            Delete the setting (GOMAXPROCS, heddle.procs, Go.gomaxprocs, Scheduler.builder().procs): the default is \
            what the process may use."""),
    TIMER_STORM("timers cost more than what they are for", """
            Call setRemoveOnCancelPolicy(true) on the ScheduledThreadPoolExecutor, so that cancelled tasks leave its \
            queue. Of timers that expire: let one goroutine serve many (one sleep, then all that is due), or sleep \
            longer."""),
    STEAL_STORM("goroutines so short that stealing them costs more than running them", """
            Give each goroutine more to do (a range instead of an element), or keep as many workers as processors: data \
            stays in one core's cache.""");

    private final String title;
    private final String remedy;
    private final String remedyForThreads;

    Cause(String title, String remedy) {
        this(title, remedy, remedy);
    }

    Cause(String title, String remedy, String remedyForThreads) {
        this.title = title;
        this.remedy = remedy;
        this.remedyForThreads = remedyForThreads;
    }

    /// A one-line description.
    public String title() {
        return title;
    }

    /// What to do about it, in a program that uses Heddle's API.
    public String remedy() {
        return remedy;
    }

    /// What to do about it, in a program with virtual threads of the JDK that does not know Heddle.
    public String remedyForThreads() {
        return remedyForThreads;
    }

    /// The name used in JSON and in the headings of `docs/doctor.md`: `cpu-hog`.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
