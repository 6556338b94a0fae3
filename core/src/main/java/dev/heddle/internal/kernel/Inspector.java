package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkPollers;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.LatencyStats;
import dev.heddle.stats.MachineStats;
import dev.heddle.stats.ProcessorStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the state of kernels for dumps and metrics, without stopping them and without a lock of the kernel.
///
/// All values are racy snapshots, and slow to collect: the kernel keeps no list for this purpose. Kernels and machines
/// are found among the JVM's threads, where they stay for as long as they live.
public final class Inspector {

    private Inspector() {}

    /// The schedulers of this JVM that have not ended and that an object of the API represents. The JVM's
    /// default comes first, then the others, the oldest first. Any thread.
    public static List<Kernel> kernels() {
        List<SystemMonitor> monitors = new ArrayList<>();
        for (Thread thread : JdkThreads.all()) {
            if (thread instanceof SystemMonitor monitor
                    && !monitor.kernel().isEnded()
                    && monitor.kernel().pool().hasOwner()) {
                monitors.add(monitor);
            }
        }
        monitors.sort(Comparator.comparing((SystemMonitor it) -> !isDefault(it.kernel()))
                .thenComparingLong(Thread::threadId));
        return monitors.stream().map(SystemMonitor::kernel).toList();
    }

    /// The scheduler's name for people. The agent's is called `heddle`: its own name is the prefix of its carriers'
    /// names, which are the JDK's.
    public static String nameOf(Kernel kernel) {
        return isDefault(kernel) ? "heddle" : kernel.name();
    }

    /// Whether the kernel is the JVM's default: it runs every virtual thread that has no scheduler of its own.
    public static boolean isDefault(Kernel kernel) {
        return DefaultScheduler.installed() == kernel.pool();
    }

    public static List<ProcessorStats> processors(Kernel kernel) {
        List<ProcessorStats> stats = new ArrayList<>();
        for (Processor processor : kernel.processors().all()) {
            Machine owner = processor.machine;
            stats.add(new ProcessorStats(
                    processor.id,
                    statusOf(processor),
                    processor.schedTick,
                    owner == null ? -1 : owner.id,
                    processor.runQueue.size(),
                    processor.runQueue.hasNext(),
                    processor.timers.size(),
                    processor.switches,
                    processor.started,
                    processor.ended,
                    processor.steals,
                    processor.stolen,
                    processor.stolenFrom(),
                    processor.handOffs,
                    processor.preemptions,
                    processor.spins,
                    processor.wakes,
                    processor.naps,
                    processor.overflows,
                    processor.timersFired));
        }
        return stats;
    }

    /// The status in Go's numbers.
    private static int statusOf(Processor processor) {
        return switch (processor.status) {
            case IDLE -> ProcessorStats.IDLE;
            case RUNNING, PENDING -> ProcessorStats.RUNNING;
            case STOPPED -> ProcessorStats.STOPPED;
            case DEAD -> ProcessorStats.DEAD;
        };
    }

    /// The machines of the kernel, the newest first, in the order in which Go lists them.
    public static List<MachineStats> machines(Kernel kernel) {
        List<MachineStats> stats = new ArrayList<>();
        for (Thread thread : JdkThreads.all()) {
            if (thread instanceof Machine machine && machine.kernel == kernel) {
                stats.add(of(machine));
            }
        }
        stats.sort(Comparator.comparingInt(MachineStats::id).reversed());
        return stats;
    }

    private static MachineStats of(Machine machine) {
        long word = machine.word();
        int state = Word.state(word);
        boolean owns = state != Word.NONE && state != Word.LOST;
        Runnable mounted = machine.mounted();
        Thread locked = machine.locked.thread();
        Blockage blockage = Blockage.of(machine);
        return new MachineStats(
                machine.id,
                machine.threadId(),
                machine.probe.threadId(),
                machine.getName(),
                owns ? Word.pid(word) : -1,
                mounted == null ? 0 : Jdk.threadOf(mounted).threadId(),
                locked == null ? 0 : locked.threadId(),
                machine.spinning,
                machine.isIdle,
                blockage != Blockage.NONE,
                blockage == Blockage.PINNED,
                machine.isFreeHog && blockage == Blockage.NONE);
    }

    /// A carrier that the thread on it blocks.
    ///
    /// @param carrier the carrier
    /// @param thread  the thread that blocks it
    /// @param pinned  whether that thread waits and cannot leave the carrier
    /// @param sleep   identifies this sleep among those of the carrier
    public record BlockedCarrier(Thread carrier, Thread thread, boolean pinned, long sleep) {}

    /// The carriers of the kernel that are blocked now, as [#machines] counts them.
    public static List<BlockedCarrier> blockedCarriers(Kernel kernel) {
        List<BlockedCarrier> blocked = new ArrayList<>();
        for (Thread thread : JdkThreads.all()) {
            if (thread instanceof Machine machine && machine.kernel == kernel) {
                Blockage blockage = Blockage.of(machine);
                Thread mounted = machine.mountedThread();
                if (blockage != Blockage.NONE && mounted != null) {
                    long sleep = machine.probe.sleepId();
                    blocked.add(new BlockedCarrier(
                            machine, mounted, blockage == Blockage.PINNED, sleep < 0 ? machine.mounts() : sleep));
                }
            }
        }
        return blocked;
    }

    /// How many goroutines and virtual threads were ever started.
    public static long created(Kernel kernel) {
        return kernel.counters.started();
    }

    public static LatencyStats latencies(Kernel kernel) {
        return kernel.latency.histogram.stats();
    }

    /// The threads of the goroutines that have begun and not ended, and the other virtual threads of the
    /// scheduler. A goroutine that no machine has run yet has no thread and is missing here; [Kernel#live]
    /// counts it. Slow.
    public static List<Thread> threads(Kernel kernel) {
        List<Thread> threads = Jdk.virtualThreadsOf(kernel.pool());
        threads.removeIf(thread -> JdkPollers.isSubPoller(thread) || isBetweenGoroutines(thread));
        return threads;
    }

    /// Whether the thread waits until another thread, a timer or a socket unparks it. Cheap, and racy.
    public static boolean isParked(Thread thread) {
        return switch (Jdk.stateOf(thread) & ~ThreadState.SUSPENDED) {
            case ThreadState.PARKED, ThreadState.TIMED_PARKED, ThreadState.WAIT, ThreadState.TIMED_WAIT -> true;
            default -> false;
        };
    }

    private static boolean isBetweenGoroutines(Thread thread) {
        return Jdk.taskOf(thread) instanceof Shell shell
                && shell.current() == null
                && Jdk.stateOf(thread) != ThreadState.STARTED;
    }

    /// The goroutine that runs in this thread now; null if the thread is an ordinary virtual thread, or a shell
    /// between two goroutines.
    public static @Nullable Goroutine goroutineOf(Thread thread) {
        return Jdk.taskOf(thread) instanceof Shell shell ? shell.current() : null;
    }

    /// What the thread runs: the body of its goroutine, or its task; null if that is unknown.
    public static @Nullable Object bodyOf(Thread thread) {
        Goroutine goroutine = goroutineOf(thread);
        return goroutine == null ? Jdk.taskOf(thread) : goroutine.body();
    }

    public static boolean isLocked(Kernel kernel, Thread thread) {
        return kernel.locked.isLocked(thread);
    }

    /// The number of this carrier as a machine; -1 if the carrier is not a machine of Heddle's.
    public static int machineId(@Nullable Thread carrier) {
        return carrier instanceof Machine machine ? machine.id : -1;
    }

    /// The state of a virtual thread of the scheduler, derived from one snapshot of its JVM state and its carrier.
    public static GoroutineState stateOf(Thread.State state, @Nullable Thread carrier) {
        return switch (state) {
            case NEW, RUNNABLE, TERMINATED -> carrier == null ? GoroutineState.RUNNABLE : stateOn(carrier);
            case BLOCKED, WAITING, TIMED_WAITING -> carrier == null ? GoroutineState.WAITING : GoroutineState.PINNED;
        };
    }

    private static GoroutineState stateOn(Thread carrier) {
        if (!(carrier instanceof Machine machine)) {
            return GoroutineState.RUNNING;
        }
        return switch (Blockage.of(machine)) {
            case NONE -> GoroutineState.RUNNING;
            case SYSCALL -> GoroutineState.SYSCALL;
            case PINNED -> GoroutineState.PINNED;
        };
    }
}
