package dev.heddle.internal.jdk;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/// The JVM's shared library, libjvm.so. Finds a variable by name in the library's symbol table, as profilers do.
///
/// Only the symbol tables of little-endian 64-bit ELF files are understood. Some distributions strip the table.
final class JvmSymbols {

    private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', /* 64 bits */ 2, /* lower byte first */ 1};
    private static final int HEADER_BYTES = 64;

    // Section headers: size of one, and the type of the section that holds the symbol table.
    private static final int SECTION_BYTES = 64;
    private static final int SYMBOL_TABLE = 2;

    // Symbols: name (4 bytes), kind (1), other (3), value (8), size (8).
    private static final int SYMBOL_BYTES = 24;
    private static final int LOCAL_VARIABLE = 1;
    private static final int SYMBOLS_AT_ONCE = 4096;

    private JvmSymbols() {}

    /// The address of a one-byte variable that is local to the library; 0 if it is not found.
    static long addressOfByte(String name) {
        try {
            String maps = library(read("/proc/self/maps"));
            int path = maps.indexOf('/');
            if (path < 0) {
                return 0;
            }
            long base = Long.parseUnsignedLong(maps, 0, maps.indexOf('-'), 16);
            try (RandomAccessFile file = new RandomAccessFile(maps.substring(path), "r")) {
                long offset = offsetOf(name, file);
                return offset == 0 ? 0 : base + offset;
            }
        } catch (IOException | RuntimeException _) {
            return 0; // not Linux, no /proc, or another file format
        }
    }

    /// The line of `maps` for the first mapping of the library; empty if there is none.
    static String library(byte[] maps) {
        byte[] name = "/libjvm.so\n".getBytes(StandardCharsets.ISO_8859_1);
        for (int end = 0; end < maps.length; end++) {
            if (maps[end] == '\n' && isAt(maps, end - name.length + 1, name)) {
                int start = end;
                while (start > 0 && maps[start - 1] != '\n') {
                    start--;
                }
                return new String(maps, start, end - start, StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    /// The variable's offset from the start of the library; 0 if there is no variable of this name.
    static long offsetOf(String name, RandomAccessFile file) throws IOException {
        byte[] header = bytes(file, 0, HEADER_BYTES);
        if (!isAt(header, 0, MAGIC)) {
            return 0;
        }
        int count = (int) number(header, 60, 2);
        byte[] sections = bytes(file, number(header, 40, 8), count * SECTION_BYTES);
        for (int at = 0; at < sections.length; at += SECTION_BYTES) {
            if (number(sections, at + 4, 4) == SYMBOL_TABLE) {
                int names = (int) number(sections, at + 40, 4) * SECTION_BYTES;
                return offsetOf(
                        name.concat("\0").getBytes(StandardCharsets.ISO_8859_1),
                        file,
                        number(sections, at + 24, 8),
                        number(sections, at + 32, 8),
                        number(sections, names + 24, 8));
            }
        }
        return 0;
    }

    private static long offsetOf(byte[] name, RandomAccessFile file, long table, long length, long names)
            throws IOException {
        for (long done = 0; done < length; done += SYMBOLS_AT_ONCE * SYMBOL_BYTES) {
            byte[] symbols = bytes(file, table + done, (int) Math.min(length - done, SYMBOLS_AT_ONCE * SYMBOL_BYTES));
            for (int at = 0; at < symbols.length; at += SYMBOL_BYTES) { // about 70,000 symbols, in interpreted code
                if (symbols[at + 4] == LOCAL_VARIABLE
                        && symbols[at + 16] == 1
                        && number(symbols, at + 16, 8) == 1
                        && isAt(bytes(file, names + number(symbols, at, 4), name.length), 0, name)) {
                    return number(symbols, at + 8, 8);
                }
            }
        }
        return 0;
    }

    private static byte[] bytes(RandomAccessFile file, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(from);
        file.readFully(bytes);
        return bytes;
    }

    private static byte[] read(String path) throws IOException {
        try (FileInputStream in = new FileInputStream(path)) {
            return in.readAllBytes();
        }
    }

    private static boolean isAt(byte[] bytes, int from, byte[] expected) {
        if (from < 0 || from + expected.length > bytes.length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if (bytes[from + i] != expected[i]) {
                return false;
            }
        }
        return true;
    }

    private static long number(byte[] bytes, int from, int length) {
        long number = 0;
        for (int i = length - 1; i >= 0; i--) {
            number = number << 8 | bytes[from + i] & 0xff;
        }
        return number;
    }
}
