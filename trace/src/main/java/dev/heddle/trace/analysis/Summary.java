package dev.heddle.trace.analysis;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.Recording;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import dev.heddle.trace.RunCounts;
import dev.heddle.trace.SchedulerState;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A recording in totals, with the longest waits explained.
public final class Summary {

    private final Recording recording;
    private final Map<Integer, SchedulerSummary> schedulers = new TreeMap<>();
    private final Distribution pauses = new Distribution();
    private long events;
    private long throttled;
    private @Nullable RunCounts counts;
    private List<RunnableWait> longestWaits = List.of();

    private Summary(Recording recording) {
        this.recording = recording;
    }

    /// Sums a recording up. Reads it several times.
    ///
    /// @param waits how many of the longest waits are explained
    /// @throws dev.heddle.trace.RecordingException if the recording contradicts itself
    public static Summary of(Recording recording, int waits) throws IOException {
        Summary summary = new Summary(recording);
        LongestWaits longest = new LongestWaits();
        Replay replay = Replay.of(recording, summary.new Collector(), longest);
        summary.counts = replay.counts();
        summary.longestWaits = longest.explain(recording, waits);
        return summary;
    }

    private final class Collector implements ReplayListener {

        private final Map<Goroutine, Long> starts = new HashMap<>();
        private final Map<Processor, Long> ownedSince = new HashMap<>();
        private @Nullable Replay replay;

        private SchedulerSummary of(SchedulerState scheduler) {
            return schedulers.computeIfAbsent(
                    scheduler.number(),
                    _ -> new SchedulerSummary(scheduler.number(), scheduler.name(), recording::stack));
        }

        @Override
        public void begins(Replay replay) {
            this.replay = replay;
            for (SchedulerState scheduler : replay.schedulers()) {
                for (Processor processor : scheduler.processors()) {
                    if (processor.machine() != null) {
                        ownedSince.put(processor, replay.now());
                    }
                }
            }
            replay.goroutines().forEach(it -> of(it.scheduler()).appears(it));
        }

        @Override
        public void event(TraceEvent event) {
            events += event.kind() == EventKind.CHUNK ? 0 : 1;
            Replay current = replay;
            if (current == null) {
                return;
            }
            if (event.kind() == EventKind.GC) {
                pauses.add(event.get(Field.NANOS));
            } else if (event.kind() == EventKind.THROTTLED) {
                throttled += event.get(Field.NANOS);
            }
            SchedulerState scheduler = current.scheduler(Math.max(0, event.scheduler()));
            of(scheduler).event(event, event.kind() == EventKind.STEAL ? thief(scheduler, event.machine()) : -1);
        }

        private static int thief(SchedulerState scheduler, int machine) {
            for (Machine each : scheduler.machines()) {
                Processor processor = each.processor();
                if (each.id() == machine && processor != null) {
                    return processor.id();
                }
            }
            return -1;
        }

        @Override
        public void interval(Goroutine goroutine, long until) {
            of(goroutine.scheduler()).interval(goroutine, until);
        }

        @Override
        public void created(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
            of(goroutine.scheduler()).appears(goroutine);
            countRunnable(goroutine.scheduler());
        }

        @Override
        public void woken(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
            countRunnable(goroutine.scheduler());
        }

        private void countRunnable(SchedulerState scheduler) {
            SchedulerSummary summary = of(scheduler);
            summary.mostRunnable = Math.max(summary.mostRunnable, scheduler.runnable());
        }

        @Override
        public void started(Goroutine goroutine, Machine machine) {
            of(goroutine.scheduler()).started(goroutine, machine);
            starts.put(goroutine, goroutine.since());
        }

        @Override
        public void stopped(Goroutine goroutine, Machine machine, Stop how) {
            Long start = starts.remove(goroutine);
            if (start != null) {
                of(goroutine.scheduler()).ran(goroutine.since() - start);
            }
        }

        @Override
        public void gained(Machine machine, Processor processor) {
            ownedSince.put(processor, processor.since());
        }

        @Override
        public void lost(Machine machine, Processor processor, Loss how, TraceEvent event) {
            Long since = ownedSince.remove(processor);
            if (since != null) {
                of(processor.scheduler()).owned(processor, event.time() - since);
            }
        }

        @Override
        public void ends(Replay replay) {
            ownedSince.forEach(
                    (processor, since) -> of(processor.scheduler()).owned(processor, recording.to() - since));
            for (SchedulerState scheduler : replay.schedulers()) {
                SchedulerSummary summary = of(scheduler);
                summary.procs = scheduler.procs();
                summary.machines = scheduler.machines().size();
            }
        }
    }

    // ---- results

    public Recording recording() {
        return recording;
    }

    /// Events in the window.
    public long events() {
        return events;
    }

    /// The length of the window in nanoseconds.
    public long nanos() {
        return recording.to() - recording.from();
    }

    public List<SchedulerSummary> schedulers() {
        return List.copyOf(schedulers.values());
    }

    /// The pauses of the garbage collector.
    public Distribution pauses() {
        return pauses;
    }

    /// For how long the container's quota stopped the process.
    public long throttled() {
        return throttled;
    }

    /// How many runs began and ended.
    public @Nullable RunCounts counts() {
        return counts;
    }

    /// The longest waits for a processor, the longest first.
    public List<RunnableWait> longestWaits() {
        return longestWaits;
    }
}
