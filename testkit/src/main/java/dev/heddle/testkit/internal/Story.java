package dev.heddle.testkit.internal;

import dev.heddle.internal.event.WaitRecord;
import dev.heddle.internal.jdk.ThreadSnapshotter;
import dev.heddle.internal.jdk.ThreadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// What the threads of a schedule did, a line for each switch. Recorded in the last replay only: it reads stacks.
final class Story {

    private static final int MOST_LINES = 60;

    /// One stay of a thread on the carrier, and how it ended.
    private record Line(int step, long nanos, String thread, String verb, String rest) {
        boolean isLike(Line other) {
            return thread.equals(other.thread) && verb.equals(other.verb) && rest.equals(other.rest);
        }

        @Override
        public String toString() {
            String time = "+" + nanos / 1_000_000 + " ms";
            return String.format("%5d  %9s  %-14s %-8s %s", step, time, thread, verb, rest)
                    .stripTrailing();
        }
    }

    private final List<Line> lines = new ArrayList<>();

    /// Names of locks, in the order in which the story meets them.
    private final IdentityHashMap<Object, String> names = new IdentityHashMap<>();

    private final Map<String, Integer> counts = new HashMap<>();

    /// A thread has stopped running.
    ///
    /// @param step    at which it was chosen
    /// @param state   of the thread now
    /// @param atPoint whether it was stopped at a point
    void ran(BubbleRun run, BubbleThread thread, int step, int state, boolean atPoint) {
        if (state == ThreadState.TERMINATED) {
            add(new Line(step, run.clock.now(), thread.label(), "ends", ""));
            return;
        }
        ThreadSnapshotter picture = ThreadSnapshotter.of(thread.thread);
        if (picture == null) {
            return;
        }
        String where = "at " + Frames.userFrame(picture.stack().toArray(StackTraceElement[]::new), run.points);
        add(new Line(
                step,
                run.clock.now(),
                thread.label(),
                verb(state, atPoint),
                where + waitsFor(run, picture) + holds(picture)));
    }

    /// The thread that runs has woken another from Object.wait, out of turn.
    void woke(BubbleRun run, int step, BubbleThread chosen, BubbleThread longest) {
        BubbleThread notifier = run.mounted();
        String where = "at " + Frames.userFrame(Thread.currentThread().getStackTrace(), run.points);
        if (notifier != null) {
            String rest = where + " #" + chosen.number + ", though #" + longest.number + " has waited longer";
            add(new Line(step, run.clock.now(), notifier.label(), "wakes", rest));
        }
    }

    /// A loop is one line.
    private void add(Line line) {
        if (lines.isEmpty() || !lines.getLast().isLike(line)) {
            lines.add(line);
        }
    }

    private static String verb(int state, boolean atPoint) {
        return switch (state) {
            case ThreadState.TIMED_PARKED, ThreadState.TIMED_WAIT -> "sleeps";
            case ThreadState.YIELDED -> atPoint ? "switched" : "yields";
            case ThreadState.BLOCKED -> "blocks";
            case ThreadState.PARKED, ThreadState.WAIT -> "waits";
            default -> "runs";
        };
    }

    private String waitsFor(BubbleRun run, ThreadSnapshotter picture) {
        Object blocker = picture.blocker();
        if (blocker == null || blocker instanceof dev.heddle.testkit.Bubble) {
            return "";
        }
        BubbleThread owner = run.find(picture.ownerOfBlocker());
        if (owner == null) {
            owner = Holders.ofMonitor(run.threads(), blocker);
        }
        return " for " + nameOf(blocker) + (owner == null ? "" : " of #" + owner.number);
    }

    private String holds(ThreadSnapshotter picture) {
        List<String> held = new ArrayList<>();
        for (Object monitor : picture.monitors()) {
            if (monitor != picture.blocker()) {
                held.add(nameOf(monitor));
            }
        }
        return held.isEmpty() ? "" : ", holds " + String.join(", ", held);
    }

    private String nameOf(Object lock) {
        if (lock instanceof WaitRecord waiting) {
            return waiting.waitReason().toString();
        }
        return names.computeIfAbsent(lock, _ -> {
            String name = lock.getClass().getName();
            String simple = name.substring(name.lastIndexOf('.') + 1);
            int nested = simple.indexOf('$');
            boolean isOfJdk = name.startsWith("java.");
            String type = isOfJdk && nested > 0
                    ? simple.endsWith("ConditionObject") ? "Condition" : simple.substring(0, nested)
                    : simple.replace('$', '.');
            return type + "-" + counts.merge(type, 1, Integer::sum);
        });
    }

    /// The lines, the middle left out if there are very many.
    List<String> lines() {
        List<String> all = new ArrayList<>();
        int half = MOST_LINES / 2;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.size() > MOST_LINES && i == half) {
                all.add("       ... " + (lines.size() - MOST_LINES) + " more lines ...");
            }
            if (lines.size() <= MOST_LINES || i < half || i >= lines.size() - half) {
                all.add(lines.get(i).toString());
            }
        }
        return all;
    }
}
