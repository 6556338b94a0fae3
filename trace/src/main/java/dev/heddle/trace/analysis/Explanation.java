package dev.heddle.trace.analysis;

import dev.heddle.trace.Goroutine;
import dev.heddle.trace.Processor;
import dev.heddle.trace.RunQueue;
import dev.heddle.trace.SchedulerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What happened while one goroutine was runnable, and the verdict. It contains only what the recording shows.
final class Explanation {

    /// A shorter wait needs no cause: a switch and a wake-up take as long.
    private static final long SHORT_NANOS = 5_000;

    final LongestWaits.Found wait;
    final Goroutine goroutine;
    private final String cause;
    private final Goroutine.Position position;

    // its queues
    private @Nullable RunQueue queue;
    private long inQueueSince;
    private final Map<RunQueue.Kind, Long> inQueue = new EnumMap<>(RunQueue.Kind.class);
    private final Map<Processor, Long> atProcessor = new HashMap<>();

    // the processors
    private final Map<Processor, Use> uses = new HashMap<>();
    private long stopped;
    private long paused;

    /// How a processor was used meanwhile.
    private static final class Use {
        long running;
        long idle;
        int runs;
        int thefts;
        long longest;
        String longestRun = "";
        long longestFrom;
    }

    Explanation(LongestWaits.Found wait, Goroutine goroutine) {
        this.wait = wait;
        this.goroutine = goroutine;
        this.position = goroutine.position();
        this.queue = goroutine.queue();
        this.inQueueSince = wait.from();
        Goroutine waker = goroutine.waker();
        String by = waker != null
                ? " by " + waker.description()
                : goroutine.wakerMachine() != null
                        ? " by the scheduler on " + goroutine.wakerMachine()
                        : " by thread " + goroutine.wakerThread();
        this.cause = switch (goroutine.cause()) {
            case UNKNOWN -> "it was runnable before the recording began";
            case CREATED -> "it was created" + by;
            case WOKEN -> "it was woken" + by + " from " + goroutine.reason();
            case YIELDED -> "it yielded";
            case PREEMPTED -> "it was preempted";
        };
    }

    // ---- what happens

    /// It may be in another queue since the last event.
    void moved(long now) {
        RunQueue present = goroutine.queue();
        if (present != queue || now == wait.until()) {
            addToQueue(now);
            queue = present;
            inQueueSince = now;
        }
    }

    private void addToQueue(long until) {
        RunQueue before = queue;
        if (before != null) {
            inQueue.merge(before.kind(), until - inQueueSince, Long::sum);
            Processor processor = before.processor();
            if (processor != null) {
                atProcessor.merge(processor, until - inQueueSince, Long::sum);
            }
        }
    }

    private long overlap(long begin, long end) {
        return Math.max(0, Math.min(end, wait.until()) - Math.max(begin, wait.from()));
    }

    private Use use(Processor processor) {
        return uses.computeIfAbsent(processor, _ -> new Use());
    }

    void ran(@Nullable Processor processor, Goroutine other, long begin, long end) {
        long time = overlap(begin, end);
        if (processor == null || time == 0) {
            return;
        }
        Use use = use(processor);
        use.running += time;
        use.runs++;
        if (time > use.longest) {
            use.longest = time;
            use.longestRun = other.description();
            use.longestFrom = begin;
        }
    }

    void wasIdle(Processor processor, long begin, long end) {
        if (processor.scheduler() == goroutine.scheduler()) {
            use(processor).idle += overlap(begin, end);
        }
    }

    void wasStopped(long begin, long end) {
        stopped += overlap(begin, end);
    }

    void paused(long begin, long end) {
        paused += overlap(begin, end);
    }

    void stolenFrom(SchedulerState scheduler, int processor) {
        uses.forEach((it, use) -> {
            if (it.scheduler() == scheduler && it.id() == processor) {
                use.thefts++;
            }
        });
    }

    // ---- the verdict

    /// The processor in whose queues it was for the longest time; null if it was in the global queue for longer.
    private @Nullable Processor home() {
        long global = inQueue.getOrDefault(RunQueue.Kind.GLOBAL, 0L);
        return atProcessor.entrySet().stream()
                .filter(it -> it.getValue() >= global)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private boolean isMost(long nanos) {
        return 2 * nanos > wait.nanos();
    }

    private String verdict() {
        Processor home = home();
        Use atHome = home == null ? null : uses.get(home);
        long global = inQueue.getOrDefault(RunQueue.Kind.GLOBAL, 0L);
        if (wait.nanos() < SHORT_NANOS) {
            return "a switch takes as long";
        }
        if (isMost(stopped)) {
            return "the world was stopped for " + Units.span(stopped);
        }
        if (isMost(paused)) {
            return "the JVM paused for its garbage collector for " + Units.span(paused);
        }
        if (home != null && atHome != null && isMost(atHome.longest)) {
            return "%s ran on %s for %s".formatted(atHome.longestRun, home, Units.span(atHome.longest));
        }
        if (isMost(inQueue.getOrDefault(RunQueue.Kind.MAIL, 0L))) {
            return "the machine to which its thread is locked was busy";
        }
        if (isMost(global)) {
            return "it was in the global queue for %s, behind %d others"
                    .formatted(Units.span(global), position.ahead());
        }
        if (home != null && atHome != null && isMost(atHome.idle)) {
            return "%s, in whose queue it was, had no machine for %s".formatted(home, Units.span(atHome.idle));
        }
        if (home != null && atHome != null && isMost(wait.nanos() - atHome.running - atHome.idle)) {
            return "the machine of %s ran nothing for %s: it searched for work, or the operating system ran other threads"
                    .formatted(home, Units.span(wait.nanos() - atHome.running - atHome.idle));
        }
        if (home != null && atHome != null) {
            return "%d runs on %s came first".formatted(atHome.runs, home);
        }
        return "the recording does not show in which queue it was";
    }

    RunnableWait judge() {
        List<String> facts = new ArrayList<>();
        facts.add(cause + " and went to " + place());
        uses.entrySet().stream()
                .sorted(Comparator.comparingInt(it -> it.getKey().id()))
                .filter(it -> it.getKey().scheduler() == goroutine.scheduler())
                .filter(it -> it.getKey().id() < goroutine.scheduler().procs())
                .forEach(it -> facts.add(use(it.getKey(), it.getValue())));
        if (stopped > 0) {
            facts.add("the world was stopped for " + Units.span(stopped));
        }
        if (paused > 0) {
            facts.add("the garbage collector paused the JVM for " + Units.span(paused));
        }
        return new RunnableWait(
                goroutine.id(),
                goroutine.label(),
                goroutine.kind(),
                goroutine.scheduler().number(),
                wait.from(),
                wait.until(),
                wait.others(),
                verdict(),
                facts);
    }

    private String place() {
        RunQueue.Kind kind = position.queue();
        if (kind == null) {
            return "a queue that is not known";
        }
        Processor processor = position.processor();
        return "%s%s, behind %d".formatted(kind, processor == null ? "" : " of " + processor, position.ahead());
    }

    private String use(Processor processor, Use use) {
        String longest = use.longest == 0
                ? ""
                : "; the longest: %s for %s, since %s"
                        .formatted(use.longestRun, Units.span(use.longest), Units.moment(use.longestFrom));
        String thefts = use.thefts == 0 ? "" : "; stolen from %d times".formatted(use.thefts);
        return "%s ran %d goroutines for %s and was idle for %s%s%s"
                .formatted(processor, use.runs, Units.span(use.running), Units.span(use.idle), thefts, longest);
    }
}
