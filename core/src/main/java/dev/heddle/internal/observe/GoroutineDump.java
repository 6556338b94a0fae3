package dev.heddle.internal.observe;

import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A dump of the goroutines of one scheduler as text, in the forms of Go (F89, F90).
///
/// @param scheduler  the scheduler at about the same time
/// @param goroutines the goroutines that have begun to run
public record GoroutineDump(SchedulerSnapshot scheduler, List<GoroutineStats> goroutines) {

    public GoroutineDump {
        goroutines = goroutines.stream()
                .sorted(Comparator.comparingLong(GoroutineStats::id))
                .toList();
    }

    /// Number of live goroutines that the dump does not show. Some have not begun to run and thus have no stack;
    /// others were left out because of a limit.
    public long notShown() {
        return Math.max(0, scheduler.stats().live() - goroutines.size());
    }

    /// One paragraph per goroutine.
    ///
    /// @param allFrames whether the scheduler's own frames are shown as well
    public String text(boolean allFrames) {
        StringBuilder text = new StringBuilder(title());
        for (GoroutineStats goroutine : goroutines) {
            text.append("\n\ngoroutine ")
                    .append(goroutine.id())
                    .append(" [")
                    .append(status(goroutine))
                    .append(']');
            if (!goroutine.name().isEmpty()) {
                text.append(" {name: ").append(goroutine.name()).append('}');
            }
            text.append(':');
            for (String frame : allFrames ? goroutine.stack() : Frames.worthReading(goroutine)) {
                text.append('\n')
                        .append(Frames.function(frame))
                        .append("(...)\n\t")
                        .append(Frames.place(frame));
            }
            String createdBy = goroutine.createdBy();
            if (createdBy != null) {
                text.append("\ncreated by ")
                        .append(Frames.function(createdBy))
                        .append(" in goroutine ")
                        .append(goroutine.creator())
                        .append("\n\t")
                        .append(Frames.place(createdBy));
            }
        }
        return text.append('\n').toString();
    }

    private String title() {
        String title = "scheduler " + scheduler.name() + ": "
                + scheduler.stats().live() + " goroutines, " + scheduler.states();
        return notShown() == 0
                ? title
                : title + "; " + notShown() + " of them not shown: not begun, or above the limit";
    }

    /// What stands in the brackets of Go's header.
    private static String status(GoroutineStats goroutine) {
        String reason = goroutine.waitReason();
        StringBuilder status =
                new StringBuilder(reason != null ? reason : goroutine.state().toString());
        long minutes = TimeUnit.NANOSECONDS.toMinutes(goroutine.waitNanos());
        if (minutes >= 1) {
            status.append(", ").append(minutes).append(" minutes");
        }
        if (goroutine.locked()) {
            status.append(", locked to thread");
        }
        return status.toString();
    }

    /// Those that are in the same place together, the largest group first, as in pprof's goroutine profile.
    public List<Group> groups() {
        Map<String, List<GoroutineStats>> byPlace = new LinkedHashMap<>();
        for (GoroutineStats goroutine : goroutines) {
            String reason = goroutine.waitReason();
            String key = (reason != null ? reason : goroutine.state().toString())
                    + Frames.worthReading(goroutine)
                    + goroutine.createdBy();
            byPlace.computeIfAbsent(key, _ -> new ArrayList<>()).add(goroutine);
        }
        return byPlace.values().stream()
                .map(Group::of)
                .sorted(Comparator.comparingInt(Group::count).reversed())
                .toList();
    }

    /// Goroutines that are in the same place.
    ///
    /// @param count        how many
    /// @param status       what they do or wait for
    /// @param longestNanos for how long the first of them has waited; -1 if that is not known
    /// @param someIds      the ids of the first few
    /// @param stack        their frames
    /// @param createdBy    the frame that started them; null if that was not noted
    public record Group(
            int count,
            String status,
            long longestNanos,
            List<Long> someIds,
            List<String> stack,
            @Nullable String createdBy) {

        private static final int SOME = 5;

        private static Group of(List<GoroutineStats> members) {
            GoroutineStats first = members.getFirst();
            String reason = first.waitReason();
            return new Group(
                    members.size(),
                    reason != null ? reason : first.state().toString(),
                    members.stream().mapToLong(GoroutineStats::waitNanos).max().orElse(-1),
                    members.stream().limit(SOME).map(GoroutineStats::id).toList(),
                    Frames.worthReading(first),
                    first.createdBy());
        }

        /// A paragraph, in the form of pprof's `goroutine?debug=1`.
        public String text() {
            StringBuilder text =
                    new StringBuilder().append(count).append(" @ [").append(status);
            if (longestNanos >= TimeUnit.MINUTES.toNanos(1)) {
                text.append(", up to ")
                        .append(TimeUnit.NANOSECONDS.toMinutes(longestNanos))
                        .append(" minutes");
            }
            text.append("] goroutine");
            someIds.forEach(id -> text.append(' ').append(id));
            text.append(count > someIds.size() ? " ...\n" : "\n");
            for (String frame : stack) {
                text.append("#\t")
                        .append(Frames.function(frame))
                        .append('\t')
                        .append(Frames.place(frame))
                        .append('\n');
            }
            if (createdBy != null) {
                text.append("#\tcreated by ")
                        .append(Frames.function(createdBy))
                        .append('\t')
                        .append(Frames.place(createdBy))
                        .append('\n');
            }
            return text.toString();
        }
    }

    /// The groups as text, in the form of pprof's `goroutine?debug=1`, without addresses.
    public String groupedText() {
        StringBuilder text = new StringBuilder("goroutine profile: total ")
                .append(goroutines.size())
                .append(" of scheduler ")
                .append(scheduler.name());
        if (notShown() > 0) {
            text.append("; ").append(notShown()).append(" more have not begun, or are above the limit");
        }
        groups().forEach(it -> text.append('\n').append(it.text()));
        return text.toString();
    }
}
