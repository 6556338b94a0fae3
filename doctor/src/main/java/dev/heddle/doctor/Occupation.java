package dev.heddle.doctor;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.Source;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Machine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.Replay;
import dev.heddle.trace.ReplayListener;
import dev.heddle.trace.SchedulerState;
import dev.heddle.trace.State;
import dev.heddle.trace.analysis.Units;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Watches in a replay by whom processors and machines are occupied: by hogs, by pairs that wake each other, by
/// blocking calls.
final class Occupation implements ReplayListener {

    /// So many machines that are blocked at once, beyond the processors, are a habit and no accident: as the rule for
    /// samples says.
    private static final int MANY_BLOCKED = 16;

    /// Of the time of the window: a pair or a hog that appears once is no problem.
    private static final double SHARE = 0.02;

    private final Map<SchedulerState, Found> found = new LinkedHashMap<>();
    private final Map<Processor, Pair> pairs = new HashMap<>();
    private final Map<Goroutine, Long> startedWithOthersWaiting = new HashMap<>();
    private final Set<Machine> blocked = new HashSet<>();
    private @Nullable Replay replay;
    private @Nullable TraceEvent last;

    /// What was found in one scheduler.
    private static final class Found {
        // hogs
        int hogRuns;
        long hogTime;
        long longestHog;
        String hog = "";
        int taken;

        // pairs
        int pairStreaks;
        long pairTime;
        long longestPair;
        String pair = "";

        // blocked machines
        int blocked;
        int mostBlocked;
        long mostBlockedAt;
        final Map<String, Long> blockedKinds = new HashMap<>();
    }

    /// Two goroutines that hand a processor to each other, by way of runnext.
    private static final class Pair {
        final Goroutine first;

        @Nullable
        Goroutine second;

        final long since;
        int runs = 1;
        boolean isWaitedFor;

        Pair(Goroutine first, long since, boolean isWaitedFor) {
            this.first = first;
            this.since = since;
            this.isWaitedFor = isWaitedFor;
        }

        boolean has(Goroutine goroutine) {
            return goroutine == first || goroutine == second;
        }
    }

    private Found of(SchedulerState scheduler) {
        return found.computeIfAbsent(scheduler, _ -> new Found());
    }

    // ---- what happens

    @Override
    public void begins(Replay replay) {
        this.replay = replay;
    }

    @Override
    public void event(TraceEvent event) {
        last = event;
        Replay current = replay;
        if (current == null) {
            return;
        }
        SchedulerState scheduler = current.scheduler(Math.max(0, event.scheduler()));
        if (event.kind() == EventKind.HAND_OFF) {
            if (event.get(Field.WHY) == HandOffReason.HOG.ordinal()) {
                of(scheduler).taken++;
            } else {
                blocks(scheduler, event.get(Field.MACHINE), event.time());
            }
        } else if (event.kind() == EventKind.GIVE_AWAY) {
            blocks(scheduler, event.machine(), event.time());
        }
    }

    private void blocks(SchedulerState scheduler, long machine, long now) {
        for (Machine each : scheduler.machines()) {
            if (each.id() == machine && each.goroutine() != null && blocked.add(each)) {
                Found here = of(scheduler);
                here.blocked++;
                if (here.blocked > here.mostBlocked) {
                    here.mostBlocked = here.blocked;
                    here.mostBlockedAt = now;
                }
            }
        }
    }

    @Override
    public void started(Goroutine goroutine, Machine machine) {
        Processor processor = machine.processor();
        if (processor == null) {
            return;
        }
        if (goroutine.scheduler().runnable() > 0) {
            startedWithOthersWaiting.put(goroutine, goroutine.since());
        }
        TraceEvent start = last;
        boolean inherits = start != null
                && (start.kind() == EventKind.GO_START || start.kind() == EventKind.GO_START_FRESH)
                && start.get(Field.SOURCE) == Source.NEXT.ordinal();
        Pair pair = pairs.get(processor);
        boolean othersWait = processor.queued() > 0;
        if (inherits && pair != null && othersWait && (pair.has(goroutine) || pair.second == null)) {
            if (!pair.has(goroutine)) {
                pair.second = goroutine;
            }
            pair.runs++;
            pair.isWaitedFor = true;
        } else {
            endPair(processor, goroutine.since());
            pairs.put(processor, new Pair(goroutine, goroutine.since(), othersWait));
        }
    }

    private void endPair(Processor processor, long now) {
        Pair pair = pairs.remove(processor);
        if (pair == null
                || pair.second == null
                || now - pair.since < RecordingDoctor.LONG_RUN_NANOS
                || pair.runs < 10) {
            return;
        }
        Found here = of(processor.scheduler());
        long time = now - pair.since;
        here.pairStreaks++;
        here.pairTime += time;
        if (time > here.longestPair) {
            here.longestPair = time;
            here.pair = "%s and %s ran %,d times in turn on %s for %s, since %s, while others were in its queue"
                    .formatted(
                            pair.first.description(),
                            pair.second.description(),
                            pair.runs,
                            processor,
                            Units.span(time),
                            Units.moment(pair.since));
        }
    }

    @Override
    public void stopped(Goroutine goroutine, Machine machine, Stop how) {
        Long since = startedWithOthersWaiting.remove(goroutine);
        long now = goroutine.since();
        boolean computes = machine.handOff().isEmpty() || machine.handOff().equals("computes");
        if (since == null || now - since < RecordingDoctor.LONG_RUN_NANOS || !computes) {
            return;
        }
        if (goroutine.scheduler().runnable() == 0 && machine.handOff().isEmpty()) {
            return; // nothing waited for it any more
        }
        Found here = of(goroutine.scheduler());
        here.hogRuns++;
        here.hogTime += now - since;
        if (now - since > here.longestHog) {
            here.longestHog = now - since;
            here.hog = "%s ran for %s without a switch, since %s"
                    .formatted(goroutine.description(), Units.span(now - since), Units.moment(since));
        }
    }

    @Override
    public void interval(Goroutine goroutine, long until) {
        Machine machine = goroutine.machine();
        if (goroutine.state() == State.WITHOUT_PROCESSOR && machine != null && blocked.remove(machine)) {
            Found here = of(goroutine.scheduler());
            here.blocked--;
            here.blockedKinds.merge(goroutine.kind(), until - goroutine.since(), Long::sum);
        }
    }

    @Override
    public void lost(Machine machine, Processor processor, Loss how, TraceEvent event) {
        endPair(processor, event.time());
    }

    // ---- findings

    List<RecordedFinding> findings() {
        Replay current = replay;
        List<RecordedFinding> findings = new ArrayList<>();
        if (current == null) {
            return findings;
        }
        long window = current.recording().to() - current.recording().from();
        found.forEach((scheduler, here) -> {
            if (here.hogTime > SHARE * window) {
                List<String> evidence = new ArrayList<>();
                evidence.add("%,d runs of %s or more took %s together while others were runnable"
                        .formatted(here.hogRuns, Units.span(RecordingDoctor.LONG_RUN_NANOS), Units.span(here.hogTime)));
                evidence.add(here.hog);
                if (here.taken > 0) {
                    evidence.add("the monitor took %,d processors from such goroutines".formatted(here.taken));
                }
                findings.add(new RecordedFinding(RecordedCause.CPU_HOG, scheduler.name(), evidence));
            }
            if (here.pairTime > SHARE * window) {
                findings.add(new RecordedFinding(
                        RecordedCause.UNFAIR_PAIR,
                        scheduler.name(),
                        List.of(
                                "%,d times, %s together".formatted(here.pairStreaks, Units.span(here.pairTime)),
                                here.pair)));
            }
            if (here.mostBlocked > scheduler.procs() + MANY_BLOCKED) {
                findings.add(blocked(scheduler, here));
            }
        });
        return findings;
    }

    private static RecordedFinding blocked(SchedulerState scheduler, Found here) {
        List<String> evidence = new ArrayList<>();
        evidence.add("%,d machines were blocked at once at %s, with GOMAXPROCS=%d"
                .formatted(here.mostBlocked, Units.moment(here.mostBlockedAt), scheduler.procs()));
        here.blockedKinds.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(3)
                .forEach(it -> evidence.add("goroutines of %s were blocked for %s together"
                        .formatted(it.getKey(), Units.span(it.getValue()))));
        return new RecordedFinding(RecordedCause.BLOCKED_MACHINES, scheduler.name(), evidence);
    }
}
