package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.CpuSet;
import dev.heddle.internal.procs.LinuxCalls;
import dev.heddle.internal.procs.NumaOrder;
import dev.heddle.internal.procs.Pinning;
import org.jspecify.annotations.Nullable;

/// Keeps each processor on its CPU: the machine that owns it moves there. `-Dheddle.pin`.
final class Placement {

    private final Pinning pinning;
    private final LinuxCalls calls;
    private volatile boolean warned;

    Placement(Pinning pinning) {
        this.pinning = pinning;
        this.calls = LinuxCalls.load(Jdk::allowNativeAccess);
    }

    /// The steal order for that many processors; null where all of them are on one NUMA node.
    @Nullable
    NumaOrder stealOrder(int procs) {
        NumaOrder order = pinning.stealOrder(procs);
        return order.isUniform() ? null : order;
    }

    /// Moves the current thread, a machine, to the processor's CPU.
    void moveTo(Processor processor) {
        String refused = calls.setAffinity(0, CpuSet.of(pinning.cpuOf(processor.id)));
        if (refused != null && !warned) {
            warned = true;
            System.err.println("heddle: " + refused);
        }
    }
}
