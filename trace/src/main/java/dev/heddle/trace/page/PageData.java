package dev.heddle.trace.page;

import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.internal.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// The recording as a page holds it: collected event by event, then packed. `recording.js` describes the packed form
/// and reads it.
final class PageData {

    private static final int VERSION = 1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private String note;
    private final PageTracker tracker;

    /// @param name  what the page is called
    /// @param note  a sentence for people on what is missing in the recording; empty if nothing is
    private PageData(String name, String note, PageTracker tracker) {
        this.name = name;
        this.note = note;
        this.tracker = tracker;
    }

    /// What is known before the first event.
    static final class Builder {
        private final Map<Integer, PageParts.Scheduler> schedulers = new HashMap<>();
        private final Map<Long, PageGoroutines.Listed> listed = new HashMap<>();
        private LongFunction<List<String>> frames = _ -> List.of();
        private String note = "";
        private long from;

        Builder scheduler(int number, String name, int procs) {
            schedulers.put(number, new PageParts.Scheduler(name, procs));
            return this;
        }

        /// A virtual thread whose creation is not in the recording.
        Builder thread(long id, String name, String body) {
            listed.put(id, new PageGoroutines.Listed(name, body));
            return this;
        }

        Builder frames(LongFunction<List<String>> frames) {
            this.frames = frames;
            return this;
        }

        Builder note(String note) {
            this.note = note;
            return this;
        }

        /// When the page begins, in nanoseconds since the recording began.
        Builder from(long from) {
            this.from = from;
            return this;
        }

        PageData build(String name) {
            return new PageData(name, note, new PageTracker(from, listed, new PageParts(schedulers), frames));
        }
    }

    /// Takes the next event, in the order of time.
    void accept(TraceEvent event) {
        tracker.accept(event);
    }

    /// No more events will be taken: the page ends here.
    void breakOff(long time) {
        String where = "the page shows the first %,d events, up to %.3f s".formatted(events(), time / NANOS_PER_SECOND);
        note = note.isEmpty() ? where : note + "; " + where;
    }

    int events() {
        return tracker.events.size();
    }

    String name() {
        return name;
    }

    /// The content of the page's data block.
    String packed() {
        Varints columns = new Varints();
        int[] places = tracker.parts.places();
        tracker.events.write(columns, p -> places[p]);
        tracker.goroutines.write(columns);
        byte[] head = Json.of(head()).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new BestCompression(packed)) {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                out.write(head.length >>> shift);
            }
            out.write(head);
            out.write(columns.toArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }

    private static final class BestCompression extends GZIPOutputStream {
        BestCompression(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }

    private Map<String, Object> head() {
        List<String> titles = tracker.bodies.all();
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("version", VERSION);
        head.put("kinds", Arrays.stream(PageKind.values()).map(PageKind::label).toList());
        head.put("name", name);
        head.put("note", note);
        head.put("events", tracker.events.size());
        head.put("goroutines", tracker.goroutines.size());
        head.put("schedulers", tracker.parts.schedulerNames());
        head.put("procs", tracker.parts.procs());
        head.put("ps", tracker.parts.processors());
        head.put("machines", tracker.parts.machines());
        head.put("bodies", BodyNames.shortened(titles));
        head.put("titles", titles);
        head.put("reasons", tracker.reasons.all());
        head.put("strings", tracker.strings.all());
        head.put("stacks", tracker.stacks.all());
        return head;
    }
}
