package dev.heddle.trace.analysis;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import dev.heddle.trace.SchedulerState;
import dev.heddle.trace.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers for some waits the question: why was it runnable but not running?
///
/// Follows each of them from the moment when the goroutine becomes runnable to its start, and notes what the recording
/// shows meanwhile: its queue, what ran on that processor, which processors were idle, and whether the world stood
/// still. [Explanation] judges.
final class WaitExplainer implements ReplayListener {

    private final List<LongestWaits.Found> waits;
    private final Map<Long, List<LongestWaits.Found>> byGoroutine = new HashMap<>();
    private final Map<LongestWaits.Found, RunnableWait> explained = new HashMap<>();
    private final Map<Goroutine, Explanation> open = new HashMap<>();
    private final Map<Processor, Long> idleSince = new HashMap<>();
    private final Map<SchedulerState, Long> stoppedSince = new HashMap<>();
    private final List<Pause> pauses = new ArrayList<>();
    private @Nullable Replay replay;

    /// A pause of the garbage collector. It is reported after it has ended, perhaps after the wait.
    record Pause(long begin, long end) {}

    WaitExplainer(List<LongestWaits.Found> waits) {
        this.waits = waits;
        for (LongestWaits.Found wait : waits) {
            byGoroutine
                    .computeIfAbsent(wait.goroutine(), _ -> new ArrayList<>())
                    .add(wait);
        }
    }

    /// In the order in which they were asked for.
    List<RunnableWait> explained() {
        return waits.stream().map(explained::get).filter(it -> it != null).toList();
    }

    // ---- the waits

    @Override
    public void begins(Replay replay) {
        this.replay = replay;
        for (SchedulerState scheduler : replay.schedulers()) {
            for (Processor processor : scheduler.processors()) {
                if (processor.machine() == null) {
                    idleSince.put(processor, replay.now());
                }
            }
        }
        replay.goroutines().forEach(this::waits);
    }

    /// A goroutine that is runnable now, if it is one of those.
    private void waits(Goroutine goroutine) {
        List<LongestWaits.Found> asked = byGoroutine.get(goroutine.id());
        if (asked != null && goroutine.state() == State.RUNNABLE) {
            for (LongestWaits.Found wait : asked) {
                if (wait.from() == goroutine.since() && !explained.containsKey(wait)) {
                    open.put(goroutine, new Explanation(wait, goroutine));
                }
            }
        }
    }

    @Override
    public void created(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        waits(goroutine);
    }

    @Override
    public void woken(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        waits(goroutine);
    }

    @Override
    public void stopped(Goroutine goroutine, Machine machine, Stop how) {
        waits(goroutine);
    }

    @Override
    public void interval(Goroutine goroutine, long until) {
        Explanation ended = open.get(goroutine);
        if (ended != null && until == ended.wait.until()) {
            finish(ended, until);
            open.remove(goroutine);
        }
        Machine machine = goroutine.machine();
        boolean goesOn = replay != null && until == replay.recording().to(); // then finish counts it
        if (goroutine.state() == State.RUNNING && machine != null && !goesOn) {
            for (Explanation each : open.values()) {
                each.ran(machine.processor(), goroutine, goroutine.since(), until);
            }
        }
    }

    private void finish(Explanation ended, long until) {
        Replay current = replay;
        if (current == null) {
            return;
        }
        ended.moved(until);
        for (Processor processor : ended.goroutine.scheduler().processors()) {
            Goroutine running = processor.running();
            if (running != null && running.state() == State.RUNNING) {
                ended.ran(processor, running, running.since(), until);
            }
        }
        idleSince.forEach((processor, since) -> ended.wasIdle(processor, since, until));
        Long stopped = stoppedSince.get(ended.goroutine.scheduler());
        if (stopped != null) {
            ended.wasStopped(stopped, until);
        }
        pauses.forEach(it -> ended.paused(it.begin, it.end));
        explained.put(ended.wait, ended.judge());
    }

    // ---- what happens meanwhile

    @Override
    public void event(TraceEvent event) {
        long now = event.time();
        open.values().forEach(it -> it.moved(now));
        Replay current = replay;
        if (current == null) {
            return;
        }
        SchedulerState scheduler = current.scheduler(Math.max(0, event.scheduler()));
        if (event.kind() == EventKind.STW_BEGIN) {
            stoppedSince.putIfAbsent(scheduler, now);
        } else if (event.kind() == EventKind.STW_END) {
            Long since = stoppedSince.remove(scheduler);
            if (since != null) {
                open.values().stream()
                        .filter(it -> it.goroutine.scheduler() == scheduler)
                        .forEach(it -> it.wasStopped(since, now));
            }
        } else if (event.kind() == EventKind.GC) {
            long begin = now - event.get(Field.AGO);
            long from = Math.max(begin, pauses.isEmpty() ? begin : pauses.getLast().end); // reports may overlap
            pauses.add(new Pause(from, Math.max(from, begin + event.get(Field.NANOS))));
        } else if (event.kind() == EventKind.STEAL) {
            open.values().forEach(it -> it.stolenFrom(scheduler, (int) event.get(Field.PROCESSOR)));
        }
    }

    @Override
    public void gained(Machine machine, Processor processor) {
        Long since = idleSince.remove(processor);
        Replay current = replay;
        if (since != null && current != null) {
            open.values().forEach(it -> it.wasIdle(processor, since, current.now()));
        }
    }

    @Override
    public void lost(Machine machine, Processor processor, Loss how, TraceEvent event) {
        idleSince.put(processor, event.time());
    }
}
