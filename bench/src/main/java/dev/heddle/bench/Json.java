package dev.heddle.bench;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Writes maps, lists, numbers, booleans and text as JSON.
final class Json {

    private Json() {}

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value, "\n");
        return out.append('\n').toString();
    }

    private static void append(StringBuilder out, Object value, String lineBreak) {
        switch (value) {
            case Map<?, ?> map -> {
                String inner = lineBreak + "  ";
                out.append('{');
                for (Iterator<? extends Map.Entry<?, ?>> it = map.entrySet().iterator(); it.hasNext(); ) {
                    Map.Entry<?, ?> entry = it.next();
                    out.append(inner);
                    quote(out, entry.getKey().toString());
                    out.append(": ");
                    append(out, entry.getValue(), inner);
                    out.append(it.hasNext() ? "," : lineBreak);
                }
                out.append('}');
            }
            case List<?> list -> {
                boolean isFlat = list.stream().allMatch(Number.class::isInstance);
                String inner = isFlat ? "" : lineBreak + "  ";
                out.append('[');
                for (Iterator<?> it = list.iterator(); it.hasNext(); ) {
                    out.append(inner);
                    append(out, it.next(), inner);
                    out.append(it.hasNext() ? isFlat ? ", " : "," : isFlat ? "" : lineBreak);
                }
                out.append(']');
            }
            case Double number -> out.append(Double.isFinite(number) ? number.toString() : "null"); // null: never
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> quote(out, value.toString());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
