package dev.heddle.observe.client;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes records, lists, maps and plain values as JSON. Record components become members of the same names.
public final class Json {

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    public static String of(@Nullable Object value) {
        Json json = new Json();
        json.write(value);
        return json.text.toString();
    }

    private void write(@Nullable Object value) {
        switch (value) {
            case null -> text.append("null");
            case Boolean bool -> text.append(bool);
            case Double number when !Double.isFinite(number) -> text.append("null");
            case Number number -> text.append(number);
            case Map<?, ?> map -> writeMap(map);
            case List<?> list -> writeList(list);
            case Record data -> writeRecord(data);
            default -> {
                if (value.getClass().isArray()) {
                    writeArray(value);
                } else {
                    writeString(value.toString());
                }
            }
        }
    }

    private void writeRecord(Record data) {
        char separator = '{';
        for (RecordComponent component : data.getClass().getRecordComponents()) {
            text.append(separator);
            writeString(component.getName());
            text.append(':');
            try {
                write(component.getAccessor().invoke(data));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(data.getClass() + " is not public", e);
            }
            separator = ',';
        }
        text.append(separator == '{' ? "{}" : "}");
    }

    private void writeMap(Map<?, ?> map) {
        char separator = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(separator);
            writeString(String.valueOf(entry.getKey()));
            text.append(':');
            write(entry.getValue());
            separator = ',';
        }
        text.append(separator == '{' ? "{}" : "}");
    }

    private void writeList(List<?> list) {
        char separator = '[';
        for (Object element : list) {
            text.append(separator);
            write(element);
            separator = ',';
        }
        text.append(separator == '[' ? "[]" : "]");
    }

    private void writeArray(Object array) {
        int length = Array.getLength(array);
        text.append('[');
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                text.append(',');
            }
            write(Array.get(array, i));
        }
        text.append(']');
    }

    private void writeString(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ' || Character.isSurrogate(c)) {
                        text.append("\\u%04x".formatted((int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
