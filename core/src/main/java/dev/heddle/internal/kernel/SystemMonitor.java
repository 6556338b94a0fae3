package dev.heddle.internal.kernel;

import dev.heddle.internal.event.CoarseClock;
import dev.heddle.internal.jdk.Jdk;

/// Watches the scheduler from a thread of its own, without a processor. Go: sysmon.
///
/// It prints nothing itself, and holds no lock across a system call.
final class SystemMonitor extends Thread implements KernelThread {
    /*
     * Duties.     In the order of one cycle, each with the test that fails without it:
     *             1. Tick the coarse clock.             MonitorDutiesTest.theCoarseClockGoesOnWhileAnythingRuns
     *             2. Queue the entries that were kept   RescueTest.theSystemMonitorQueuesWhatAMachineKeptOnce
     *                on a stack overflow.
     *             3. End the closed kernel after its    MonitorDutiesTest.closingASchedulerWhoseMonitorSleepsEndsIt
     *                last goroutine.
     *             4. Poll sockets if no machine does.   SocketsTest.everyThreadIsWokenByItsOwnSocket
     *                Before 5: ready sockets are work that waits for the hogs' processors.
     *             5. Judge every processor and every machine without one (Retaker):
     *                end time slices;                   MonitorDutiesTest.aTimeSliceEndsAtASchedulingPoint
     *                take processors of threads that
     *                declared to block,                 MonitorDutiesTest.theProcessorOfALongDeclaredBlockBecomesIdle
     *                of threads that did not,           BlockingUndeclaredTest.pinnedSleepersSleepAtTheSameTime
     *                of hogs;                           HogTest.newThreadsRunAmongHogs
     *                demote hogs.                       DetachedMachinesTest.aThreadThatComputesAfterItBlockedIsAHog
     *             6. Start a machine for late timers.   MonitorDutiesTest.aMachineIsStartedForALateTimer
     *             7. Find forgotten work (SafetyNet).   SafetyNetTest.findsWorkWhoseWakeUpWasLost
     *             8. Reclaim lost tokens (TokenAudit).  TokenAuditTest.aLostTokenStopsNoGoroutine
     *             9. Follow the CPU quota.              LimitsTest.theNumberOfProcessorsFollowsTheQuota
     *             10. Notice the flight recorder.       FlightEventsTest.handOffsHogsAndBlockedCarriersAreEvents
     *             11. Detect deadlocks.                 DeadlockTest.allGoroutinesAsleepIsADeadlock
     *             12. Prepare for hogs while idle.      PreparationTest.theDemoterBeginsWhileTheSchedulerIsIdle
     * Pauses.     20 us at first and after a processor was taken from a blocked thread; after 50 quiet cycles they
     *             double, up to 10 ms (MonitorDutiesTest.theMonitorBacksOffWhileThereIsNothingToDo). Once a millisecond
     *             while a thread computes and work waits (theMonitorDoesNotCompeteWithHogs). If all processors have
     *             been idle for 100 ms, the monitor sleeps until a processor leaves the idle list
     *             (workFromOutsideWakesTheMonitor, aTimerThatEndsIdlenessWakesTheMonitor).
     * Deep sleep. The monitor announces it (`deep`), then checks once more that all processors are idle. A machine
     *             takes a processor off the idle list, then reads `deep`. So at least one of them sees the other.
     * Failures.   None ends the monitor: without it, a single hog could freeze the scheduler. A cycle that fails is
     *             cut short and counted; the next one begins anew.
     * Rejected.   A timer of a processor as the monitor's clock, as the machines have: hogs would stop it. A common
     *             monitor for all schedulers: a scheduler that fails would take the others with it.
     */

    /// As in Go.
    /// Go: sysmon
    private static final long FIRST_DELAY_NANOS = 20_000;
    /// As in Go.
    /// Go: sysmon
    private static final long LAST_DELAY_NANOS = 10_000_000;

    /// The longest pause while every processor is owned: a hog may soon make others wait. A guess.
    private static final long LAST_BUSY_DELAY_NANOS = 5_000_000;

    /// As in Go.
    /// Go: sysmon
    private static final int CYCLES_BEFORE_BACKOFF = 50;

    /// The pause before the next sample: at most this long if a thread may be blocked, exactly this long if one
    /// computes while work waits. In the second case a shorter pause would do harm: the monitor would compete
    /// with the waiting work, and the operating system would run the monitor late when it matters. ADR 7 has the
    /// measurements.
    private static final long SUSPICIOUS_DELAY_NANOS = 1_000_000;

    /// How long all processors must have been idle before the monitor sleeps deeply: waking it costs a system call.
    /// A guess.
    private static final long DEEP_AFTER_NANOS = 100_000_000;

    /// A minute, as in Go.
    /// Go: sysmon
    private static final long DEEP_SLEEP_NANOS = 60_000_000_000L;

    /// How often an idle program is checked for a deadlock. A guess.
    private static final long DEADLOCK_CHECK_NANOS = 1_000_000_000L;

    private final Kernel kernel;
    private final Retaker retaker;
    private final SafetyNet net;
    private final TokenAudit tokens;
    private final Oversleep oversleep = new Oversleep();
    private volatile boolean deep;

    // Its own thread only.
    private long delay = FIRST_DELAY_NANOS;
    private int quietCycles;
    private long allIdleSince;
    private boolean hasReportedBug;
    private volatile long samples;

    SystemMonitor(Kernel kernel, String schedulerName) {
        super(null, null, schedulerName + "-sysmon", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        this.retaker = new Retaker(kernel);
        this.net = new SafetyNet(kernel);
        this.tokens = new TokenAudit(kernel);
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

    Demoter demoter() {
        return retaker.demoter();
    }

    /// Whether the monitor sleeps until a processor leaves the idle list.
    boolean isDeep() {
        return deep;
    }

    /// How often the monitor has sampled the machines. A growing number shows that it is alive.
    long samples() {
        return samples;
    }

    /// Runs until the kernel ends or a deadlock is reported.
    @Override
    public void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = cycle();
            } catch (OutOfMemoryError | LinkageError failure) {
                kernel.failures.countRepair(); // this sample was cut short; the next one may find memory
            } catch (Throwable bug) {
                kernel.failures.countRepair();
                reportOnce(bug);
            }
        }
    }

    private void reportOnce(Throwable bug) {
        if (!hasReportedBug) {
            hasReportedBug = true;
            kernel.failures.reportBug("the system monitor failed and goes on", bug);
        }
    }

    /// Sleeps once and takes one sample of everything. False: the scheduler has ended, or is deadlocked.
    private boolean cycle() {
        long before = kernel.now();
        Jdk.parkSelf(delay);
        CoarseClock.tick(Jdk.nanoTime());
        kernel.rescues.drainAll();
        if (kernel.mayEnd()) {
            kernel.end();
            return false;
        }
        long now = kernel.now();
        kernel.sockets.pollIfForgotten(now); // first: ready sockets are work that waits for the hogs' processors
        adapt(retaker.sample(now, oversleep.isUnusual(delay, now - before)));
        startForLateTimers(now);
        net.check(now);
        tokens.check(now);
        samples = samples + 1; // its own thread is the only writer
        kernel.limits.follow();
        kernel.recorder.follow();
        if (kernel.deadlock.isOn() && lookForDeadlock(now)) {
            return false;
        }
        if (kernel.idle.idleProcessors() < kernel.procs() || kernel.counters.freeHogs > 0) {
            allIdleSince = 0; // hogs are counted until they have ended
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

    /// Chooses the pause before the next sample.
    private void adapt(Retaker.Result result) {
        switch (result) {
            case TOOK -> {
                quietCycles = 0;
                delay = FIRST_DELAY_NANOS;
            }
            case MAY_BE_ASLEEP -> delay = Math.min(delay, SUSPICIOUS_DELAY_NANOS);
            case COMPUTES -> delay = SUSPICIOUS_DELAY_NANOS;
            case QUIET -> {
                quietCycles++;
                if (quietCycles > CYCLES_BEFORE_BACKOFF) {
                    long last = kernel.idle.idleProcessors() == 0 ? LAST_BUSY_DELAY_NANOS : LAST_DELAY_NANOS;
                    delay = Math.min(last, 2 * delay);
                }
            }
        }
    }

    /// Sleeps until a processor leaves the idle list, or for the longest pause.
    private void sleepDeeply() {
        if (kernel.pool().hasOwner()
                && kernel.machineCounts.machines() > 0) { // a program without virtual threads pays nothing
            retaker.prepare();
        }
        deep = true;
        if (kernel.idle.idleProcessors() == kernel.procs()
                && kernel.rescues.isEmpty() // its keeper may have seen a monitor that was still awake
                && !kernel.isClosed()) { // after the announcement
            Jdk.parkSelf(kernel.deadlock.isOn() ? DEADLOCK_CHECK_NANOS : DEEP_SLEEP_NANOS);
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

    /// Starts a machine for late timers: their processor may be owned by a machine that is blocked or hogs a CPU.
    private void startForLateTimers(long now) {
        if (kernel.idle.idleProcessors() != 0
                && kernel.spin.spinning() == 0
                && !kernel.sleeper.isTaken()
                && kernel.timers.earliest() < now - SUSPICIOUS_DELAY_NANOS) {
            kernel.machines.startIdle();
        }
    }
}
