package dev.heddle.client;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes records, lists, maps and plain values as JSON. Record components become members of the same names. A number
/// that is infinite or no number becomes null.
public final class Json {

    private final StringBuilder text = new StringBuilder();
    private final boolean isIndented;

    private Json(boolean isIndented) {
        this.isIndented = isIndented;
    }

    /// On one line.
    public static String of(@Nullable Object value) {
        Json json = new Json(/* isIndented= */ false);
        json.write(value, "");
        return json.text.toString();
    }

    /// One member or element a line, with a line break at the end. A list of numbers stays on one line.
    public static String indented(@Nullable Object value) {
        Json json = new Json(/* isIndented= */ true);
        json.write(value, "\n");
        return json.text.append('\n').toString();
    }

    /// @param lineBreak the line break and the indentation before the closing bracket of the value
    private void write(@Nullable Object value, String lineBreak) {
        switch (value) {
            case null -> text.append("null");
            case Boolean bool -> text.append(bool);
            case Double number when !Double.isFinite(number) -> text.append("null");
            case Number number -> text.append(number);
            case Map<?, ?> map -> writeMap(map, lineBreak);
            case List<?> list -> writeList(list, lineBreak);
            case Record data -> writeMap(members(data), lineBreak);
            default -> {
                if (value.getClass().isArray()) {
                    writeList(elements(value), lineBreak);
                } else {
                    writeString(value.toString());
                }
            }
        }
    }

    private static Map<String, @Nullable Object> members(Record data) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (RecordComponent component : data.getClass().getRecordComponents()) {
            try {
                members.put(component.getName(), component.getAccessor().invoke(data));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(data.getClass() + " is not public", e);
            }
        }
        return members;
    }

    private static List<@Nullable Object> elements(Object array) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(Array.get(array, i));
        }
        return elements;
    }

    private void writeMap(Map<?, ?> map, String lineBreak) {
        String inner = deeper(lineBreak);
        text.append('{');
        String before = inner;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before);
            writeString(String.valueOf(entry.getKey()));
            text.append(isIndented ? ": " : ":");
            write(entry.getValue(), inner);
            before = "," + inner;
        }
        text.append(map.isEmpty() ? "" : lineBreak).append('}');
    }

    private void writeList(List<?> list, String lineBreak) {
        boolean isFlat = list.stream().allMatch(Number.class::isInstance);
        String inner = isFlat ? "" : deeper(lineBreak);
        text.append('[');
        String before = inner;
        for (Object element : list) {
            text.append(before);
            write(element, inner);
            before = isFlat && isIndented ? ", " : "," + inner;
        }
        text.append(isFlat ? "" : lineBreak).append(']');
    }

    private String deeper(String lineBreak) {
        return isIndented ? lineBreak + "  " : "";
    }

    /// The form on one line has short escapes for line breaks and tabs, and escapes surrogates. The indented form
    /// escapes control characters by their number and nothing else, so that reports of all versions look alike.
    private void writeString(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c == '\n' && !isIndented) {
                text.append("\\n");
            } else if (c == '\t' && !isIndented) {
                text.append("\\t");
            } else if (c < ' ' || Character.isSurrogate(c) && !isIndented) {
                text.append("\\u%04x".formatted((int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
