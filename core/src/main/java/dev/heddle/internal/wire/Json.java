package dev.heddle.internal.wire;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes records, lists, maps and plain values as JSON. Record components become members of the same names. A number
/// that is infinite or no number becomes null.
public final class Json {

    /// For people: one line, or one line per member. For [Decoder]: one line without what it fills in by
    /// itself.
    private enum Form {
        LINE,
        INDENTED,
        COMPACT
    }

    private final StringBuilder text = new StringBuilder();
    private final Form form;
    private final @Nullable SharedLists shared;

    private Json(Form form, @Nullable SharedLists shared) {
        this.form = form;
        this.shared = shared;
    }

    /// On one line.
    public static String of(@Nullable Object value) {
        return write(new Json(Form.LINE, null), value, "");
    }

    /// One member or element a line, with a line break at the end. A list of numbers stays on one line.
    public static String indented(@Nullable Object value) {
        return write(new Json(Form.INDENTED, null), value, "\n") + "\n";
    }

    /// On one line, for [Decoder]: components that are null, 0, false or an empty list are left out, enum
    /// constants have their names, and bytes are in base64.
    public static String compact(@Nullable Object value) {
        return write(new Json(Form.COMPACT, null), value, "");
    }

    /// The compact form, in which a number stands for each list of strings: its index in `shared`, which
    /// collects them.
    public static String compact(@Nullable Object value, SharedLists shared) {
        return write(new Json(Form.COMPACT, shared), value, "");
    }

    private static String write(Json json, @Nullable Object value, String lineBreak) {
        json.write(value, lineBreak);
        return json.text.toString();
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
            case Record data -> writeRecord(data, lineBreak);
            case byte[] bytes
            when form == Form.COMPACT -> writeString(Base64.getEncoder().encodeToString(bytes));
            case Enum<?> constant when form == Form.COMPACT -> writeString(constant.name());
            default -> {
                if (value.getClass().isArray()) {
                    writeList(elements(value), lineBreak);
                } else {
                    writeString(value.toString());
                }
            }
        }
    }

    private static List<@Nullable Object> elements(Object array) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(Array.get(array, i));
        }
        return elements;
    }

    private void writeRecord(Record data, String lineBreak) {
        RecordShape shape = RecordShape.of(data.getClass());
        String inner = deeper(lineBreak);
        text.append('{');
        String before = inner;
        boolean isEmpty = true;
        for (int i = 0; i < shape.size(); i++) {
            Object value = shape.get(data, i);
            if (form != Form.COMPACT || !isDefault(value)) {
                writeMember(shape.name(i), value, before, inner);
                before = "," + inner;
                isEmpty = false;
            }
        }
        text.append(isEmpty ? "" : lineBreak).append('}');
    }

    /// Whether [Decoder] makes the same value of a missing member.
    private static boolean isDefault(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Boolean bool -> !bool;
            case Double number -> number == 0;
            case Number number -> number.longValue() == 0;
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            default -> value.getClass().isArray() && Array.getLength(value) == 0;
        };
    }

    private void writeMap(Map<?, ?> map, String lineBreak) {
        String inner = deeper(lineBreak);
        text.append('{');
        String before = inner;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            writeMember(String.valueOf(entry.getKey()), entry.getValue(), before, inner);
            before = "," + inner;
        }
        text.append(map.isEmpty() ? "" : lineBreak).append('}');
    }

    private void writeMember(String name, @Nullable Object value, String before, String inner) {
        text.append(before);
        writeString(name);
        text.append(form == Form.INDENTED ? ": " : ":");
        write(value, inner);
    }

    private void writeList(List<?> list, String lineBreak) {
        int index = shared == null ? -1 : shared.indexOf(list);
        if (index >= 0) {
            text.append(index);
            return;
        }
        boolean isFlat = list.stream().allMatch(Number.class::isInstance);
        String inner = isFlat ? "" : deeper(lineBreak);
        text.append('[');
        String before = inner;
        for (Object element : list) {
            text.append(before);
            write(element, inner);
            before = isFlat && form == Form.INDENTED ? ", " : "," + inner;
        }
        text.append(isFlat ? "" : lineBreak).append(']');
    }

    private String deeper(String lineBreak) {
        return form == Form.INDENTED ? lineBreak + "  " : "";
    }

    /// The forms on one line have short escapes for line breaks and tabs, and escape surrogates. The indented
    /// form escapes control characters by their number and nothing else, so that reports of all versions look
    /// alike.
    private void writeString(String value) {
        boolean isIndented = form == Form.INDENTED;
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
