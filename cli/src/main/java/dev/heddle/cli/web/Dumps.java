package dev.heddle.cli.web;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.Frames;
import dev.heddle.internal.observe.GoroutineDump;
import dev.heddle.stats.GoroutineStats;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Dumps of the goroutines, taken when a page asks, and searched here: a page gets the groups that it shows.
final class Dumps {

    private static final int GOROUTINES = 20_000;
    private static final int FRAMES = 64;

    /// More groups cannot be read; a search finds the others.
    private static final int GROUPS = 200;

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int PAUSE_PER_COST = 100;

    private record Held(GoroutineDump dump, long takenNanos, long dueNanos) {}

    private final long pid;
    private final Map<String, Held> held = new HashMap<>(); // guarded by this object's monitor

    Dumps(long pid) {
        this.pid = pid;
    }

    /// The goroutines that contain every word of the search, in groups of the same state and stack.
    ///
    /// @param scheduler its name; empty for the first one
    /// @throws IOException with one sentence, if the JVM cannot be asked, and was never asked before
    Map<String, Object> document(String scheduler, String search) throws IOException {
        Held current = current(scheduler);
        GoroutineDump all = current.dump();
        String[] words = search.toLowerCase(Locale.ROOT).strip().split("\\s+", -1);
        List<GoroutineStats> matching =
                all.goroutines().stream().filter(it -> matches(it, words)).toList();
        List<GoroutineDump.Group> groups = new GoroutineDump(all.scheduler(), matching).groups();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("ageMillis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - current.takenNanos()));
        document.put("shown", all.goroutines().size());
        document.put("notShown", all.notShown());
        document.put("matching", matching.size());
        document.put("allGroups", groups.size());
        document.put(
                "groups", groups.stream().limit(GROUPS).map(Dumps::document).toList());
        return document;
    }

    private static Map<String, Object> document(GoroutineDump.Group group) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("count", group.count());
        document.put("status", group.status());
        document.put("longestNanos", group.longestNanos());
        document.put("ids", group.someIds());
        document.put("functions", group.stack().stream().map(Frames::function).toList());
        document.put("places", group.stack().stream().map(Frames::place).toList());
        String createdBy = group.createdBy();
        document.put("createdBy", createdBy == null ? null : Frames.withoutModule(createdBy));
        return document;
    }

    /// A dump that is recent enough, for what it costs. One that is outdated is better than none.
    private synchronized Held current(String scheduler) throws IOException {
        Held last = held.get(scheduler);
        long begin = System.nanoTime();
        if (last != null && begin - last.dueNanos() < 0) {
            return last;
        }
        GoroutineDump dump;
        try {
            dump = take(scheduler);
        } catch (IOException e) {
            if (last != null) {
                return last;
            }
            throw e;
        }
        long taken = System.nanoTime();
        long pause = Math.clamp(PAUSE_PER_COST * (taken - begin), PERIOD_NANOS, LONGEST_PERIOD_NANOS);
        Held next = new Held(dump, taken, taken + pause);
        held.put(scheduler, next);
        return next;
    }

    private GoroutineDump take(String scheduler) throws IOException {
        try (JvmConnection jvm = JvmConnection.attach(pid)) {
            String name = jvm.nameOf(scheduler.isEmpty() ? null : scheduler);
            return new GoroutineDump(jvm.snapshot(name), jvm.goroutines(name, GOROUTINES, FRAMES));
        }
    }

    private static boolean matches(GoroutineStats goroutine, String[] words) {
        for (String word : words) {
            if (!matches(goroutine, word)) {
                return false;
            }
        }
        return true;
    }

    /// A number is an id; other words may be anywhere in the name, the state or the frames.
    private static boolean matches(GoroutineStats goroutine, String word) {
        return Long.toString(goroutine.id()).equals(word)
                || contains(goroutine.name(), word)
                || contains(goroutine.waitReason(), word)
                || contains(goroutine.state().toString(), word)
                || contains(goroutine.createdBy(), word)
                || Frames.worthReading(goroutine).stream().anyMatch(it -> contains(it, word));
    }

    private static boolean contains(@Nullable String text, String word) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(word);
    }
}
