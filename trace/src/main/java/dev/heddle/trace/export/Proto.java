package dev.heddle.trace.export;

import dev.heddle.internal.trace.Bytes;
import java.nio.charset.StandardCharsets;

/// A protobuf message that is being written: a run of fields, each with its number and its kind.
final class Proto {

    /// The kinds of fields on the wire.
    private static final int VARINT = 0;

    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;

    private final Bytes bytes = new Bytes();

    Proto number(int field, long value) {
        tag(field, VARINT).unsigned(value);
        return this;
    }

    Proto fixed64(int field, long value) {
        tag(field, FIXED64).fixed64(value);
        return this;
    }

    Proto text(int field, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        tag(field, LENGTH_DELIMITED).unsigned(utf8.length).bytes(utf8, 0, utf8.length);
        return this;
    }

    Proto message(int field, Proto message) {
        tag(field, LENGTH_DELIMITED).unsigned(message.bytes.size()).bytes(message.bytes);
        return this;
    }

    private Bytes tag(int field, int kind) {
        return bytes.unsigned((long) field << 3 | kind);
    }

    Bytes bytes() {
        return bytes;
    }
}
