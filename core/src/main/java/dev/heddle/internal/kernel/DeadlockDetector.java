package dev.heddle.internal.kernel;

import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.jdk.ProgramHooks;
import dev.heddle.internal.jdk.SocketWaiters;
import org.jspecify.annotations.Nullable;

/// Detects, under `Go.main`, that no goroutine can ever run again. Go: checkdead.
///
/// A deadlock is reported if two checks at least 50 ms apart, and all checks between them, agree: nothing was submitted
/// in between, no entry is queued, blocked on its carrier or about to start, and nothing is left that could make a
/// goroutine runnable:
///
/// - no timer is pending; a cancelled timer does not count, although it is still in its heap;
/// - no virtual thread waits for a socket; earlier use of sockets does not count, although a machine has waited in
///   epoll ever since;
/// - no platform thread may act by itself, and there is no virtual thread of another scheduler;
/// - the program has no signal handler and no shutdown hook.
///
/// If one of these cannot be determined, there is no report (N23). The system monitor makes the checks.
public final class DeadlockDetector {

    static final long APART_NANOS = 50_000_000;

    private final Kernel kernel;
    private volatile @Nullable Thread mainThread;
    private volatile boolean mainExited;
    private long quietSince = -1;
    private long submitted;

    /// The number of checks so far. For tests, which wait for a check instead of sleeping.
    private volatile long checks;

    DeadlockDetector(Kernel kernel) {
        this.kernel = kernel;
    }

    /// Begins to watch. The thread `waiting` runs `Go.main` and waits there until the main goroutine has returned.
    public void begin(Thread waiting) {
        mainThread = waiting;
        kernel.monitor.wake();
    }

    /// The main goroutine ended by `Go.goexit`. The other goroutines go on.
    public void mainExited() {
        mainExited = true;
        kernel.monitor.wake();
    }

    public void end() {
        mainThread = null;
    }

    boolean isOn() {
        return mainThread != null;
    }

    /// Checks for a deadlock. Returns the message that Go would print; null if this is not a deadlock.
    @Nullable
    String look(long now) {
        long seen = kernel.counters.submissions();
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

    /// The order matters: machines are checked before timers and sockets. A machine that is about to fire a
    /// timer, or to wake the reader of a socket, is seen as busy. Otherwise the timer or the reader is seen
    /// afterwards.
    private boolean isQuiet() {
        return isOn()
                && kernel.idle.idleProcessors() == kernel.procs()
                && kernel.spin.spinning() == 0
                && kernel.machineCounts.areAllIdle()
                && !kernel.spin.hasQueuedWork()
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
        for (Thread thread : JdkThreads.all()) {
            boolean isPassive = thread == mainThread
                    || thread instanceof KernelThread
                    || Jdk.isCarrier(thread) // the threads it may carry are checked below
                    || JdkThreads.isPassive(thread);
            if (!isPassive) {
                return false;
            }
        }
        return !Jdk.areVirtualThreadsElsewhere(kernel.pool());
    }

    /// Prints the message and every goroutine, and ends the JVM as Go does. On a separate thread, since the monitor
    /// never prints. Any thread.
    void report(String message) {
        Thread reporter = new Thread(
                null,
                () -> {
                    System.err.println(message);
                    for (Thread thread : Jdk.virtualThreadsOf(kernel.pool())) {
                        System.err.print(goroutine(thread));
                    }
                    System.err.flush();
                    kernel.recorder.deadlock(message);
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
