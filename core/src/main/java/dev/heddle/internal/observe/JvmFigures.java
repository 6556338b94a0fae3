package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.JdkThreads;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What a JVM uses, at one point in time.
///
/// @param nanoTime the time, on the clock of `System.nanoTime()` in that JVM
/// @param cpus     CPUs that the JVM may use
/// @param cpuNanos CPU time of the process since its start
/// @param heapUsed used heap in bytes
/// @param heapMax  bytes that the heap may grow to
/// @param gcMillis time for which collections stopped the program, since the JVM started
/// @param threads  platform threads, carriers included
public record JvmFigures(
        long nanoTime, int cpus, long cpuNanos, long heapUsed, long heapMax, long gcMillis, int threads) {

    static JvmFigures now() {
        Runtime jvm = Runtime.getRuntime();
        return new JvmFigures(
                System.nanoTime(),
                jvm.availableProcessors(),
                cpuTime(),
                jvm.totalMemory() - jvm.freeMemory(),
                jvm.maxMemory(),
                pauses(),
                JdkThreads.all().size());
    }

    private static long cpuTime() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }

    private static long pauses() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!collector.getName().endsWith("Cycles")) { // concurrent cycles do not stop the program
                millis += Math.max(0, collector.getCollectionTime());
            }
        }
        return millis;
    }
}
