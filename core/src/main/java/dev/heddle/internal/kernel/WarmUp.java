package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.MountNotifications;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.queue.StealRule;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// The warm-up: exercises a private kernel once, so that the code of all kernels is loaded and linked.
///
/// The first call of a method or VarHandle may load a class, and then needs memory and class loaders. In the middle of
/// a change of the scheduler neither may be available: the heap is full, or the loader's lock is held by a thread that
/// waits for this very processor (J9). The warm-up runs once in a JVM, concurrently with the first goroutines, and no
/// thread waits for it. It is skipped if a native agent such as a debugger was named on the command line, because the
/// debugger would be notified of hundreds of threads that are not the program's.
final class WarmUp extends Thread implements KernelThread {

    /// The name of its kernel.
    static final String NAME = "heddle-warm-up";

    private static final AtomicBoolean BEGUN = new AtomicBoolean();
    private static final CountDownLatch OVER = new CountDownLatch(1);

    /// More than a local queue holds: some entries spill to the global queue and are fetched from there.
    private static final int CROWD = 600;

    private static final int MAX_MACHINES = 16;
    private static final long A_MOMENT_NANOS = 1_000_000;

    private final Goroutine.Factory goroutines;

    private WarmUp(Goroutine.Factory goroutines) {
        super(null, null, NAME, 0, /* inheritInheritableThreadLocals= */ false);
        setDaemon(true);
        this.goroutines = goroutines;
    }

    /// Begins the warm-up, unless it has begun already. Called on a platform thread.
    static void once(Goroutine.Factory goroutines) {
        if (!BEGUN.get() && BEGUN.compareAndSet(false, true)) {
            try {
                if (!MountNotifications.isNativeAgentNamed()) {
                    new WarmUp(goroutines).start();
                }
            } catch (OutOfMemoryError _) {
                BEGUN.set(false); // tried again with the next machine
            }
        }
    }

    /// Waits until the warm-up is over. For tests.
    static boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return OVER.await(timeout, unit);
    }

    @Override
    public void run() {
        try {
            perform();
        } catch (OutOfMemoryError | StackOverflowError _) {
            // the warm-up stays incomplete
        } catch (InterruptedException _) {
            // an interrupt ends the warm-up
        } finally {
            OVER.countDown();
        }
    }

    private void perform() throws InterruptedException {
        ThreadProbe probe = new ThreadProbe(this); // the monitor below may or may not use one, by chance
        probe.begin();
        boolean _ = probe.isWaiting();
        ThreadProbe.Sleep _ = probe.sleep();
        probe.readCpu();
        ProcsWatcher procs = new ProcsWatcher(_ -> null, ProcsSettings.NONE, 2, Jdk.nanoTime());
        procs.setExplicit(2, "warm-up");
        KernelOptions options = new KernelOptions(
                NAME, procs, null, MAX_MACHINES, KernelOptions.DEFAULT_IDLE_NANOS, StealRule.GO, (_, _) -> {}, null);
        Kernel kernel = Kernel.start(options);
        CountDownLatch done = new CountDownLatch(CROWD + 5);
        kernel.spawn(goroutines.of(() -> {
            for (int i = 0; i < CROWD; i++) {
                kernel.spawn(goroutines.of(done::countDown));
            }
            Thread.yield();
            done.countDown();
        }));
        start(kernel, done, () -> LockSupport.parkNanos(A_MOMENT_NANOS));
        start(kernel, done, () -> {
            Object monitor = new Object();
            synchronized (monitor) {
                try {
                    monitor.wait(1);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        start(kernel, done, () -> {
            kernel.lockThread();
            Thread.yield();
            kernel.unlockThread();
        });
        start(kernel, done, () -> {
            Jdk.pin(); // keeps its carrier: another machine must run the others
            LockSupport.parkNanos(10 * A_MOMENT_NANOS);
            Jdk.unpin();
        });
        kernel.setProcs(1);
        kernel.setProcs(2);
        kernel.stats();
        boolean _ = done.await(1, TimeUnit.SECONDS);
        kernel.close();
        if (kernel.awaitEnd(1, TimeUnit.SECONDS)) {
            new RareCalls(kernel).perform();
        }
    }

    private static void start(Kernel kernel, CountDownLatch done, Runnable task) {
        Jdk.newBareVirtualThread(kernel.pool(), () -> {
                    task.run();
                    done.countDown();
                })
                .start();
    }
}
