package dev.heddle.trace.page;

import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.EventStream;
import dev.heddle.trace.ListedThread;
import dev.heddle.trace.Recording;
import dev.heddle.trace.SchedulerInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// One HTML file that holds a recording and shows it. It needs nothing else: no network, no server, no other file.
///
/// Its content policy allows this script and this style, by their hashes, and nothing besides. The recording is in a
/// data block, in letters and digits only, so that no name in it can end the block; names reach the page as text.
public final class TracePage {

    /// More events than these would make the browser slow.
    private static final int MOST_EVENTS = 5_000_000;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(POLICY|STYLE|DATA|SCRIPT)}}");
    private static final List<String> STYLES = List.of("page.css", "panel.css", "views.css");

    private TracePage() {}

    /// Writes the page of a recording.
    public static void write(Recording recording, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            write(recording, out);
        }
    }

    /// Writes the page of a recording, and leaves the stream open.
    public static void write(Recording recording, OutputStream to) throws IOException {
        Writer out = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        write(read(recording, MOST_EVENTS), out);
        out.flush();
    }

    static PageData read(Recording recording, int mostEvents) throws IOException {
        PageData.Builder builder = new PageData.Builder().from(recording.from()).frames(recording::stack);
        for (SchedulerInfo scheduler : recording.schedulers()) {
            builder.scheduler(scheduler.number(), scheduler.name(), scheduler.procs());
        }
        for (ListedThread thread : recording.threads()) {
            builder.thread(thread.id(), thread.name(), thread.body());
        }
        PageData data = builder.note(String.join("; ", recording.notes())).build(nameOf(recording.file()));
        try (EventStream events = recording.events()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                if (data.events() >= mostEvents) {
                    data.breakOff(event.time());
                    break;
                }
                data.accept(event);
            }
        }
        return data;
    }

    private static String nameOf(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }

    /// The page of this data. It goes out in parts: the data of millions of events is in memory once only.
    static void write(PageData data, Writer out) throws IOException {
        String style = STYLES.stream().map(Bundle::resource).collect(Collectors.joining());
        String script = Bundle.script("main.js");
        String page = Bundle.resource("page.html");
        Matcher places = PLACEHOLDER.matcher(page);
        int end = 0;
        while (places.find()) {
            out.append(page, end, places.start());
            out.append(
                    switch (places.group(1)) {
                        case "POLICY" ->
                            "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
                                    + "; base-uri 'none'; form-action 'none'";
                        case "STYLE" -> style;
                        case "SCRIPT" -> script;
                        default -> data.packed();
                    });
            end = places.end();
        }
        out.append(page, end, page.length());
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
