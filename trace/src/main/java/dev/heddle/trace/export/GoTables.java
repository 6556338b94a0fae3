package dev.heddle.trace.export;

import dev.heddle.internal.trace.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// The strings and stacks of one generation. Number 0 stands for none.
final class GoTables {

    /// The parser refuses a longer string.
    private static final int LONGEST_STRING = 1024;

    private final Map<String, Integer> strings = new LinkedHashMap<>();
    private final Map<String, Integer> stacks = new LinkedHashMap<>();

    int string(String text) {
        return numberOf(text, strings);
    }

    /// A stack of one frame. Go's tools name a goroutine by the outermost frame of its first stack.
    int stack(String function) {
        return numberOf(function, stacks);
    }

    private static int numberOf(String text, Map<String, Integer> table) {
        return table.computeIfAbsent(text, _ -> table.size() + 1);
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

    /// The bodies of the batches that hold the tables, each at most `limit` bytes long.
    void write(int limit, Consumer<Bytes> batch) {
        int noFile = stacks.isEmpty() ? 0 : string("-");
        Bodies body = new Bodies(GoEvent.STACKS, limit, batch);
        for (Map.Entry<String, Integer> stack : stacks.entrySet()) {
            int number = stack.getValue();
            Bytes entry = new Bytes().put(GoEvent.STACK).unsigned(number).unsigned(1); // one frame
            // Any number may serve as the program counter, but it belongs to one frame.
            entry.unsigned(number).unsigned(string(stack.getKey())).unsigned(noFile).unsigned(1);
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
