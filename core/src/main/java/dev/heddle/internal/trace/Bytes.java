package dev.heddle.internal.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Bytes that are being put together for a block, or for the file of another tool: Go and protobuf have the same
/// varints.
public final class Bytes {

    private byte[] bytes = new byte[256];
    private int size;

    public Bytes put(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /// A varint: seven bits in each byte, the lowest first; the high bit says that another byte follows.
    public Bytes unsigned(long value) {
        room(10);
        size = putUnsigned(bytes, size, value);
        return this;
    }

    /// A varint in zigzag form: 0, -1, 1, -2, ..
    public Bytes signed(long value) {
        return unsigned(zigzag(value));
    }

    /// The number of bytes, and the bytes, UTF-8.
    public Bytes text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return unsigned(utf8.length).bytes(utf8, 0, utf8.length);
    }

    public Bytes bytes(byte[] from, int offset, int length) {
        room(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
        return this;
    }

    public Bytes bytes(Bytes other) {
        return bytes(other.bytes, 0, other.size);
    }

    /// Eight bytes, the lowest first.
    public Bytes fixed64(long value) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            put((int) (value >>> shift));
        }
        return this;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /// Empties it, to be filled again.
    public void clear() {
        size = 0;
    }

    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
    }

    public byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    /// Returns the position after it. The array has room.
    static int putUnsigned(byte[] to, int position, long value) {
        int at = position;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            to[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[at++] = (byte) rest;
        return at;
    }
}
