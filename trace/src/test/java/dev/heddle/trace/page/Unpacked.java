package dev.heddle.trace.page;

import dev.heddle.internal.wire.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/// The data of a page, read again: what `recording.js` does in the browser.
final class Unpacked {

    private static final int COLUMNS = 7;

    final Map<?, ?> head;

    /// As `time kind p m g a b`.
    final List<String> events = new ArrayList<>();

    /// As `id body`.
    final List<String> goroutines = new ArrayList<>();

    private final ByteBuffer in;

    Unpacked(PageData data) throws IOException {
        try (GZIPInputStream bytes =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(data.packed())))) {
            in = ByteBuffer.wrap(bytes.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        }
        byte[] json = new byte[in.getInt()];
        in.get(json);
        head = (Map<?, ?>) JsonReader.read(new String(json, StandardCharsets.UTF_8));
        readEvents(Math.toIntExact((Long) head.get("events")));
        readGoroutines(Math.toIntExact((Long) head.get("goroutines")));
    }

    private void readEvents(int n) {
        long[][] columns = new long[COLUMNS][n];
        for (long[] column : columns) {
            for (int i = 0; i < n; i++) {
                column[i] = next();
            }
        }
        List<?> kinds = (List<?>) head.get("kinds");
        long time = 0;
        long g = 0;
        for (int i = 0; i < n; i++) {
            time += columns[0][i];
            g += signed(columns[4][i]);
            events.add("%d %s p%d m%d g%d %d %d"
                    .formatted(
                            time,
                            kinds.get((int) columns[1][i]),
                            columns[2][i] - 1,
                            columns[3][i] - 1,
                            g,
                            columns[5][i] - 1,
                            columns[6][i]));
        }
    }

    private void readGoroutines(int n) {
        List<?> bodies = (List<?>) head.get("bodies");
        long[] ids = new long[n];
        long id = 0;
        for (int i = 0; i < n; i++) {
            id += signed(next());
            ids[i] = id;
        }
        for (int i = 0; i < n; i++) {
            goroutines.add((ids[i] % 2 == 1 ? "T" : "G") + ids[i] / 2 + " " + bodies.get((int) next()));
        }
    }

    private long next() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = in.get();
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    private static long signed(long value) {
        return value >>> 1 ^ -(value & 1);
    }
}
