package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;

/// Watches the scheduler from a thread of its own, without a processor. Go: sysmon.
///
/// It ends time slices, takes processors from machines that block or hog a CPU ([Retaker]), and is the safety
/// net: it finds work that nobody looks for, which must never happen and is counted when it does. It holds no
/// lock across a system call and prints nothing.
final class SystemMonitor extends Thread implements KernelThread {

    private static final long FIRST_DELAY_NANOS = 20_000;
    private static final long LAST_DELAY_NANOS = 10_000_000;
    private static final int CYCLES_BEFORE_BACKOFF = 50;

    /// How soon to look again when something has been standing still while work waits.
    private static final long SUSPICIOUS_DELAY_NANOS = 1_000_000;

    /// All processors must have been idle for so long before the monitor sleeps deeply: waking it costs a
    /// system call.
    private static final long DEEP_AFTER_NANOS = 100_000_000;

    private static final long DEEP_SLEEP_NANOS = 60_000_000_000L;

    private static final long DEADLOCK_CHECK_NANOS = 1_000_000_000L;

    /// Queued work and an idle processor for so long, and nobody on the way to it: somebody was not woken.
    private static final long SAFETY_NET_NANOS = 10_000_000;

    private final Kernel kernel;
    private final Retaker retaker;
    private volatile boolean deep;

    // Its own thread only.
    private long delay = FIRST_DELAY_NANOS;
    private int quietCycles;
    private long allIdleSince;
    private long stuckSince;

    SystemMonitor(Kernel kernel, String schedulerName) {
        super(null, null, schedulerName + "-sysmon", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        this.retaker = new Retaker(kernel);
        setDaemon(true);
    }

    Kernel kernel() {
        return kernel;
    }

    /// A processor leaves the idle list: the monitor must watch it (N11). Any thread.
    void wake() {
        if (deep) {
            Jdk.unparkCarrier(this);
        }
    }

    /// Whether it sleeps until a processor leaves the idle list.
    boolean isDeep() {
        return deep;
    }

    @Override
    public void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = watchOnce();
            } catch (OutOfMemoryError | LinkageError failure) {
                kernel.countRepair(failure); // this look was cut short; the next one may find memory
            }
        }
    }

    /// One sleep and one look at everything. False: the scheduler is at its end.
    private boolean watchOnce() {
        long before = kernel.now();
        Jdk.parkCarrier(delay);
        boolean _ = Thread.interrupted();
        CoarseClock.tick(System.nanoTime());
        if (kernel.isClosed() && kernel.live() == 0) {
            kernel.end();
            retaker.end();
            return false;
        }
        long now = kernel.now();
        // a safepoint, SIGSTOP, a full machine: what was seen before the sleep says nothing
        boolean overslept = now - before > 3 * delay + SUSPICIOUS_DELAY_NANOS;
        switch (retaker.look(now, overslept)) {
            case TOOK -> {
                quietCycles = 0;
                delay = FIRST_DELAY_NANOS;
            }
            case SUSPICIOUS -> delay = Math.min(delay, SUSPICIOUS_DELAY_NANOS);
            case QUIET -> {
                quietCycles++;
                if (quietCycles > CYCLES_BEFORE_BACKOFF) {
                    delay = Math.min(LAST_DELAY_NANOS, 2 * delay);
                }
            }
        }
        lookForForgottenWork(now);
        kernel.followLimits();
        if (kernel.deadlock.isOn() && lookForDeadlock(now)) {
            return false;
        }
        if (kernel.idle.idleProcessors() < kernel.procs()) {
            allIdleSince = 0;
        } else if (allIdleSince == 0) {
            allIdleSince = now;
        } else if (now - allIdleSince > DEEP_AFTER_NANOS) {
            sleepDeeply();
            allIdleSince = 0;
            quietCycles = 0;
            delay = FIRST_DELAY_NANOS;
        }
        return true;
    }

    /// Until a processor leaves the idle list.
    private void sleepDeeply() {
        deep = true;
        if (kernel.idle.idleProcessors() == kernel.procs() && !kernel.isClosed()) { // after the announcement
            Jdk.parkCarrier(kernel.deadlock.isOn() ? DEADLOCK_CHECK_NANOS : DEEP_SLEEP_NANOS);
            boolean _ = Thread.interrupted();
        }
        deep = false;
    }

    private boolean lookForDeadlock(long now) {
        String message = kernel.deadlock.look(now);
        if (message != null) {
            kernel.deadlock.report(message);
        }
        return message != null;
    }

    /// The safety net, and late timers: a machine that blocks or hogs may sit on a processor whose timers are
    /// due.
    private void lookForForgottenWork(long now) {
        if (kernel.idle.idleProcessors() == 0 || kernel.spin.spinning() != 0) {
            stuckSince = 0;
        } else if (kernel.earliestTimer() < now - SUSPICIOUS_DELAY_NANOS && !kernel.sleeper.isTaken()) {
            kernel.startIdleProcessor();
        } else if (!kernel.hasQueuedWork() || isSomeoneOnTheWay()) {
            stuckSince = 0;
        } else if (stuckSince == 0) {
            stuckSince = now;
        } else if (now - stuckSince > SAFETY_NET_NANOS) {
            kernel.counters.safetyNet.incrementAndGet();
            stuckSince = 0;
            kernel.startIdleProcessor();
        }
    }

    /// Whether some machine is in the kernel with a processor, or has been given one: it finds what is queued,
    /// or wakes somebody, however long the operating system keeps it waiting.
    private boolean isSomeoneOnTheWay() {
        for (Processor processor : kernel.processors().all()) {
            Machine machine = processor.machine;
            if (processor.status == Processor.Status.IDLE) {
                continue;
            }
            if (machine == null) {
                return true; // pending, or in somebody's hands
            }
            int state = Word.state(machine.word());
            if (state != Word.USER && state != Word.SYSCALL) {
                return true;
            }
        }
        return false;
    }
}
