package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.jdk.ProgramHooks;
import dev.heddle.internal.jdk.SocketWaiters;
import org.jspecify.annotations.Nullable;

/// Finds out, under `Go.main`, that no goroutine can ever run again. Go: checkdead.
///
/// A deadlock is reported if, in two checks 50 ms apart with nothing submitted in between, nothing is queued, blocked
/// on its carrier or about to start, and nothing is left that could make a goroutine runnable:
///
/// - no timer that is pending; one that was cancelled does not count, although it is still in its heap;
/// - no virtual thread that waits for a socket; that sockets were used before does not count, although a machine
///   waits in epoll ever since;
/// - no platform thread that may act by itself, and no virtual thread of another scheduler;
/// - no signal handler and no shutdown hook of the program.
///
/// Where one of them cannot be told, there is no report (N23). System monitor only.
final class DeadlockDetector {

    static final long APART_NANOS = 50_000_000;

    private final Kernel kernel;
    private volatile @Nullable Thread mainThread;
    private volatile boolean mainExited;
    private long quietSince = -1;
    private long submitted;

    /// How often this was asked: for tests, which wait for a check and not for a time.
    private volatile long checks;

    DeadlockDetector(Kernel kernel) {
        this.kernel = kernel;
    }

    /// `waiting` runs `Go.main`, and waits there until the main goroutine has returned.
    void begin(Thread waiting) {
        mainThread = waiting;
        kernel.monitor.wake();
    }

    /// The main goroutine ended by `Go.goexit`: the others go on.
    void mainExited() {
        mainExited = true;
        kernel.monitor.wake();
    }

    void end() {
        mainThread = null;
    }

    boolean isOn() {
        return mainThread != null;
    }

    /// What Go would say now; null unless this is a deadlock.
    @Nullable
    String look(long now) {
        long seen = kernel.submissions();
        boolean isQuiet = isQuiet();
        checks++; // written by the monitor only
        if (!isQuiet) {
            quietSince = -1;
            return null;
        }
        if (quietSince < 0 || seen != submitted) {
            quietSince = now;
            submitted = seen;
            return null;
        }
        if (now - quietSince < APART_NANOS || !arePlatformThreadsPassive() || ProgramHooks.isAny()) {
            return null;
        }
        if (kernel.live() == 0) {
            return mainExited ? "fatal error: no goroutines (main called runtime.Goexit) - deadlock!" : null;
        }
        return "fatal error: all goroutines are asleep - deadlock!";
    }

    long checks() {
        return checks;
    }

    /// The order matters. First the machines: one that is about to fire a timer or to wake the reader of a
    /// socket is seen as busy here, or else the timer or reader is seen below.
    private boolean isQuiet() {
        return isOn()
                && kernel.idle.idleProcessors() == kernel.procs()
                && kernel.spin.spinning() == 0
                && kernel.areAllMachinesIdle()
                && !kernel.hasQueuedWork()
                && !isTimerPending()
                && !SocketWaiters.isAny();
    }

    private boolean isTimerPending() {
        for (Processor processor : kernel.processors().all()) {
            if (processor.timers.hasPending()) {
                return true;
            }
        }
        return false;
    }

    private boolean arePlatformThreadsPassive() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        for (ThreadGroup parent = root.getParent(); parent != null; parent = root.getParent()) {
            root = parent;
        }
        Thread[] threads = new Thread[2 * root.activeCount() + 16];
        int count = root.enumerate(threads);
        if (count == threads.length) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            Thread thread = threads[i];
            boolean isPassive = thread == mainThread
                    || thread instanceof KernelThread
                    || Jdk.isCarrier(thread) // what it may carry is asked below
                    || JdkThreads.isPassive(thread);
            if (!isPassive) {
                return false;
            }
        }
        return !Jdk.areVirtualThreadsElsewhere(kernel.pool());
    }

    /// Says so, shows every goroutine and ends the JVM as Go does. On a thread of its own: the monitor never
    /// prints.
    void report(String message) {
        Thread reporter = new Thread(
                null,
                () -> {
                    System.err.println(message);
                    for (Thread thread : Jdk.virtualThreadsOf(kernel.pool())) {
                        System.err.print(goroutine(thread));
                    }
                    System.err.flush();
                    Runtime.getRuntime().halt(2);
                },
                kernel.name() + "-fatal",
                0,
                false);
        reporter.setDaemon(true);
        reporter.start();
    }

    private static String goroutine(Thread thread) {
        WaitRecord waiting = WaitRecord.of(thread);
        StringBuilder text = new StringBuilder("\ngoroutine ")
                .append(thread.threadId())
                .append(" [")
                .append(
                        waiting != null
                                ? waiting.waitReason()
                                : thread.getState().name().toLowerCase(java.util.Locale.ROOT))
                .append("]:\n");
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append('\t').append(frame).append('\n');
        }
        return text.toString();
    }
}
