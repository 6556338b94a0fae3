package dev.heddle.trace.export;

import dev.heddle.internal.trace.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The strings and stacks of one generation. Number 0 stands for none.
final class GoTables {

    /// The parser refuses a longer string.
    private static final int LONGEST_STRING = 1024;

    /// The parser refuses a longer stack.
    static final int MOST_FRAMES = 128;

    private static final Pattern FRAME = Pattern.compile("(.+)\\((.+):(\\d{1,9})\\)");

    private final Map<String, Integer> strings = new LinkedHashMap<>();
    private final Map<List<String>, Integer> stacks = new LinkedHashMap<>();
    private final Map<String, Integer> counters = new HashMap<>();

    int string(String text) {
        return strings.computeIfAbsent(text, _ -> strings.size() + 1);
    }

    /// A stack, the innermost frame first, as in Java: `app.Main.run(Main.java:7)`, or a name alone.
    int stack(List<String> frames) {
        return frames.isEmpty() ? 0 : stacks.computeIfAbsent(frames, _ -> stacks.size() + 1);
    }

    /// The text in UTF-8, cut to what the parser accepts, never inside a character.
    private static byte[] utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_STRING) {
            return bytes;
        }
        int end = LONGEST_STRING;
        while ((bytes[end] & 0xC0) == 0x80) { // a byte that continues a character
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    private void frame(String frame, Bytes into) {
        Matcher parts = FRAME.matcher(frame);
        boolean hasLine = parts.matches();
        // Any number may serve as the program counter, but it belongs to one frame.
        into.unsigned(counters.computeIfAbsent(frame, _ -> counters.size() + 1));
        into.unsigned(string(hasLine ? parts.group(1) : frame));
        into.unsigned(string(hasLine ? parts.group(2) : "-"));
        into.unsigned(hasLine ? Long.parseLong(parts.group(3)) : 1);
    }

    /// The bodies of the batches that hold the tables, each at most `limit` bytes long.
    void write(int limit, Consumer<Bytes> batch) {
        Bodies body = new Bodies(GoEvent.STACKS, limit, batch);
        for (Map.Entry<List<String>, Integer> stack : stacks.entrySet()) {
            List<String> frames = stack.getKey();
            Bytes entry =
                    new Bytes().put(GoEvent.STACK).unsigned(stack.getValue()).unsigned(frames.size());
            frames.forEach(it -> frame(it, entry));
            body.add(entry);
        }
        body.end();
        body = new Bodies(GoEvent.STRINGS, limit, batch); // last: the stacks have added their names
        for (Map.Entry<String, Integer> string : strings.entrySet()) {
            byte[] text = utf8(string.getKey());
            body.add(new Bytes()
                    .put(GoEvent.STRING)
                    .unsigned(string.getValue())
                    .unsigned(text.length)
                    .bytes(text, 0, text.length));
        }
        body.end();
    }

    /// Distributes the entries of one table over batches.
    private static final class Bodies {
        private final int type;
        private final int limit;
        private final Consumer<Bytes> batch;
        private final Bytes body = new Bytes();

        Bodies(int type, int limit, Consumer<Bytes> batch) {
            this.type = type;
            this.limit = limit;
            this.batch = batch;
        }

        void add(Bytes entry) {
            if (body.size() + entry.size() > limit) {
                end();
            }
            if (body.isEmpty()) {
                body.put(type);
            }
            body.bytes(entry);
        }

        void end() {
            if (!body.isEmpty()) {
                batch.accept(body);
                body.clear();
            }
        }
    }
}
