package dev.heddle.internal.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads JSON into maps, lists, strings, longs, doubles, booleans and null.
///
/// The text may come from another user's process, so nesting is limited. The caller limits the length.
public final class JsonReader {

    private static final int MAX_DEPTH = 64;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /// The value that the text consists of.
    ///
    /// @throws IllegalArgumentException if the text is not JSON, with the place
    public static @Nullable Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        reader.skipSpace();
        if (reader.at != text.length()) {
            throw reader.malformed();
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw malformed();
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        skipSpace();
        if (skip('}')) {
            return members;
        }
        do {
            skipSpace();
            String name = string();
            skipSpace();
            require(':');
            members.put(name, value(depth + 1));
            skipSpace();
        } while (skip(','));
        require('}');
        return members;
    }

    private List<@Nullable Object> array(int depth) {
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (skip(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            skipSpace();
        } while (skip(','));
        require(']');
        return elements;
    }

    private String string() {
        require('"');
        int begin = at;
        int quote = text.indexOf('"', at);
        if (quote >= 0 && text.indexOf('\\', at, quote) < 0) { // nearly all strings
            at = quote + 1;
            return text.substring(begin, quote);
        }
        StringBuilder string = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw malformed();
                }
                at += 4;
                try {
                    yield (char) Integer.parseInt(text, at - 4, at, 16);
                } catch (NumberFormatException _) {
                    throw malformed();
                }
            }
            default -> throw malformed();
        };
    }

    private Number number() {
        int begin = at;
        boolean isWhole = true;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            char c = text.charAt(at++);
            isWhole &= c == '-' || Character.isDigit(c);
        }
        try {
            if (isWhole) {
                return Long.parseLong(text, begin, at, 10);
            }
            return Double.parseDouble(text.substring(begin, at));
        } catch (NumberFormatException _) {
            throw malformed();
        }
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw malformed();
        }
        at += word.length();
        return value;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private boolean skip(char wanted) {
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void require(char wanted) {
        if (!skip(wanted)) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("malformed JSON at character " + at);
    }
}
