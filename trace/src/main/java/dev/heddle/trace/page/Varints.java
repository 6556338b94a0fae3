package dev.heddle.trace.page;

import java.io.ByteArrayOutputStream;

/// Numbers as a page stores them: seven bits in each byte, the lowest first.
final class Varints {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void unsigned(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /// In zigzag form: 0, -1, 1, -2, ..
    void signed(long value) {
        unsigned(value << 1 ^ value >> 63);
    }

    byte[] toArray() {
        return out.toByteArray();
    }
}
