package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.Jdk;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// N18: the JDK asks for a timer after it has unmounted a thread; a failure there leaves the thread between two states,
/// where neither unpark nor interrupt nor time would ever reach it.
class RepairTest {

    private static final int FAILURES = 20;

    /// A pool whose timers cannot be had at first.
    private static final class NoTimers extends KernelPool {
        final AtomicInteger refused = new AtomicInteger();

        NoTimers(Kernel kernel) {
            super(kernel);
        }

        @Override
        protected Timeout scheduleTimer(Runnable command, long delayNanos) {
            if (refused.getAndIncrement() < FAILURES) {
                throw new OutOfMemoryError("a test");
            }
            return super.scheduleTimer(command, delayNanos);
        }
    }

    private static void runsOn(Runnable timedWait) throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            Kernel kernel = rig.kernel();
            NoTimers pool = new NoTimers(kernel);
            AtomicInteger waits = new AtomicInteger();
            Thread thread = Jdk.newVirtualThread(pool, null, 0, () -> {
                while (pool.refused.get() <= FAILURES) {
                    timedWait.run();
                    waits.incrementAndGet();
                }
            });
            thread.start();
            rig.join(thread);
            assertThat(waits.get()).isPositive();
            assertThat(kernel.counters.repairs.get()).isEqualTo(FAILURES);
        }
    }

    @Test
    void aTimedParkWhoseTimerFailedReturns() throws InterruptedException {
        runsOn(() -> LockSupport.parkNanos(1_000_000));
    }

    @Test
    void aSleepWhoseTimerFailedEnds() throws InterruptedException {
        runsOn(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aTimedObjectWaitWhoseTimerFailedReturns() throws InterruptedException {
        Object monitor = new Object();
        runsOn(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }

    /// The repaired wait must leave nothing behind that a later notify could stumble over.
    @Test
    void aMonitorIsSoundAfterARepairedWait() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            NoTimers pool = new NoTimers(rig.kernel());
            Object monitor = new Object();
            AtomicInteger woken = new AtomicInteger();
            Thread[] waiters = new Thread[10];
            for (int i = 0; i < waiters.length; i++) {
                waiters[i] = Jdk.newVirtualThread(pool, null, 0, () -> {
                    synchronized (monitor) {
                        try {
                            monitor.wait(1);
                            monitor.wait(30_000);
                        } catch (InterruptedException _) {
                            return;
                        }
                    }
                    woken.incrementAndGet();
                });
                waiters[i].start();
            }
            while (woken.get() < waiters.length) {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
                LockSupport.parkNanos(1_000_000);
            }
            for (Thread waiter : waiters) {
                rig.join(waiter);
            }
        }
    }
}
