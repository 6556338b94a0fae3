package dev.heddle.internal.observe;

import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.MachineStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerSnapshot;
import dev.heddle.stats.SchedulerStats;
import java.util.List;

/// The texts of `schedtrace`, in Go's formats (F87, F88), and of our own `steals`.
///
/// Fields without a counterpart in a JVM are printed with Go's neutral value (`mallocing=0`), so that tools that read
/// Go's output can read this.
final class SchedDetail {

    private SchedDetail() {}

    /// The lines of `schedtrace=X,scheddetail=1`.
    ///
    /// @param suffix text to append to the first line
    static void append(
            StringBuilder text, SchedulerSnapshot scheduler, String suffix, List<GoroutineStats> goroutines) {
        SchedulerStats stats = scheduler.stats();
        String line = stats.schedTrace();
        text.append(line, 0, line.indexOf(" [ "))
                .append(" gcwaiting=")
                .append(stats.stopping())
                .append(" nmidlelocked=")
                .append(stats.lockedIdleThreads())
                .append(" stopwait=0 sysmonwait=")
                .append(stats.monitorAsleep())
                .append(suffix);
        scheduler.processors().forEach(it -> append(text, it));
        scheduler.machines().forEach(it -> append(text, it));
        goroutines.forEach(it -> append(text, it, scheduler.machines()));
    }

    private static void append(StringBuilder text, ProcessorStats processor) {
        text.append("\n  P")
                .append(processor.id())
                .append(": status=")
                .append(processor.status())
                .append(" schedtick=")
                .append(processor.schedTick())
                .append(" syscalltick=")
                .append(processor.handOffs())
                .append(" m=")
                .append(idOrNil(processor.machine(), -1))
                .append(" runqsize=")
                .append(processor.runQueue())
                .append(" gfreecnt=0 timerslen=")
                .append(processor.timers());
    }

    private static void append(StringBuilder text, MachineStats machine) {
        text.append("\n  M")
                .append(machine.id())
                .append(": p=")
                .append(idOrNil(machine.processor(), -1))
                .append(" curg=")
                .append(idOrNil(machine.goroutine(), 0))
                .append(" mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=")
                .append(machine.spinning())
                .append(" blocked=")
                .append(machine.blocked() || machine.idle())
                .append(" lockedg=")
                .append(idOrNil(machine.locked(), 0));
    }

    private static void append(StringBuilder text, GoroutineStats goroutine, List<MachineStats> machines) {
        String reason = goroutine.waitReason();
        text.append("\n  G")
                .append(goroutine.id())
                .append(": status=")
                .append(goroutine.state().number())
                .append('(')
                .append(reason == null ? "" : reason)
                .append(") m=")
                .append(idOrNil(goroutine.machine(), -1))
                .append(" lockedm=")
                .append(machines.stream()
                        .filter(it -> goroutine.locked() && it.locked() == goroutine.id())
                        .findFirst()
                        .map(it -> Integer.toString(it.id()))
                        .orElse("nil"));
    }

    private static String idOrNil(long id, long nil) {
        return id == nil ? "nil" : Long.toString(id);
    }

    /// The line of `steals=1`: for each processor how often it stole, was stolen from, was taken from a
    /// machine, was asked to yield, and searched for work. All counts are since the start.
    static String steals(SchedulerSnapshot scheduler) {
        StringBuilder text =
                new StringBuilder("STEALS ").append(scheduler.stats().millis()).append("ms:");
        for (ProcessorStats processor : scheduler.processors()) {
            text.append(" P")
                    .append(processor.id())
                    .append("[steals=")
                    .append(processor.steals())
                    .append(" stolen=")
                    .append(processor.stolen())
                    .append(" stolenfrom=")
                    .append(processor.stolenFrom())
                    .append(" handoffs=")
                    .append(processor.handOffs())
                    .append(" preemptions=")
                    .append(processor.preemptions())
                    .append(" spins=")
                    .append(processor.spins())
                    .append(']');
        }
        return text.toString();
    }
}
