package dev.heddle.internal.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The outer form of a recording: a line that names the format, and blocks with check sums.
public final class TraceFile {

    public static final int VERSION = 1;

    /// A file begins with this line. The number after the last space is the version.
    public static final String MAGIC = "heddle trace " + VERSION + "\n";

    private static final String MAGIC_OF_ANY_VERSION = "heddle trace ";

    /// No block is larger. A reader allocates as much as the file says, but no more.
    public static final int MAX_BLOCK = 1 << 20;

    private TraceFile() {}

    /// Writes blocks one after the other. For one thread.
    public static final class Writer {
        private final OutputStream out;
        private final CRC32 sum = new CRC32();

        /// Writes the first line.
        public Writer(OutputStream out) throws IOException {
            this.out = out;
            out.write(MAGIC.getBytes(StandardCharsets.US_ASCII));
        }

        public void write(Block.Type type, byte[] payload) throws IOException {
            int length = payload.length;
            byte[] head = {(byte) type.code(), (byte) length, (byte) (length >> 8), (byte) (length >> 16)};
            sum.reset();
            sum.update(head);
            sum.update(payload);
            long check = sum.getValue();
            out.write(head);
            out.write(payload);
            out.write(new byte[] {(byte) check, (byte) (check >> 8), (byte) (check >> 16), (byte) (check >> 24)});
        }
    }

    /// Reads blocks one after the other, up to the end or the first damage. For one thread.
    public static final class Reader {
        private final InputStream in;
        private final CRC32 sum = new CRC32();
        private @Nullable String damage;

        /// Reads the first line.
        ///
        /// @throws ByteSource.Damage with the beginning of a sentence, if this is no recording of this version
        public Reader(InputStream in) throws IOException, ByteSource.Damage {
            this.in = in;
            byte[] line = in.readNBytes(MAGIC.length());
            String text = new String(line, StandardCharsets.US_ASCII);
            if (text.isEmpty()) {
                throw new ByteSource.Damage("it is empty");
            }
            if (!text.equals(MAGIC)) {
                throw new ByteSource.Damage(
                        text.startsWith(MAGIC_OF_ANY_VERSION)
                                ? "it was written by another version of Heddle: its first line is '" + text.strip()
                                        + "', and this command reads '" + MAGIC.strip() + "'"
                                : MAGIC.startsWith(text)
                                        ? "it ends in its first line"
                                        : "it is no recording of Heddle");
            }
        }

        /// The next block of a known type; null at the end, and where the file is damaged.
        public @Nullable Block next() throws IOException {
            while (damage == null) {
                byte[] head = in.readNBytes(4);
                if (head.length == 0) {
                    return null;
                }
                if (head.length < 4) {
                    damage = "it ends within a block";
                    break;
                }
                int length = head[1] & 0xFF | (head[2] & 0xFF) << 8 | (head[3] & 0xFF) << 16;
                if (length > MAX_BLOCK) {
                    damage = "a block claims to have " + length + " bytes";
                    break;
                }
                byte[] payload = in.readNBytes(length);
                byte[] check = in.readNBytes(4);
                if (check.length < 4) {
                    damage = "it ends within a block";
                    break;
                }
                sum.reset();
                sum.update(head);
                sum.update(payload);
                long said = (check[0] & 0xFFL)
                        | (check[1] & 0xFFL) << 8
                        | (check[2] & 0xFFL) << 16
                        | (check[3] & 0xFFL) << 24;
                if (said != sum.getValue()) {
                    damage = "a block of " + length + " bytes was changed";
                    break;
                }
                for (Block.Type type : Block.Type.values()) {
                    if (type.code() == head[0]) {
                        return new Block(type, payload);
                    }
                }
            }
            return null;
        }

        /// What is wrong with the file after the last block that was returned; null: nothing that was seen.
        public @Nullable String damage() {
            return damage;
        }
    }
}
