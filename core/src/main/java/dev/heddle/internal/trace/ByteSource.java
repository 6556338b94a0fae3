package dev.heddle.internal.trace;

import java.nio.charset.StandardCharsets;

/// Reads what [Bytes] has put together. Never reads beyond the end.
public final class ByteSource {

    /// The bytes are not what a writer of this version writes. The message says what is wrong, without a full stop.
    public static final class Damage extends Exception {
        private static final long serialVersionUID = 1;

        public Damage(String message) {
            super(message);
        }
    }

    private final byte[] bytes;
    private int at;
    private final int end;

    public ByteSource(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public ByteSource(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    public boolean isAtEnd() {
        return at == end;
    }

    public int remaining() {
        return end - at;
    }

    public int next() throws Damage {
        if (at == end) {
            throw new Damage("a number is cut off");
        }
        return bytes[at++] & 0xFF;
    }

    public long unsigned() throws Damage {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int part = next();
            value |= (long) (part & 0x7F) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        throw new Damage("a number has more than ten bytes");
    }

    public long signed() throws Damage {
        long value = unsigned();
        return value >>> 1 ^ -(value & 1);
    }

    /// A number that counts or indexes something that is here.
    public int count(int most) throws Damage {
        long value = unsigned();
        if (value < 0 || value > most) {
            throw new Damage("a count of " + value + " where at most " + most + " is possible");
        }
        return (int) value;
    }

    public String text() throws Damage {
        long claimed = unsigned();
        if (claimed < 0 || claimed > remaining()) {
            throw new Damage("a text of " + claimed + " bytes where only " + remaining() + " are left");
        }
        int length = (int) claimed;
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    void skipText() throws Damage {
        int length = count(remaining());
        at += length;
    }

    /// The rest of the bytes.
    public byte[] rest() {
        byte[] rest = java.util.Arrays.copyOfRange(bytes, at, end);
        at = end;
        return rest;
    }
}
