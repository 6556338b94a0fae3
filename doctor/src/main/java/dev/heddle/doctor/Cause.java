package dev.heddle.doctor;

import java.util.Locale;

/// A problem that the doctor can find, the most urgent first. Findings are reported in this order.
public enum Cause {
    DEADLOCK("goroutines wait for each other's locks", """
            Take the locks in the same order everywhere, or hold one at a time."""),
    LOST_TASKS("somebody waits for tasks that nobody is left to do", """
            A task was dropped, or `done` not called on some path. Use WaitGroup.go, which cannot forget it; look for a \
            queue of your own that loses entries."""),
    RACY_QUEUE("a home-made queue is used by several goroutines without atomics", """
            Tasks get lost or run twice. Claim entries by compareAndSet on the head (copy first, claim then, retry if it \
            fails), or use Chan or a queue of java.util.concurrent."""),
    LEAKED_GOROUTINES("goroutines wait at a channel for somebody who never comes", """
            Somebody has to receive, send or close on every path: give the channel room for the answer, or let the \
            goroutine select on context.done() too. 'heddle leaks PID' says for sure which ones nobody can wake."""),
    UNBOUNDED_SPAWN("goroutines are started faster than they end", """
            Bound them: a fixed number of workers behind a channel with a capacity, a channel as semaphore, or \
            ErrGroup.setLimit. The producer has to wait when the work is not done."""),
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
    LOCKED_WORKERS("workers locked to their threads cannot share the work", """
            Remove Go.lockOSThread unless a library needs that very thread, and let all workers receive from one \
            channel."""),
    SELECT_SPIN("a loop asks channels again and again without waiting", """
            Leave the default (orElse) away, or use receive instead of tryReceive; for something to do now and then, add \
            a timeout case."""),
    BUSY_LOOP("a loop looks for work all the time and never waits", """
            Wait when there is nothing to do: receive from a channel, acquire a semaphore, park. A yield alone lets \
            others run but burns the CPU."""),
    YIELD_POLLING("a loop yields until something happens", """
            Wait for the event instead: BlockingQueue.take, CountDownLatch.await, CompletableFuture.join, Condition.await \
            or LockSupport.park with an unpark by the thread that changes the state. A yield lets others run, but the \
            loop is runnable again at once."""),
    SLEEP_POLLING("loops sleep for a moment and ask again", """
            Wait for the event instead: BlockingQueue.take or poll with a timeout, CountDownLatch.await, Future.get, \
            Condition.await. The waiter then wakes at once and only when there is something to do."""),
    THUNDERING_HERD("all waiters are woken for what only one can have", """
            Wake one: notify or Condition.signal instead of notifyAll or signalAll, if any waiter can use the event; or \
            use a BlockingQueue or Semaphore, which wake one waiter for each entry or permit."""),
    CPU_HOG("a loop computes for long without giving way", """
            Call Go.gosched() every millisecond or so (a select with a default does not yield), or \
            cut the work into smaller goroutines."""),
    BLOCKING_CALLS("many blocking calls at once, each of which keeps a thread", """
            Let only a few in at a time (a channel as semaphore, a small pool); others wait as goroutines, which cost \
            next to nothing. What is pinned by a native frame counts too."""),
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

    Cause(String title, String remedy) {
        this.title = title;
        this.remedy = remedy;
    }

    /// A one-line description.
    public String title() {
        return title;
    }

    /// What to do about it.
    public String remedy() {
        return remedy;
    }

    /// The name used in JSON and in the headings of `docs/doctor.md`: `cpu-hog`.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
