package dev.heddle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.trace.Block;
import dev.heddle.internal.trace.ByteSource;
import dev.heddle.internal.trace.TraceFile;
import dev.heddle.trace.analysis.Summary;
import dev.heddle.trace.analysis.SummaryJson;
import dev.heddle.trace.analysis.SummaryText;
import dev.heddle.trace.export.GoExport;
import dev.heddle.trace.export.GoVersion;
import dev.heddle.trace.export.JsonExport;
import dev.heddle.trace.export.PerfettoExport;
import dev.heddle.trace.page.TracePage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files whose content is wrong although all check sums are right, as a faulty writer would make them. Every reader
/// either works or says one sentence.
final class WrongContentTest {

    private static final int VALUES_FOR_EACH_BYTE = 1;

    @TempDir
    private Path directory;

    private final List<String> sentences = new ArrayList<>();

    @Test
    void everyReaderWorksOrSaysOneSentence() throws Exception {
        long seed = Long.getLong("heddle.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        List<Block> blocks = blocks(Scenario.small().bytes());
        for (int b = 0; b < blocks.size(); b++) {
            byte[] right = blocks.get(b).payload();
            for (int i = 0; i < right.length; i++) {
                for (int n = 0; n < VALUES_FOR_EACH_BYTE; n++) {
                    byte[] wrong = right.clone();
                    wrong[i] = (byte) random.nextInt();
                    List<Block> changed = new ArrayList<>(blocks);
                    changed.set(b, new Block(blocks.get(b).type(), wrong));
                    read(file(changed), "-Dheddle.test.seed=%d, byte %d of block %d".formatted(seed, i, b));
                }
            }
        }
        assertThat(sentences).hasSizeGreaterThan(100);
    }

    /// The name that the file defines is its last text, and claims a byte that belongs to the check sum.
    @Test
    void aTextThatClaimsTooManyBytesIsNotRead() throws Exception {
        List<Block> blocks = blocks(SampleRecording.small(1));
        Block names = blocks.stream()
                .filter(it -> it.type() == Block.Type.NAMES)
                .findFirst()
                .orElseThrow();
        names.payload()[1]++;
        Files.write(directory.resolve("x.trace"), file(blocks));
        assertThatThrownBy(() -> Recording.open(directory.resolve("x.trace")))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("a text of 5 bytes where only 4 are left");
    }

    private void read(byte[] content, String which) throws IOException {
        Path file = Files.write(directory.resolve("x.trace"), content);
        OutputStream nowhere = OutputStream.nullOutputStream();
        List<Reader> readers = List.of(
                it -> SummaryText.of(Summary.of(it, 3)),
                it -> SummaryJson.of(Summary.of(it, 3)),
                it -> GoExport.write(it, GoVersion.GO_26, nowhere),
                it -> PerfettoExport.write(it, nowhere),
                it -> JsonExport.write(it, nowhere),
                it -> TracePage.write(it, nowhere));
        for (Reader reader : readers) {
            try {
                reader.read(Recording.open(file));
            } catch (RecordingException e) {
                assertThat(e.getMessage()).as(which).endsWith(".").doesNotContain("\n");
                sentences.add(e.getMessage());
            } catch (RuntimeException | Error e) {
                throw new AssertionError(which, e);
            }
        }
    }

    private interface Reader {
        void read(Recording recording) throws IOException;
    }

    private static List<Block> blocks(byte[] file) throws IOException, ByteSource.Damage {
        List<Block> blocks = new ArrayList<>();
        TraceFile.Reader reader = new TraceFile.Reader(new ByteArrayInputStream(file));
        for (Block block = reader.next(); block != null; block = reader.next()) {
            blocks.add(block);
        }
        return blocks;
    }

    private static byte[] file(List<Block> blocks) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TraceFile.Writer writer = new TraceFile.Writer(out);
        for (Block block : blocks) {
            writer.write(block.type(), block.payload());
        }
        return out.toByteArray();
    }
}
