import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads JSON into maps, lists, strings, numbers and booleans: as much as the doctor's answer needs.
final class Json {

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.skipBlanks();
        if (json.at != text.length()) {
            throw json.unexpected();
        }
        return value;
    }

    private Object value() {
        skipBlanks();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (!ends('}')) {
            String name = string();
            skipBlanks();
            expect(':');
            members.put(name, value());
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        at++;
        while (!ends(']')) {
            elements.add(value());
        }
        return elements;
    }

    /// Skips a comma, and the given end if it is next.
    private boolean ends(char end) {
        skipBlanks();
        if (peek() == ',') {
            at++;
            skipBlanks();
        }
        if (peek() != end) {
            return false;
        }
        at++;
        return true;
    }

    private String string() {
        expect('"');
        var string = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private Object word() {
        int start = at;
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "" -> throw unexpected();
            case "true" -> true;
            case "false" -> false;
            case "null" -> "";
            default -> Double.valueOf(word);
        };
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '+';
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw new IllegalArgumentException("the JSON text ends too early: " + text);
        }
        return text.charAt(at);
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("unexpected JSON at character " + at + " of: " + text);
    }
}
