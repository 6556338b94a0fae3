package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;

/// Watches the scheduler from a thread of its own, without a processor. Go: sysmon.
///
/// It ends time slices, and it is the safety net: it finds work that nobody looks for, which must never happen
/// and is counted when it does.
final class SystemMonitor extends Thread {

    private static final long FIRST_DELAY_NANOS = 20_000;
    private static final long LAST_DELAY_NANOS = 10_000_000;
    private static final int CYCLES_BEFORE_BACKOFF = 50;

    /// The time slice. Go: forcePreemptNS.
    private static final long SLICE_NANOS = 10_000_000;

    /// All processors must have been idle for so long before the monitor sleeps deeply: waking it costs a system
    /// call.
    private static final long DEEP_AFTER_NANOS = 100_000_000;

    private static final long DEEP_SLEEP_NANOS = 60_000_000_000L;

    private final Kernel kernel;
    private volatile boolean deep;

    SystemMonitor(Kernel kernel, String schedulerName) {
        super(null, null, schedulerName + "-sysmon", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        setDaemon(true);
    }

    /// A processor leaves the idle list: the monitor must watch it (N11). Any thread.
    void wake() {
        if (deep) {
            Jdk.unparkCarrier(this);
        }
    }

    @Override
    public void run() {
        long delay = FIRST_DELAY_NANOS;
        int idleCycles = 0;
        long allIdleSince = 0;
        while (true) {
            Jdk.parkCarrier(delay);
            boolean _ = Thread.interrupted();
            if (kernel.isClosed() && kernel.live() == 0) {
                kernel.end();
                return;
            }
            long now = kernel.now();
            boolean acted = look(now);
            idleCycles = acted ? 0 : idleCycles + 1;
            if (acted) {
                delay = FIRST_DELAY_NANOS;
            } else if (idleCycles > CYCLES_BEFORE_BACKOFF) {
                delay = Math.min(LAST_DELAY_NANOS, 2 * delay);
            }
            if (kernel.idleProcessors() < kernel.procs()) {
                allIdleSince = 0;
            } else if (allIdleSince == 0) {
                allIdleSince = now;
            } else if (now - allIdleSince > DEEP_AFTER_NANOS) {
                sleepDeeply();
                allIdleSince = 0;
                idleCycles = 0;
                delay = FIRST_DELAY_NANOS;
            }
        }
    }

    /// Until a processor leaves the idle list.
    private void sleepDeeply() {
        deep = true;
        if (kernel.idleProcessors() == kernel.procs() && !kernel.isClosed()) { // after the announcement
            Jdk.parkCarrier(DEEP_SLEEP_NANOS);
            boolean _ = Thread.interrupted();
        }
        deep = false;
    }

    /// One look at every processor. Go: retake.
    private boolean look(long now) {
        boolean acted = false;
        for (Processor processor : kernel.processors().all()) {
            if (processor.status == Processor.Status.RUNNING) {
                acted |= watchSlice(processor, now);
            }
        }
        return acted;
    }

    private static boolean watchSlice(Processor processor, long now) {
        Processor.Look look = processor.look;
        long tick = processor.schedTick;
        if (tick != look.schedTick) {
            look.schedTick = tick;
            look.sinceNanos = now;
            return false;
        }
        if (now - look.sinceNanos < SLICE_NANOS || processor.preempt) {
            return false;
        }
        processor.preempt = true;
        return true;
    }
}
