package dev.heddle.internal.trace;

import org.jspecify.annotations.Nullable;

/// One event of a recording, decoded.
///
/// @param time      nanoseconds since the recording began
/// @param scheduler the scheduler that it concerns, by its number in the file; -1: none
/// @param machine   the machine on whose thread it was written; -1: a thread that is no machine of that scheduler
/// @param writer    the Java id of the thread that wrote it; of a machine, the carrier's
/// @param kind      what happened
/// @param a         the first number; see [#get]
/// @param b         the second number
/// @param c         the third number
/// @param d         the fourth number
/// @param name      the text of its [Field.Code#NAME] field; empty: it has none, or the name is unknown
/// @param text      the text of its [Field.Code#TEXT] field; empty: it has none
public record TraceEvent(
        long time,
        int scheduler,
        int machine,
        long writer,
        EventKind kind,
        long a,
        long b,
        long c,
        long d,
        String name,
        String text) {

    /// The number in that field; of a name, its id.
    ///
    /// @throws IllegalArgumentException if events of this kind have no such number
    public long get(Field field) {
        return switch (kind.positionOf(field)) {
            case 0 -> a;
            case 1 -> b;
            case 2 -> c;
            case 3 -> d;
            default -> throw new IllegalArgumentException(kind + " has no number " + field);
        };
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(time).append(' ').append(kind);
        text.append(" by ").append(machine < 0 ? "thread " + writer : "M" + machine);
        if (scheduler > 0) {
            text.append(" of scheduler ").append(scheduler);
        }
        for (Field field : kind.fields()) {
            @Nullable
            Object value = switch (field.code()) {
                case TEXT -> this.text;
                case NAME -> name;
                default -> get(field);
            };
            text.append(' ').append(field).append('=').append(value);
        }
        return text.toString();
    }
}
