package dev.heddle.internal.kernel;

import dev.heddle.stats.SchedulerStats;
import java.util.concurrent.TimeUnit;

/// Takes the racy picture of a kernel that statistics and traces show.
final class Snapshot {

    private Snapshot() {}

    static SchedulerStats of(Kernel kernel) {
        Processor[] all = kernel.processors().all();
        int[] queued = new int[all.length];
        long[] ticks = new long[all.length];
        int global = kernel.globalQueue.size();
        int timers = 0;
        for (int i = 0; i < all.length; i++) {
            queued[i] = all[i].runQueue.size();
            global += all[i].yielded.size();
            ticks[i] = all[i].schedTick;
            timers += all[i].timers.size();
        }
        long switches = 0;
        long steals = 0;
        long stolen = 0;
        long overflows = 0;
        long wakes = 0;
        long naps = 0;
        long fired = 0;
        for (Processor processor : kernel.world.everyProcessor()) {
            switches += processor.switches;
            steals += processor.steals;
            stolen += processor.stolen;
            overflows += processor.overflows;
            wakes += processor.wakes;
            naps += processor.naps;
            fired += processor.timersFired;
        }
        Counters counters = kernel.counters;
        return new SchedulerStats(
                TimeUnit.NANOSECONDS.toMillis(kernel.now()),
                all.length,
                kernel.idle.idleProcessors(),
                kernel.machineCounts.machines(),
                kernel.spin.spinning(),
                kernel.spin.needSpinning() != 0,
                kernel.idle.idleMachines(),
                global,
                queued,
                ticks,
                kernel.live(),
                switches,
                steals,
                stolen,
                overflows,
                wakes,
                naps,
                counters.injections.get(),
                fired,
                timers,
                counters.blockedHandOffs.get(),
                counters.undeclaredHandOffs.get(),
                counters.hogHandOffs.get(),
                counters.detachedHogs.get(),
                counters.demoted.get(),
                counters.preemptions.get(),
                counters.refusedThreads.get(),
                counters.rescues.get(),
                counters.repairs.get(),
                counters.safetyNet.get(),
                counters.reclaimedTokens.get(),
                kernel.locked.idleMachines(),
                kernel.isStopping(),
                kernel.monitor.isDeep());
    }
}
