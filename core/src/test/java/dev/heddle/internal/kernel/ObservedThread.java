package dev.heddle.internal.kernel;

import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// The thread that the operating system answers for when the monitor asks about a driven machine.
final class ObservedThread {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Machine machine;
    private final Thread thread;
    private volatile boolean computes;
    private volatile boolean ends;

    ObservedThread(Machine machine) {
        this.machine = machine;
        CountDownLatch begun = new CountDownLatch(1);
        thread = Thread.ofPlatform().daemon().start(() -> {
            machine.probe.begin();
            begun.countDown();
            while (!ends) {
                if (!computes) {
                    LockSupport.park();
                }
            }
        });
        await("begun").atMost(PATIENCE).until(() -> begun.getCount() == 0);
    }

    void sleep() {
        computes = false;
        await("asleep").atMost(PATIENCE).until(() -> machine.probe.sleep() == ThreadProbe.Sleep.ASLEEP);
    }

    void compute() {
        computes = true;
        LockSupport.unpark(thread);
        use(1);
    }

    /// Returns when the thread has used that much more CPU time.
    void use(long nanos) {
        long enough = cpu() + nanos;
        await("CPU time").atMost(PATIENCE).until(() -> cpu() >= enough);
    }

    private long cpu() {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
    }

    void end() {
        ends = true;
        LockSupport.unpark(thread);
    }
}
